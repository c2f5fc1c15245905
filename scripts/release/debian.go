package main

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// scripts are what dpkg executes before and after it changes files.
//
//go:embed debian/*
var scripts embed.FS

// debianVersion orders a version before its release as dpkg does.
func debianVersion(version string) string { return strings.Replace(version, "-dev", "~dev", 1) }

// unit is configs/meshd.service for a package: the program where packages have it, and
// the user that the package makes.
func (b *build) unit() ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(b.src, "configs/meshd.service"))
	if err != nil {
		return nil, err
	}
	for old, now := range map[string]string{
		"# systemd unit: cp configs/meshd.service /etc/systemd/system/ && systemctl enable --now meshd\n": "# systemctl edit meshd changes what stands here\n",
		"=/usr/local/bin/meshd run": "=/usr/bin/meshd run",
		"\nDynamicUser=yes\n":       "\nUser=meshd\nGroup=meshd\nRestrictSUIDSGID=yes\nRemoveIPC=yes\n",
	} {
		if bytes.Count(text, []byte(old)) != 1 {
			return nil, fmt.Errorf("configs/meshd.service: %q is not there once", old)
		}
		text = bytes.Replace(text, []byte(old), []byte(now), 1)
	}
	return text, nil
}

// debian writes meshd_<version>_<arch>.deb.
func (b *build) debian(t target) error {
	unit, err := b.unit()
	if err != nil {
		return err
	}
	changes, err := zip(b.put("usr/share/doc/meshd/changelog", "CHANGELOG.md", 0o644))
	if err != nil {
		return err
	}
	entries := []entry{
		{name: "usr/bin/meshd", mode: 0o755, file: b.binary(t)},
		{name: "usr/lib/systemd/system/meshd.service", mode: 0o644, content: unit},
		changes,
		b.put("usr/share/doc/meshd/copyright", "LICENSE", 0o644), b.put("usr/share/doc/meshd/DEPENDENCIES.md", "DEPENDENCIES.md", 0o644),
		b.put("usr/share/doc/meshd/examples/meshd.yaml", "configs/meshd.yaml", 0o644), b.put("usr/share/doc/meshd/examples/compose.yaml", "configs/compose.yaml", 0o644),
		b.completion("usr/share/bash-completion/completions/meshd", "meshd.bash"), b.completion("usr/share/zsh/vendor-completions/_meshd", "_meshd"),
		b.completion("usr/share/fish/vendor_completions.d/meshd.fish", "meshd.fish"),
	}
	pages, err := b.manual("usr/share/man/man1", true)
	if err != nil {
		return err
	}
	entries = append(entries, pages...)
	for _, s := range []struct {
		name, from string
		mode       int64
	}{{"etc/meshd.env", "meshd.env", 0o600}, {"DEBIAN/conffiles", "conffiles", 0o644}, {"DEBIAN/postinst", "postinst", 0o755}, {"DEBIAN/prerm", "prerm", 0o755}, {"DEBIAN/postrm", "postrm", 0o755}} {
		text, err := scripts.ReadFile("debian/" + s.from)
		if err != nil {
			return err
		}
		entries = append(entries, entry{name: s.name, mode: s.mode, content: text})
	}
	size := 0
	for _, e := range entries {
		content, err := e.read()
		if err != nil {
			return err
		}
		size += len(content)
	}
	control, err := scripts.ReadFile("debian/control")
	if err != nil {
		return err
	}
	control = []byte(strings.NewReplacer("@VERSION@", debianVersion(b.version), "@ARCH@", t.arch, "@SIZE@", strconv.Itoa(size/1024)).Replace(string(control)))
	entries = append(entries, entry{name: "DEBIAN/control", mode: 0o644, content: control})

	dir := filepath.Join(b.work, t.arch, "deb")
	if err := lay(dir, entries); err != nil {
		return err
	}
	c := exec.Command("dpkg-deb", "--root-owner-group", "-Zxz", "-z1", "--threads-max=1", "--build", dir, filepath.Join(b.out, fmt.Sprintf("meshd_%s_%s.deb", b.version, t.arch)))
	c.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(b.made.Unix(), 10))
	if said, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("dpkg-deb: %w\n%s", err, said)
	}
	return os.RemoveAll(dir)
}
