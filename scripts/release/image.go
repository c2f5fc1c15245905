package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// imageUser is who the program runs as in an image. It is a number, since clusters
// refuse names when they are to see that it is not root.
const imageUser = 10001

// authorities are the certificates that the program believes in.
const authorities = "/etc/ssl/certs/ca-certificates.crt"

// base is what an image has beside the program: no shell and no library.
func (b *build) base() ([]entry, error) {
	certs, err := os.ReadFile(authorities)
	if err != nil {
		return nil, fmt.Errorf("authorities (Debian: apt-get install ca-certificates): %w", err)
	}
	return []entry{
		{name: "etc/passwd", mode: 0o644, content: fmt.Appendf(nil, "root:x:0:0:root:/:/sbin/nologin\nmeshd:x:%d:%[1]d:meshd:/var/lib/meshd:/sbin/nologin\n", imageUser)},
		{name: "etc/group", mode: 0o644, content: fmt.Appendf(nil, "root:x:0:\nmeshd:x:%d:\n", imageUser)},
		{name: "etc/meshd-image", mode: 0o644, content: []byte(b.version + "\n")},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, content: certs},
		{name: "tmp/", mode: 0o1777},
		{name: "var/lib/meshd/", mode: 0o700, owner: imageUser},
		b.put("usr/share/doc/meshd/LICENSE", "LICENSE", 0o644), b.put("usr/share/doc/meshd/DEPENDENCIES.md", "DEPENDENCIES.md", 0o644),
	}, nil
}

func (b *build) inImage(t target) []entry {
	return []entry{{name: "usr/local/bin/meshd", mode: 0o755, file: b.binary(t)}}
}

// rootfs writes the files of the image for this machine, for configs/Containerfile.
func (b *build) rootfs(dir string) error {
	t, err := here()
	if err != nil {
		return err
	}
	base, err := b.base()
	if err != nil {
		return err
	}
	if err := b.program(t); err != nil {
		return err
	}
	return lay(dir, append(base, b.inImage(t)...))
}

// imageConfig is how the program is started in an image.
func (b *build) imageConfig() v1.Config {
	return v1.Config{
		User:         fmt.Sprintf("%d:%[1]d", imageUser),
		Env:          []string{"PATH=/usr/local/bin", "MESHD_HOME=/var/lib/meshd", "MESHD_NODE_PROFILE=gateway"},
		Entrypoint:   []string{"/usr/local/bin/meshd"},
		Cmd:          []string{"run"},
		WorkingDir:   "/",
		Volumes:      map[string]struct{}{"/var/lib/meshd": {}},
		ExposedPorts: map[string]struct{}{"8420/tcp": {}, "4001/tcp": {}, "4001/udp": {}},
		StopSignal:   "SIGTERM",
		Labels: map[string]string{
			"org.opencontainers.image.title": "meshd", "org.opencontainers.image.description": "A node of a mesh of shared knowledge",
			"org.opencontainers.image.version": b.version, "org.opencontainers.image.revision": b.commit,
			"org.opencontainers.image.source": "https://github.com/meshd/meshd", "org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
}

func (b *build) layer(entries []entry) (v1.Layer, error) {
	var raw bytes.Buffer
	if err := writeTar(&raw, entries, b.made); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
}

// image writes meshd_<version>_oci.tar, an image layout with one image a processor.
func (b *build) image() error {
	base, err := b.base()
	if err != nil {
		return err
	}
	var index v1.ImageIndex = mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, t := range targets {
		img := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
		for _, entries := range [][]entry{base, b.inImage(t)} {
			l, err := b.layer(entries)
			if err != nil {
				return err
			}
			if img, err = mutate.Append(img, mutate.Addendum{Layer: l, MediaType: types.OCILayer, History: v1.History{Created: v1.Time{Time: b.made}, CreatedBy: "scripts/release"}}); err != nil {
				return err
			}
		}
		config, err := img.ConfigFile()
		if err != nil {
			return err
		}
		config = config.DeepCopy()
		config.OS, config.Architecture, config.Created, config.Config = "linux", t.arch, v1.Time{Time: b.made}, b.imageConfig()
		if img, err = mutate.ConfigFile(img, config); err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: t.arch}}})
	}
	dir := filepath.Join(b.work, "oci")
	to, err := layout.Write(dir, mutate.IndexMediaType(empty.Index, types.OCIImageIndex))
	if err != nil {
		return err
	}
	// A tag may have no +.
	tag := strings.ReplaceAll(b.version, "+", "-")
	if err := to.AppendIndex(index, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": tag})); err != nil {
		return err
	}
	return b.pack(dir, fmt.Sprintf("meshd_%s_oci.tar", b.version))
}

// pack writes a folder as a tar.
func (b *build) pack(dir, name string) error {
	var entries []entry
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		entries = append(entries, entry{name: filepath.ToSlash(rel), mode: 0o644, file: path})
		return err
	})
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(b.out, name))
	if err != nil {
		return err
	}
	return errors.Join(writeTar(f, entries, b.made), f.Close())
}
