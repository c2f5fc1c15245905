package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"debug/buildinfo"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// contents writes what is inside of a program, meshd_<version>_linux_<arch>.cdx.json: the
// modules that the linker put in, by what it wrote down itself, and the C library.
func (b *build) contents(t target) (err error) {
	info, err := buildinfo.ReadFile(b.binary(t))
	if err != nil {
		return err
	}
	module := func(name, version, sum string) cdx.Component {
		purl := "pkg:golang/" + name + "@" + version
		c := cdx.Component{Type: cdx.ComponentTypeLibrary, BOMRef: purl, PackageURL: purl, Name: name, Version: version}
		if sum != "" {
			c.Properties = &[]cdx.Property{{Name: "go.sum", Value: sum}}
		}
		return c
	}
	parts := []cdx.Component{module("std", info.GoVersion, "")}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, module(m.Path, m.Version, m.Sum))
	}
	libc, err := exec.Command("dpkg-query", "-W", "-f", "${Version}", t.libc).Output()
	if err != nil {
		return fmt.Errorf("version of %s: %w", t.libc, err)
	}
	purl := "pkg:deb/debian/" + t.libc + "@" + string(libc)
	parts = append(parts, cdx.Component{Type: cdx.ComponentTypeLibrary, BOMRef: purl, PackageURL: purl, Name: "glibc", Version: string(libc)})

	program := cdx.Component{Type: cdx.ComponentTypeApplication, Name: "meshd", Version: b.version, BOMRef: "pkg:golang/" + info.Main.Path + "@v" + b.version}
	program.PackageURL = program.BOMRef
	hash, err := sumOf(b.binary(t))
	if err != nil {
		return err
	}
	program.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hash}}
	var refs []string
	for _, p := range parts {
		refs = append(refs, p.BOMRef)
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: b.made.Format("2006-01-02T15:04:05Z"), Component: &program}
	bom.Components, bom.Dependencies = &parts, &[]cdx.Dependency{{Ref: program.BOMRef, Dependencies: &refs}}
	f, err := os.Create(filepath.Join(b.out, fmt.Sprintf("meshd_%s_linux_%s.cdx.json", b.version, t.arch)))
	if err != nil {
		return err
	}
	return errors.Join(cdx.NewBOMEncoder(f, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom), f.Close())
}

func sumOf(file string) (string, error) {
	content, err := os.ReadFile(file)
	return fmt.Sprintf("%x", sha256.Sum256(content)), err
}

// sums writes SHA256SUMS of all files, and with a key its signature.
func (b *build) sums(key string) error {
	files, err := os.ReadDir(b.out)
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	for _, f := range files {
		sum, err := sumOf(filepath.Join(b.out, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%s  %s\n", sum, f.Name())
	}
	fmt.Print(lines.String())
	if err := os.WriteFile(filepath.Join(b.out, "SHA256SUMS"), lines.Bytes(), 0o644); err != nil {
		return err
	}
	if key == "" {
		return nil
	}
	text, err := os.ReadFile(key)
	if err != nil {
		return err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return fmt.Errorf("%s contains no PEM", key)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return err
	}
	private, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return fmt.Errorf("%s contains no Ed25519 key", key)
	}
	return os.WriteFile(filepath.Join(b.out, "SHA256SUMS.sig"), ed25519.Sign(private, lines.Bytes()), 0o644)
}
