package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// sceneFile reads a scene file of the engine strictly: its resources have unique
// ids and stand before what uses them, its nodes unique paths, and parents before
// their children.
type sceneFile struct {
	resources map[string]bool
	nodes     map[string]bool
	instances []string // paths of nodes that are scenes of their own
	root      bool
	section   string
	keys      map[string]bool
	steps     int
	announced int
}

var (
	heading   = regexp.MustCompile(`^\[(gd_scene|ext_resource|sub_resource|node|editable)((?: [a-z_]+=(?:"(?:[^"\\]|\\.)*"|[0-9]+|ExtResource\( ?[^)]*\)))*)\]$`)
	attribute = regexp.MustCompile(`([a-z_]+)=("(?:[^"\\]|\\.)*"|[0-9]+|ExtResource\([^)]*\))`)
	property  = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_/]*) = (.+)$`)
	reference = regexp.MustCompile(`(ExtResource|SubResource)\(\s*("[^"]*"|[0-9]+)\s*\)`)
	pathTo    = regexp.MustCompile(`NodePath\("((?:[^"\\]|\\.)*)"\)`)
)

// readScene says what is wrong with a scene file of a version.
func readScene(text string, version int) error {
	f := &sceneFile{resources: map[string]bool{}, nodes: map[string]bool{}}
	var paths []string
	open := "" // a value of more than one line
	for i, line := range strings.Split(text, "\n") {
		if open != "" {
			open += "\n" + line
			if !balanced(open) {
				continue
			}
			line, open = open, ""
		} else if strings.Contains(line, " = ") && !strings.HasPrefix(line, "[") && !strings.HasPrefix(line, ";") && !balanced(line) {
			open = line
			continue
		}
		for _, m := range pathTo.FindAllStringSubmatch(line, -1) {
			node, _, _ := strings.Cut(m[1], ":") // a property behind it
			paths = append(paths, strings.TrimPrefix(node, "../"))
		}
		if err := f.line(line, version); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	switch {
	case open != "":
		return errors.New("a value does not end")
	case !f.root:
		return errors.New("no root")
	case f.steps+1 != f.announced:
		return fmt.Errorf("load_steps is %d with %d resources", f.announced, f.steps)
	}
	for _, p := range paths {
		if !f.nodes[p] && !f.within(p) {
			return fmt.Errorf("a path leads to no node: %s", p)
		}
	}
	return nil
}

// balanced says whether brackets and quotes of a value are closed.
func balanced(s string) bool {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
	}
	return depth == 0 && !quoted
}

func (f *sceneFile) line(line string, version int) error {
	switch {
	case line == "" || strings.HasPrefix(line, ";"):
		return nil
	case strings.HasPrefix(line, "["):
		return f.heading(line, version)
	}
	m := property.FindStringSubmatch(strings.ReplaceAll(line, "\n", " "))
	if m == nil {
		return fmt.Errorf("no property: %.60s", line)
	}
	if f.section == "" || f.section == "gd_scene" || f.section == "ext_resource" {
		return fmt.Errorf("%s stands in no resource and no node", m[1])
	}
	if f.keys[m[1]] {
		return fmt.Errorf("%s stands twice", m[1])
	}
	f.keys[m[1]] = true
	for _, r := range reference.FindAllStringSubmatch(m[2], -1) {
		if !f.resources[r[1]+r[2]] {
			return fmt.Errorf("%s is used before it stands there", r[0])
		}
	}
	return nil
}

func (f *sceneFile) heading(line string, version int) error {
	m := heading.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("no heading: %.80s", line)
	}
	set := map[string]string{}
	for _, a := range attribute.FindAllStringSubmatch(m[2], -1) {
		if _, twice := set[a[1]]; twice {
			return fmt.Errorf("%s stands twice", a[1])
		}
		set[a[1]] = a[2]
	}
	was := f.section
	f.section, f.keys = m[1], map[string]bool{}
	switch m[1] {
	case "gd_scene":
		want := map[int]string{3: "2", 4: "3"}[version]
		if was != "" || set["format"] != want || (version == 4) != strings.HasPrefix(set["uid"], `"uid://`) {
			return errors.New("the file does not begin as one of its version")
		}
		_, err := fmt.Sscan(set["load_steps"], &f.announced)
		return err
	case "ext_resource", "sub_resource":
		if was == "" || was == "node" || m[1] == "ext_resource" && was == "sub_resource" {
			return errors.New("a resource stands too late")
		}
		kind := map[string]string{"ext_resource": "ExtResource", "sub_resource": "SubResource"}[m[1]]
		id := set["id"]
		if id == "" || set["type"] == "" || f.resources[kind+id] || (version == 4) != strings.HasPrefix(id, `"`) {
			return fmt.Errorf("the id %s is none, or taken", id)
		}
		f.resources[kind+id] = true
		f.steps++
	case "node":
		if of := set["instance"]; of != "" {
			r := reference.FindStringSubmatch(of)
			if r == nil || !f.resources[r[1]+r[2]] {
				return fmt.Errorf("%s is used before it stands there", of)
			}
			if err := f.node(strings.Trim(set["name"], `"`), set["parent"], "instance"); err != nil {
				return err
			}
			f.instances = append(f.instances, strings.TrimPrefix(strings.Trim(set["parent"], `"`)+"/"+strings.Trim(set["name"], `"`), "./"))
			return nil
		}
		class := set["type"]
		if class == "" && f.within(strings.Trim(set["parent"], `"`)) {
			class = "override"
		}
		return f.node(strings.Trim(set["name"], `"`), set["parent"], class)
	case "editable":
		if !slices.Contains(f.instances, strings.Trim(set["path"], `"`)) {
			return fmt.Errorf("%s is no instance", set["path"])
		}
	}
	return nil
}

// within says whether a path is that of an instance, or leads into one.
func (f *sceneFile) within(path string) bool {
	return slices.ContainsFunc(f.instances, func(i string) bool { return path == i || strings.HasPrefix(path, i+"/") })
}

func (f *sceneFile) node(name, parent, class string) error {
	if name == "" || class == "" || strings.ContainsAny(name, `./:@%"`) {
		return fmt.Errorf("a node has the name %q", name)
	}
	if parent == "" {
		if f.root {
			return errors.New("two roots")
		}
		f.root = true
		return nil
	}
	path := name
	if above := strings.Trim(parent, `"`); above != "." {
		if !f.nodes[above] && !f.within(above) {
			return fmt.Errorf("the parent %s is not there", above)
		}
		path = above + "/" + name
	}
	if !f.root || f.nodes[path] {
		return fmt.Errorf("the path %s is taken", path)
	}
	f.nodes[path] = true
	return nil
}
