package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// TestArchives: the program of each archive needs no file of the system, says its version,
// and runs a node that takes an entry; that of arm64 by an emulator.
func TestArchives(t *testing.T) {
	for arch, through := range map[string][]string{"amd64": nil, "arm64": {emulator}} {
		t.Run(arch, func(t *testing.T) {
			dir := unzip(t, file("linux_"+arch+".tar.gz"))
			for _, name := range []string{"LICENSE", "README.md", "meshd.yaml", "meshd.service", "completions/meshd.bash", "completions/_meshd", "completions/meshd.fish", "man/man1/meshd.1", "man/man1/meshd-upgrade.1"} {
				if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
					t.Errorf("%s: %v", name, err)
				}
			}
			static(t, filepath.Join(dir, "meshd"))
			m := machine{through: through, program: filepath.Join(dir, "meshd"), env: []string{"MESHD_HOME=" + filepath.Join(t.TempDir(), "home")}}
			if said := m.says(t, "version"); !strings.Contains(said, source.version) || !strings.Contains(said, "linux/"+arch) {
				t.Errorf("meshd version says %q", said)
			}
			m.says(t, "init")
			n := m.start(t)
			n.isThis()
			n.contributes()
			if said := m.says(t, "status"); !strings.Contains(said, "view") {
				t.Errorf("meshd status says %q", said)
			}
			n.stop()
			if said := m.says(t, "upgrade", "--check"); !strings.Contains(said, "the archive of a release") || !strings.Contains(said, "this program opens it as it is") {
				t.Errorf("meshd upgrade --check says %q", said)
			}
		})
	}
}

// static refuses a program that asks for a loader or a library.
func static(t *testing.T, program string) {
	t.Helper()
	out, err := exec.Command("readelf", "--program-headers", "--dynamic", program).CombinedOutput()
	if err != nil {
		t.Fatalf("readelf: %v\n%s", err, out)
	}
	for _, word := range []string{"INTERP", "(NEEDED)"} {
		if strings.Contains(string(out), word) {
			t.Errorf("%s has %s", program, word)
		}
	}
}

// TestSums: sha256sum agrees with every line, every file has one, and a second build of
// the same source gives the same.
func TestSums(t *testing.T) {
	check := exec.Command("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS")
	check.Dir = dist
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("sha256sum: %v\n%s", err, out)
	}
	lines, err := os.ReadFile(filepath.Join(dist, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dist)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), "SHA256SUMS") && !strings.Contains(string(lines), "  "+f.Name()+"\n") {
			t.Errorf("%s has no sum", f.Name())
		}
	}
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	again := *source
	again.out, again.work = t.TempDir(), t.TempDir()
	if err := again.everything(key); err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(filepath.Join(again.out, "SHA256SUMS"))
	if err != nil || string(second) != string(lines) {
		t.Errorf("a second build has other sums (%v):\n%s\nbefore:\n%s", err, second, lines)
	}
	sig, err := os.ReadFile(filepath.Join(again.out, "SHA256SUMS.sig"))
	if err != nil || !ed25519.Verify(private.Public().(ed25519.PublicKey), second, sig) {
		t.Errorf("the signature does not fit: %v", err)
	}
}

// TestContents: the list of what is inside names every module of the program, and what
// was linked in besides.
func TestContents(t *testing.T) {
	for _, target := range targets {
		text, err := os.ReadFile(file("linux_" + target.arch + ".cdx.json"))
		if err != nil {
			t.Fatal(err)
		}
		var bom cdx.BOM
		if err := json.Unmarshal(text, &bom); err != nil {
			t.Fatal(err)
		}
		program := filepath.Join(unzip(t, file("linux_"+target.arch+".tar.gz")), "meshd")
		sum, err := sumOf(program)
		if err != nil || bom.Metadata.Component.Version != source.version || (*bom.Metadata.Component.Hashes)[0].Value != sum {
			t.Errorf("%s: %v, lists %+v", target.arch, err, bom.Metadata.Component)
		}
		out, err := exec.Command("go", "version", "-m", program).Output()
		if err != nil {
			t.Fatal(err)
		}
		modules := 0
		for line := range strings.Lines(string(out)) {
			if f := strings.Fields(line); len(f) > 2 && f[0] == "dep" {
				modules++
				if !slices.ContainsFunc(*bom.Components, func(c cdx.Component) bool { return c.PackageURL == fmt.Sprintf("pkg:golang/%s@%s", f[1], f[2]) }) {
					t.Errorf("%s: %s %s is not listed", target.arch, f[1], f[2])
				}
			}
		}
		if modules < 50 || !slices.ContainsFunc(*bom.Components, func(c cdx.Component) bool { return c.Name == "glibc" && c.Version != "" }) {
			t.Errorf("%s: %d modules, and glibc is listed or not: %d components", target.arch, modules, len(*bom.Components))
		}
	}
}
