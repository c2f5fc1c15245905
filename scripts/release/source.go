package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// build is one release of one source.
type build struct {
	src     string // the repository
	out     string // where the files go
	work    string // for what is on its way
	version string // semantic version, without v
	commit  string // "" for a source without history
	made    time.Time
}

// readSource finds version and time of a source: its own time and not that of the clock,
// so that files come out the same.
func readSource(src string) (*build, error) {
	text, err := os.ReadFile(filepath.Join(src, "cmd/meshd/release/VERSION"))
	if err != nil {
		return nil, err
	}
	b := &build{src: src, version: strings.TrimSpace(string(text))}
	number := b.version
	b.version += "-dev"
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if commit, err := b.git("rev-parse", "HEAD"); err == nil {
		b.commit = commit
		changed, err := b.git("status", "--porcelain")
		if err != nil {
			return nil, err
		}
		tags, err := b.git("tag", "--points-at", "HEAD")
		if err != nil {
			return nil, err
		}
		switch tagged := slices.Contains(strings.Fields(tags), "v"+number); {
		case tagged && changed == "":
			b.version = number
		case changed == "":
			b.version += "+" + commit[:12]
		default:
			b.version += "+" + commit[:12] + ".dirty"
		}
		if epoch == "" {
			if epoch, err = b.git("log", "-1", "--format=%ct"); err != nil {
				return nil, err
			}
		}
	}
	if epoch == "" { // unpacked from an archive, whose files have the time of their commit
		info, err := os.Stat(filepath.Join(src, "cmd/meshd/release/VERSION"))
		if err != nil {
			return nil, err
		}
		epoch = strconv.FormatInt(info.ModTime().Unix(), 10)
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	b.made = time.Unix(seconds, 0).UTC()
	return b, nil
}

func (b *build) git(args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", b.src}, args...)...).Output()
	return strings.TrimSpace(string(out)), err
}

// staticFlags make a program that needs no file of the system it runs on: names of hosts
// and users are read by Go, and the C library is inside.
func staticFlags(version string) []string {
	return []string{"-trimpath", "-buildvcs=false", "-tags", "netgo,osusergo", "-ldflags",
		"-s -w -buildid= -linkmode external -extldflags -static -X github.com/meshd/meshd/cmd/meshd/release.name=" + version}
}

func (b *build) binary(t target) string { return filepath.Join(b.work, t.arch, "meshd") }

// program compiles for one processor.
func (b *build) program(t target) error {
	args := append([]string{"build"}, staticFlags(b.version)...)
	c := exec.Command("go", append(args, "-o", b.binary(t), "./cmd/meshd")...)
	c.Dir = b.src
	c.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+t.arch, "CC="+t.cc, "CGO_ENABLED=1", "GOFLAGS=", "GOWORK=off")
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Run(); err != nil {
		return fmt.Errorf("build for %s: %w\n%s", t.arch, err, said.String())
	}
	return nil
}

// here is the target of this machine.
func here() (target, error) {
	for _, t := range targets {
		if t.arch == runtime.GOARCH && runtime.GOOS == "linux" {
			return t, nil
		}
	}
	return target{}, fmt.Errorf("no release is built on %s/%s", runtime.GOOS, runtime.GOARCH)
}

// companions has the program write its manual and the completions of shells.
func (b *build) companions() error {
	t, err := here()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(b.work, "completions"), 0o755); err != nil {
		return err
	}
	for file, args := range map[string][]string{
		"": {"man", "--dir", filepath.Join(b.work, "man1")}, "meshd.bash": {"completion", "bash"}, "_meshd": {"completion", "zsh"}, "meshd.fish": {"completion", "fish"},
	} {
		out, err := exec.Command(b.binary(t), args...).Output()
		if err != nil {
			return fmt.Errorf("meshd %s: %w", strings.Join(args, " "), err)
		}
		if file != "" {
			if err := os.WriteFile(filepath.Join(b.work, "completions", file), out, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
