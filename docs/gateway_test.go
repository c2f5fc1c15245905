package docs_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/meshd/meshd/node/config"
)

var metricName = regexp.MustCompile(`\b(?:meshd|process)_[a-z0-9_]+`)

// TestDashboardShowsMetricsThatExist loads the dashboard and looks for each name
// in it among those of a gateway, or in the source of the node's rooms.
func TestDashboardShowsMetricsThatExist(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("grafana/gateway.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Title  string
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(raw, &board); err != nil || board.Title == "" || len(board.Panels) == 0 {
		t.Fatalf("dashboard %+v, %v", board, err)
	}
	known := describedMetrics(t)
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			names := metricName.FindAllString(target.Expr, -1)
			if len(names) == 0 {
				t.Errorf("%s: no metric in %q", p.Title, target.Expr)
			}
			for _, name := range names {
				if !known[strings.TrimSuffix(name, "_bucket")] {
					t.Errorf("%s: no metric %s", p.Title, name)
				}
			}
		}
	}
	guide, err := os.ReadFile("gateway.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range metricName.FindAllString(string(guide), -1) {
		if !known[name] {
			t.Errorf("the guide names %s, which does not exist", name)
		}
	}
}

// describedMetrics are the names in the metrics.go of each room that has one, and
// those of the process.
func describedMetrics(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{"process_resident_memory_bytes": true, "process_open_fds": true, "process_max_fds": true}
	name := regexp.MustCompile(`Name: +"(meshd_[a-z0-9_]+)"`)
	for _, room := range []string{"gateway", "gateway/rest", "node/core", "p2p/sync"} {
		source, err := os.ReadFile("../" + room + "/metrics.go")
		if err != nil {
			t.Fatal(err)
		}
		found := name.FindAllStringSubmatch(string(source), -1)
		if len(found) == 0 {
			t.Errorf("%s describes no metric", room)
		}
		for _, m := range found {
			known[m[1]] = true
		}
	}
	return known
}

// TestGuideNamesSettingsThatExist checks the settings that stand in code quotes,
// and the variables of commands.
func TestGuideNamesSettingsThatExist(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("gateway.md")
	if err != nil {
		t.Fatal(err)
	}
	names, envs := map[string]bool{"limits.*": true}, map[string]bool{"MESHD_HOME": true}
	for _, k := range config.Keys() {
		names[k.Name], envs[k.Env()] = true, true
	}
	for _, m := range regexp.MustCompile("`((?:gateway|state|limits)\\.[a-z_*]+)`").FindAllStringSubmatch(string(guide), -1) {
		if !names[m[1]] {
			t.Errorf("no setting %s", m[1])
		}
	}
	for _, name := range regexp.MustCompile(`MESHD_[A-Z_]+[A-Z]`).FindAllString(string(guide), -1) {
		if !envs[name] {
			t.Errorf("no variable %s", name)
		}
	}
}
