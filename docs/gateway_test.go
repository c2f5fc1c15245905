package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/meshd/meshd/node/config"
)

// TestAlertsHaveRunbooks: each rule has a section of operations.md that says what to do,
// a severity, and a test in alerts_test.yaml that has it fire; and
// no section is about a rule that is gone. promtool runs the tests (make operator); that
// the metrics exist is looked up in a process (cmd/meshd, script metrics).
func TestAlertsHaveRunbooks(t *testing.T) {
	t.Parallel()
	read := func(path string, into any) string {
		t.Helper()
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if into != nil {
			if err := yaml.Unmarshal(raw, into); err != nil {
				t.Fatal(path, err)
			}
		}
		return string(raw)
	}
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr         string
				Labels, Annotations map[string]string
			}
		}
	}
	read("prometheus/alerts.yaml", &rules)
	var tests struct {
		Tests []struct {
			Rules []struct {
				Name  string           `yaml:"alertname"`
				Fires []map[string]any `yaml:"exp_alerts"`
			} `yaml:"alert_rule_test"`
		}
	}
	read("prometheus/alerts_test.yaml", &tests)
	fires := map[string]bool{}
	for _, one := range tests.Tests {
		for _, r := range one.Rules {
			fires[r.Name] = fires[r.Name] || len(r.Fires) > 0
		}
	}
	page := read("operations.md", nil)
	described := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^### (Meshd[A-Za-z]+)$`).FindAllStringSubmatch(page, -1) {
		described[m[1]] = true
	}
	n := 0
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			n++
			if !described[r.Alert] || r.Annotations["runbook"] != "docs/operations.md#"+strings.ToLower(r.Alert) || r.Annotations["summary"] == "" {
				t.Errorf("%s: no section, or the runbook leads elsewhere: %v", r.Alert, r.Annotations)
			}
			if s := r.Labels["severity"]; s != "page" && s != "ticket" {
				t.Errorf("%s: severity %q", r.Alert, s)
			}
			if !fires[r.Alert] {
				t.Errorf("%s: no test has it fire", r.Alert)
			}
			delete(described, r.Alert)
		}
	}
	if n == 0 {
		t.Error("no rules")
	}
	for name := range described {
		t.Errorf("operations.md describes %s, which is no rule", name)
	}
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
