package usd

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/meshd/meshd/lang/target/artefact"
)

// align is where the data of every file of a package begins.
const align = 64

// Package makes scene.usdz: the layer stored as it is, its bytes at a multiple
// of 64, without a data descriptor.
func Package(in *artefact.Input) (*artefact.Output, error) {
	w, err := write(in)
	if err != nil {
		return nil, err
	}
	packed, err := pack("scene.usda", w.b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("pack usdz: %w", err)
	}
	return w.output(artefact.File{Path: "scene.usdz", MediaType: "model/vnd.usdz+zip", Data: packed}), nil
}

func pack(name string, data []byte) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	const header = 30 // bytes of a local header before the name
	pad := (align - (header+len(name)+4)%align) % align
	extra := append([]byte{0x86, 0x19, byte(pad), byte(pad >> 8)}, make([]byte, pad)...)
	f, err := z.CreateRaw(&zip.FileHeader{
		Name: name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(data), CompressedSize64: uint64(len(data)), UncompressedSize64: uint64(len(data)),
		ModifiedDate: 0x21, Modified: time.Time{}, Extra: extra,
	})
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
