package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// TestImage unpacks the image of each processor and runs it as an engine does: its files
// as the root, its user, its variables, its command. What lies in the image cannot be
// written by it, but for the home and /tmp.
func TestImage(t *testing.T) {
	f, err := os.Open(file("oci.tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	dir := t.TempDir()
	untar(t, dir, f)
	l, err := layout.FromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	top, err := l.ImageIndex()
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(top); err != nil {
		t.Errorf("the index is not sound: %v", err)
	}
	manifest, err := top.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	if tag := manifest.Manifests[0].Annotations["org.opencontainers.image.ref.name"]; len(manifest.Manifests) != 1 || strings.ReplaceAll(source.version, "+", "-") != tag {
		t.Errorf("%d manifests, the first named %q", len(manifest.Manifests), tag)
	}
	index, err := top.ImageIndex(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err = index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, one := range manifest.Manifests {
		arch := one.Platform.Architecture
		seen = append(seen, one.Platform.OS+"/"+arch)
		t.Run(arch, func(t *testing.T) {
			img, err := index.Image(one.Digest)
			if err != nil {
				t.Fatal(err)
			}
			config, err := img.ConfigFile()
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			if err := os.Chmod(root, 0o755); err != nil { // the user must come to its files
				t.Fatal(err)
			}
			files := mutate.Extract(img)
			untar(t, root, files)
			if err := files.Close(); err != nil {
				t.Fatal(err)
			}
			c := config.Config
			if c.User != "10001:10001" || config.Architecture != arch || !slices.Equal(c.Cmd, []string{"run"}) {
				t.Errorf("%+v", config)
			}
			m := machine{root: root, user: c.User, program: c.Entrypoint[0], env: c.Env}
			if arch == "arm64" {
				at := "/emulator"
				copyFile(t, "/usr/bin/"+emulator, root+at)
				if err := os.Chmod(root+at, 0o755); err != nil {
					t.Fatal(err)
				}
				m.through = []string{at}
			}
			n := m.start(t)
			n.isThis()
			n.contributes()
			if said := m.says(t, "doctor"); strings.Contains(said, "fail") {
				t.Errorf("meshd doctor says %s", said)
			}
			n.stop()
			if said := m.says(t, "upgrade", "--check"); !strings.Contains(said, "an image") {
				t.Errorf("meshd upgrade --check says %q", said)
			}
			if info, err := os.Stat(filepath.Join(root, "var/lib/meshd/keys")); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("keys: %v, %v", info, err)
			}
			err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() && (path == filepath.Join(root, "proc") || path == filepath.Join(root, "var/lib/meshd")) {
					return filepath.SkipDir
				}
				info, err := d.Info()
				if err == nil && info.Mode().Perm()&0o022 != 0 && info.Mode()&os.ModeSticky == 0 {
					t.Errorf("%s may be written by others: %v", path, info.Mode())
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	if slices.Sort(seen); !slices.Equal(seen, []string{"linux/amd64", "linux/arm64"}) {
		t.Errorf("images for %v", seen)
	}
}
