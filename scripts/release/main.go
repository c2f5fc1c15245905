// Command release builds what people install: for each processor a static program in an
// archive and a Debian package, one image for both, lists of what is inside, and
// checksums. It runs on Debian for amd64 as `make release`; docs/install.md says what
// each is for. The same commit on the same machine gives the same files.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// target is a processor that releases are built for.
type target struct {
	arch string // as Go names it, and Debian
	cc   string // the compiler of its C parts
	libc string // the Debian package of the C library that is linked in
}

var targets = []target{
	{"amd64", "gcc", "libc6-dev"},
	{"arm64", "aarch64-linux-gnu-gcc", "libc6-dev-arm64-cross"},
}

// unbuilt are the platforms that people ask for, and why there is no release for them.
var unbuilt = []string{
	"darwin/amd64, darwin/arm64: the C parts need Apple's SDK, which may not be used elsewhere; it builds there from source",
	"windows: the control socket and the background node need Unix; it runs in WSL as linux",
	"linux/arm, linux/riscv64 and others: the library for documents comes compiled for amd64 and arm64 only; CGO_ENABLED=0 builds from source, without documents",
}

func main() {
	if err := release(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func release() error {
	out := flag.String("out", "", "folder of the files, emptied first (default dist)")
	root := flag.String("rootfs", "", "write only the files of the image for this processor into a folder")
	key := flag.String("key", os.Getenv("MESHD_RELEASE_KEY"), "Ed25519 private key (PEM) that signs SHA256SUMS")
	flag.Parse()
	src, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
	b, err := readSource(src)
	if err != nil {
		return err
	}
	if b.work, err = os.MkdirTemp("", "meshd-release-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.work)
	if *root != "" {
		return b.rootfs(*root)
	}
	if *out == "" {
		*out = filepath.Join(src, "dist")
	}
	if b.out, err = filepath.Abs(*out); err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(b.out), os.MkdirAll(b.out, 0o755)); err != nil {
		return err
	}
	return b.everything(*key)
}

func (b *build) everything(key string) error {
	for _, t := range targets {
		fmt.Printf("meshd %s for linux/%s\n", b.version, t.arch)
		if err := b.program(t); err != nil {
			return err
		}
	}
	if err := b.companions(); err != nil {
		return err
	}
	for _, t := range targets {
		for _, step := range []func(target) error{b.archive, b.debian, b.contents} {
			if err := step(t); err != nil {
				return err
			}
		}
	}
	if err := b.image(); err != nil {
		return err
	}
	if err := b.sums(key); err != nil {
		return err
	}
	for _, p := range unbuilt {
		fmt.Println("unbuilt:", p)
	}
	return nil
}
