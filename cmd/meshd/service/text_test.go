package service

import (
	"encoding/xml"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

var odd = []string{"/opt/my tools/meshd", "run", "--home", `/home/ada/50% of "it" $HOME & <more> \n`, "--loopback"}

// TestUnit: every word reaches the program as it is, whatever systemd makes of % $ " and
// \, and what the unit for a machine says of exits and stops stands in it too.
func TestUnit(t *testing.T) {
	t.Parallel()
	m := systemd(odd, "/home/ada", "")
	want := `ExecStart="/opt/my tools/meshd" run --home "/home/ada/50%% of \"it\" $$HOME & <more> \\n" --loopback` + "\n"
	if !strings.Contains(m.text, "\n"+want) {
		t.Errorf("no %s in\n%s", want, m.text)
	}
	if m.file != "/home/ada/.config/systemd/user/meshd.service" || systemd(odd, "/home/ada", "/x").file != "/x/systemd/user/meshd.service" {
		t.Errorf("written to %s", m.file)
	}
	machine, err := os.ReadFile("../../../configs/meshd.service")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(machine)) {
		key, _, _ := strings.Cut(line, "=")
		if slices.Contains([]string{"Restart", "RestartSec", "RestartPreventExitStatus", "SuccessExitStatus", "TimeoutStopSec", "StartLimitIntervalSec", "NoNewPrivileges", "UMask", "Description"}, key) && !strings.Contains(m.text, "\n"+line) {
			t.Errorf("lacks %s", line)
		}
	}
}

// TestAgent: the property list is well-formed, and has the words as they are.
func TestAgent(t *testing.T) {
	t.Parallel()
	m := launchd(odd, "/Users/ada", 501)
	var words []string
	in := false
	for d := xml.NewDecoder(strings.NewReader(m.text)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			in = in || token.Name.Local == "array"
		case xml.EndElement:
			in = in && token.Name.Local != "array"
		case xml.CharData:
			if text := string(token); in && strings.TrimSpace(text) != "" {
				words = append(words, text)
			}
		}
	}
	if !slices.Equal(words, odd) {
		t.Errorf("%q", words)
	}
	if m.file != "/Users/ada/Library/LaunchAgents/io.github.meshd.meshd.plist" || m.start[0] != "launchctl bootstrap gui/501 "+m.file {
		t.Errorf("%s: %q", m.file, m.start)
	}
}
