package console

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sort"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/config"
)

// settingsView is the page of the settings.
type settingsView struct {
	File     string
	Sections []settingsSection
	Query    string
	Shown    int
}

type settingsSection struct {
	Name     string
	Settings []setting
}

// setting is one key, with what a person reads instead of its origin's code.
type setting struct {
	Setting
	From   string // where the value comes from, in words
	Chosen bool   // by the owner
	Fixed  bool   // the environment or a flag has set it: the file changes nothing
	Secret bool
}

func settingOf(s Setting) setting {
	out := setting{Setting: s, From: "default", Chosen: true, Secret: s.Type == config.TypeSecret}
	kind, rest, _ := strings.Cut(s.Origin, ":")
	switch {
	case s.Origin == "default":
		out.Chosen = false
	case kind == "profile":
		out.From, out.Chosen = "profile "+rest, false
	case s.Origin == "p2p.loopback":
		out.From, out.Chosen = "implied by p2p.loopback", false
	case kind == "env":
		out.From, out.Fixed = "environment, "+rest, true
	case kind == "flag":
		out.From, out.Fixed = "command line, "+rest, true
	default:
		out.From = "file, line " + s.Origin[strings.LastIndexByte(s.Origin, ':')+1:]
	}
	return out
}

func (m machine) settings(v *visit) (answer, error) {
	page := settingsView{File: m.Process.File(), Query: strings.TrimSpace(v.URL.Query().Get("q"))}
	for _, s := range m.Process.Settings() {
		if page.Query != "" && !strings.Contains(strings.ToLower(s.Key+" "+s.Help), strings.ToLower(page.Query)) {
			continue
		}
		name, _, _ := strings.Cut(s.Key, ".")
		if n := len(page.Sections); n == 0 || page.Sections[n-1].Name != name {
			page.Sections = append(page.Sections, settingsSection{Name: name})
		}
		last := &page.Sections[len(page.Sections)-1]
		last.Settings = append(last.Settings, settingOf(s))
		page.Shown++
	}
	return draw("settings", "Settings", page), nil
}

// reviewView shows what would be saved.
type reviewView struct {
	File       string
	Key, Value string
	Was        string
	Live       bool
	Lines      []diffLine
	Of         string // digest of the file that was looked at
	Fault      string
}

// diffLine is a line of two texts laid side by side: kept, taken away or added.
type diffLine struct {
	Sign string // "", "-" or "+"
	Text string
}

// review shows the file before and after a change, and saves nothing.
func (m machine) review(v *visit) (answer, error) {
	key, value := v.PostForm.Get("key"), strings.TrimSpace(v.PostForm.Get("value"))
	page := reviewView{File: m.Process.File(), Key: key, Value: value}
	known := false
	var secrets []string
	for _, s := range m.Process.Settings() {
		if s.Type == config.TypeSecret {
			secrets = append(secrets, s.Key)
		}
		if s.Key == key {
			known, page.Was, page.Live = true, s.Value, s.Apply == "live"
			if settingOf(s).Fixed {
				return answer{}, reason.Refuse(reason.Forbidden, "%s is set by the %s, which goes before the file", key, settingOf(s).From)
			}
		}
	}
	if !known {
		return answer{}, reason.Refuse(reason.NotFound, "there is no such setting")
	}
	before, after, err := m.Process.Propose(key, value)
	if err != nil {
		text, ok := faultText(err)
		if !ok {
			return answer{}, err
		}
		page.Fault = text
		return draw("review", "Change a setting", page).with(422), nil
	}
	page.Of = digestOf(before)
	page.Lines = masked(diff(string(before), string(after)), secrets)
	return draw("review", "Change a setting", page), nil
}

// faultText is what is wrong with a value, when that is what an error says.
func faultText(err error) (string, bool) {
	var one config.Fault
	var all config.Faults
	switch {
	case errors.As(err, &all):
		return all.Error(), true
	case errors.As(err, &one):
		return one.Error(), true
	case errors.Is(err, config.ErrEdit):
		return "The file is written in a way that only a person can change. Change it in an editor.", true
	}
	return "", false
}

// save writes what was reviewed, unless the file has changed meanwhile.
func (m machine) save(v *visit) (answer, error) {
	before, after, err := m.Process.Propose(v.PostForm.Get("key"), v.PostForm.Get("value"))
	var live, restart []string
	if err == nil {
		if digestOf(before) != v.PostForm.Get("of") {
			return answer{}, reason.Refuse(reason.VersionConflict, "the file was changed meanwhile; look at the change again")
		}
		live, restart, err = m.Process.Save(before, after)
	}
	if err != nil {
		if text, ok := faultText(err); ok {
			return answer{}, reason.Refuse(reason.InvalidParam, "%s", text)
		}
		return answer{}, err
	}
	m.Log.Info("settings changed", "live", strings.Join(live, " "), "restart", strings.Join(restart, " "), "by", "console")
	if len(restart) > 0 {
		return to("/settings", "saved-later"), nil
	}
	return to("/settings", "saved"), nil
}

// digestOf names a text.
func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// masked takes the values of secrets out of lines of a file of settings.
func masked(lines []diffLine, secrets []string) []diffLine {
	for i, l := range lines {
		for _, key := range secrets {
			name := key[strings.LastIndexByte(key, '.')+1:] + ":"
			if at := strings.Index(l.Text, name); at >= 0 && strings.Trim(l.Text[:at], " #") == "" {
				lines[i].Text = l.Text[:at] + name + " (redacted)"
			}
		}
	}
	return lines
}

// diff lays two texts side by side line by line, with three lines around each change.
func diff(before, after string) []diffLine {
	a, b := strings.Split(strings.TrimSuffix(before, "\n"), "\n"), strings.Split(strings.TrimSuffix(after, "\n"), "\n")
	if before == "" {
		a = nil
	}
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out []diffLine
	add := func(sign string, lines []string) {
		for _, l := range lines {
			out = append(out, diffLine{sign, l})
		}
	}
	add("", a[max(0, head-around):head])
	add("-", a[head:len(a)-tail])
	add("+", b[head:len(b)-tail])
	rest := b[len(b)-tail:]
	add("", rest[:min(around, len(rest))])
	return out
}

// around is how many lines are shown before and after what changed.
const around = 3

// byCount orders names by their counts, the largest first.
func byCount(counts map[string]int) []string {
	names := make([]string, 0, len(counts))
	for n := range counts {
		names = append(names, n)
	}
	sort.Slice(names, func(i, j int) bool {
		if counts[names[i]] != counts[names[j]] {
			return counts[names[i]] > counts[names[j]]
		}
		return names[i] < names[j]
	})
	return names
}
