package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"
)

// ownProgram FILE copies the program to a place where it may be replaced.
func ownProgram(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: ownprogram FILE")
	}
	self, err := os.Executable()
	ts.Check(err)
	from, err := os.Open(self)
	ts.Check(err)
	defer from.Close()
	file := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(file), 0o755))
	to, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY, 0o755)
	ts.Check(err)
	_, err = io.Copy(to, from)
	ts.Check(err)
	ts.Check(to.Close())
}

// released ARCHIVE VERSION FORMAT SCHEMA makes an archive of a program that says it is
// a version with these formats, and is this one otherwise; beside it SHA256SUMS, its
// signature and the key. A schema of 0 is not said.
func released(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: released ARCHIVE VERSION FORMAT SCHEMA")
	}
	self, err := os.Executable()
	ts.Check(err)
	work := ts.Getenv("WORK")
	real := filepath.Join(work, "real", "meshd")
	if _, err := os.Stat(real); err != nil {
		ts.Check(os.MkdirAll(filepath.Dir(real), 0o755))
		ts.Check(os.Symlink(self, real))
	}
	schema := `,"state_schema":` + args[3]
	if args[3] == "0" {
		schema = ""
	}
	program := fmt.Sprintf("#!/bin/sh\n# says it is %[1]s\nif [ \"$1\" = version ]; then echo '{\"version\":\"%[1]s\",\"home_format\":%[2]s%[3]s}'; exit; fi\nexec %[4]s \"$@\"\n", args[1], args[2], schema, real)
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	out := tar.NewWriter(zip)
	ts.Check(out.WriteHeader(&tar.Header{Name: "meshd_" + args[1] + "/README.md", Mode: 0o644, Typeflag: tar.TypeReg}))
	ts.Check(out.WriteHeader(&tar.Header{Name: "meshd_" + args[1] + "/meshd", Mode: 0o755, Size: int64(len(program)), Typeflag: tar.TypeReg}))
	_, err = io.WriteString(out, program)
	ts.Check(err)
	ts.Check(out.Close())
	ts.Check(zip.Close())

	archive := ts.MkAbs(args[0])
	dir := filepath.Dir(archive)
	ts.Check(os.MkdirAll(dir, 0o755))
	sums := fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(b.Bytes()), filepath.Base(archive))
	public, private, err := ed25519.GenerateKey(nil)
	ts.Check(err)
	der, err := x509.MarshalPKIXPublicKey(public)
	ts.Check(err)
	for name, content := range map[string][]byte{
		archive:                               b.Bytes(),
		filepath.Join(dir, "SHA256SUMS"):      sums,
		filepath.Join(dir, "SHA256SUMS.sig"):  ed25519.Sign(private, sums),
		filepath.Join(dir, "release.pub.pem"): pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}),
	} {
		ts.Check(os.WriteFile(name, content, 0o644))
	}
}

// serveFolder FOLDER serves it over HTTP at $SERVED.
func serveFolder(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: serve FOLDER")
	}
	server := httptest.NewServer(http.FileServer(http.Dir(ts.MkAbs(args[0]))))
	ts.Defer(server.Close)
	ts.Setenv("SERVED", server.URL)
}

// nothing PATTERN checks that no file matches.
func nothing(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: nothing PATTERN")
	}
	found, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(found) > 0 {
		ts.Fatalf("%v", found)
	}
}
