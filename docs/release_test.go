package docs_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/meshd/meshd/gateway/status"
	"github.com/meshd/meshd/node/config"
)

// TestReleaseHasOneNumber: what names the version, names the same. scripts/release reads
// these files with the libraries of those who use them; this is what takes no time.
func TestReleaseHasOneNumber(t *testing.T) {
	t.Parallel()
	number := strings.TrimSpace(string(read(t, "../cmd/meshd/release/VERSION")))
	var server struct{ Version string }
	if err := json.Unmarshal(read(t, "../server.json"), &server); err != nil || server.Version != number {
		t.Errorf("server.json: %q, %v, want %s", server.Version, err, number)
	}
	var extension struct{ Version string }
	if err := json.Unmarshal(read(t, "../editors/vscode/package.json"), &extension); err != nil || extension.Version != number {
		t.Errorf("editors/vscode/package.json: %q, %v, want %s", extension.Version, err, number)
	}
	var chart struct {
		Version    string
		AppVersion string `yaml:"appVersion"`
	}
	if err := yaml.Unmarshal(read(t, "../configs/helm/meshd/Chart.yaml"), &chart); err != nil || chart.Version != number || chart.AppVersion != number {
		t.Errorf("the chart: %+v, %v, want %s", chart, err, number)
	}
	if !bytes.Contains(read(t, "../configs/compose.yaml"), []byte("image: ${MESHD_IMAGE:-meshd:"+number+"}\n")) {
		t.Errorf("configs/compose.yaml has another image than meshd:%s", number)
	}
	changes := string(read(t, "../CHANGELOG.md"))
	if !strings.Contains(changes, "The number of the next release is "+number+" ") && !strings.Contains(changes, "\n## "+number+",") {
		t.Errorf("CHANGELOG.md does not name %s", number)
	}
}

// TestReleaseSetsWhatExists: variables, ports and paths of the compose file, the chart and
// the Containerfile are those of the program.
func TestReleaseSetsWhatExists(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"MESHD_HOME": true, "MESHD_IMAGE": true}
	for _, k := range config.Keys() {
		known[k.Env()] = true
	}
	files := []string{"../configs/compose.yaml", "../configs/Containerfile", "../scripts/release/debian/meshd.env"}
	err := filepath.WalkDir("../configs/helm", func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) < 8 {
		t.Fatalf("%v: %v", files, err)
	}
	for _, file := range files {
		for _, name := range regexp.MustCompile(`MESHD_[A-Z_]+[A-Z]`).FindAllString(string(read(t, file)), -1) {
			if !known[name] {
				t.Errorf("%s: no variable %s", file, name)
			}
		}
	}
	set := string(read(t, "../configs/helm/meshd/templates/statefulset.yaml"))
	var paths []string
	for _, r := range status.Routes(nil) {
		paths = append(paths, r.Path)
	}
	probes := regexp.MustCompile(`(?m)^ +path: (/\S+)$`).FindAllStringSubmatch(set, -1)
	if len(probes) != 3 {
		t.Errorf("%d probes", len(probes))
	}
	for _, p := range probes {
		if !slices.Contains(paths, p[1]) {
			t.Errorf("no endpoint %s", p[1])
		}
	}
	var compose struct {
		Services map[string]struct {
			Image       string
			Ports       []string
			Environment map[string]string
			Volumes     []string
		}
	}
	if err := yaml.Unmarshal(read(t, "../configs/compose.yaml"), &compose); err != nil {
		t.Fatal(err)
	}
	if s := compose.Services["meshd"]; !slices.Equal(s.Ports, []string{"8420:8420", "4001:4001/tcp", "4001:4001/udp"}) || !slices.Equal(s.Volumes, []string{"meshd:/var/lib/meshd"}) {
		t.Errorf("%+v", compose)
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
