package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/target/android"
)

// androidChecks prove android and android-xr: by the grammar, then by Debian's
// compiler against signatures of our own.
var androidChecks = []check{
	{
		targets: []string{"android", "android-xr"}, tool: "kotlinc against our own signatures", level: "syntax", version: debian("kotlin"), judge: typed, slow: true,
		spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte("setContentView("), []byte("setContentVeiw("), 1)
		},
	},
	{ // what is named in the end
		targets: []string{"android", "android-xr"}, tool: "tree-sitter-kotlin", level: "syntax", version: npm("@cursorless/tree-sitter-wasms"), judge: kotlin,
		spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte("class MainActivity"), []byte("class class {"), 1)
		},
	},
}

// kotlin reads applications by the grammar, and their manifests by rules of our
// own. Files of a folder are judged as one; what is spoilt is a file alone.
func kotlin(ctx context.Context, dir string, files []string) ([]verdict, error) {
	owner := map[string]int{}
	var sources []string
	shared := map[string]string{} // text of a file that many have → where it was seen first
	for i, f := range files {
		for _, name := range kotlinOf(f) {
			raw, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			body := afterHeader(raw)
			if _, seen := shared[body]; seen {
				continue
			}
			shared[body] = name
			owner[name] = i
			sources = append(sources, name)
		}
	}
	broken := filepath.Join(dir, "broken.kts")
	if err := os.WriteFile(broken, []byte("plugins { id(\"a\" }\nval = 1\n"), 0o644); err != nil {
		return nil, err
	}
	said, err := node("grammar.mjs", "kotlin")(ctx, dir, append(sources, broken))
	if err != nil {
		return nil, err
	}
	if len(said) != len(sources)+1 || said[len(sources)].OK {
		return nil, errors.New("the grammar takes a broken script")
	}
	if err := manifest([]byte(`<manifest xmlns:android="http://schemas.android.com/apk/res/android"><application/></manifest>`)); err == nil {
		return nil, errors.New("a manifest without an activity is taken")
	}
	out := make([]verdict, len(files))
	for i, f := range files {
		out[i] = verdict{File: f}
		if filepath.Base(f) != "MainActivity.kt" {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(filepath.Dir(f), "AndroidManifest.xml"))
		if err != nil {
			return nil, err
		}
		if err := manifest(raw); err != nil {
			out[i].Message = "AndroidManifest.xml: " + err.Error()
		}
	}
	for _, v := range said[:len(sources)] {
		if !v.OK {
			out[owner[v.File]].Message = filepath.Base(v.File) + ": " + v.Message
		}
	}
	for i := range out {
		out[i].OK = out[i].Message == ""
	}
	return out, nil
}

// kotlinOf are the sources of an application: those beside its main file. A file
// of another name stands for itself.
func kotlinOf(main string) []string {
	if filepath.Base(main) != "MainActivity.kt" {
		return []string{main}
	}
	var out []string
	for _, pattern := range []string{"*.kt", "*.kts"} {
		list, _ := filepath.Glob(filepath.Join(filepath.Dir(main), pattern))
		out = append(out, list...)
	}
	return slices.DeleteFunc(out, func(f string) bool { return strings.HasPrefix(filepath.Base(f), "broken") })
}

// afterHeader is a file without the lines that say what it was made of.
func afterHeader(raw []byte) string {
	text := string(raw)
	for strings.HasPrefix(text, "//") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

var inKotlin = regexp.MustCompile(`(?m)^(\S+\.kt):(\d+):\d+: error: (.*)$`)

// typed has the compiler look at everything once: what all applications share, and
// the data of each in its own package. A spoilt file is looked at by itself.
func typed(ctx context.Context, dir string, files []string) ([]verdict, error) {
	home := filepath.Join(dir, "kotlin")
	if err := os.RemoveAll(home); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, err
	}
	stubs, err := libraries()
	if err != nil {
		return nil, err
	}
	out := make([]verdict, len(files))
	var sources []string
	first := "" // the application that stands for all: only the data differ
	alike := map[string]string{}
	for i, f := range files {
		out[i] = verdict{File: f}
		if filepath.Base(f) != "MainActivity.kt" {
			continue
		}
		for _, name := range []string{"MainActivity.kt", "Program.kt", "Stage.kt", "Controls.kt", "Sounds.kt"} {
			raw, err := os.ReadFile(filepath.Join(filepath.Dir(f), name))
			if err != nil {
				return nil, err
			}
			body := afterHeader(raw)
			if first == "" {
				sources = append(sources, filepath.Join(filepath.Dir(f), name))
				alike[name] = body
			} else if alike[name] != body {
				out[i].Message = name + " is another than that of other sources"
			}
		}
		raw, err := os.ReadFile(filepath.Join(filepath.Dir(f), "SceneData.kt"))
		if err != nil {
			return nil, err
		}
		if first == "" {
			first = f
			sources = append(sources, filepath.Join(filepath.Dir(f), "SceneData.kt"))
			continue
		}
		own := filepath.Join(home, fmt.Sprintf("SceneData%d.kt", i))
		text := strings.Replace(string(raw), "package "+android.Package, fmt.Sprintf("package %s%d", android.Package, i), 1)
		if err := os.WriteFile(own, []byte(text), 0o644); err != nil {
			return nil, err
		}
		sources = append(sources, own)
	}
	wrong, err := compileKotlin(ctx, home, append(sources, stubs...))
	if err != nil {
		return nil, err
	}
	for i, f := range files {
		if filepath.Base(f) != "MainActivity.kt" { // the spoilt one, in the place of the good
			with := slices.DeleteFunc(slices.Clone(sources), func(s string) bool { return filepath.Dir(s) == home || filepath.Base(s) == "MainActivity.kt" })
			if out[i].Message, err = theFirst(ctx, filepath.Join(home, "spoilt"), append(append(with, f), stubs...)); err != nil {
				return nil, err
			}
		}
		for name, text := range wrong {
			if name == filepath.Join(home, fmt.Sprintf("SceneData%d.kt", i)) || f == first && filepath.Dir(name) == filepath.Dir(f) {
				out[i].Message = filepath.Base(name) + ": " + text
			}
		}
		out[i].OK = out[i].Message == ""
	}
	return out, nil
}

func theFirst(ctx context.Context, home string, sources []string) (string, error) {
	wrong, err := compileKotlin(ctx, home, sources)
	for name, text := range wrong {
		return filepath.Base(name) + ": " + text, err
	}
	return "", err
}

// libraries are the files that say what the libraries offer, as far as we use it.
func libraries() ([]string, error) {
	var out []string
	err := filepath.WalkDir(filepath.Join(workspace, "kotlin"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return err
	})
	return out, err
}

// compileKotlin gives what is wrong with sources, by file.
func compileKotlin(ctx context.Context, home string, sources []string) (map[string]string, error) {
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, err
	}
	list := filepath.Join(home, "sources.txt")
	var args bytes.Buffer
	fmt.Fprintf(&args, "-nowarn\n-language-version\n1.3\n-d\n%s\n", filepath.Join(home, "classes"))
	for _, s := range sources {
		fmt.Fprintln(&args, strconv.Quote(s))
	}
	if err := os.WriteFile(list, args.Bytes(), 0o644); err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, "kotlinc", "@"+list)
	c.Env = append(os.Environ(), "JAVA_OPTS=-Xmx2g -XX:TieredStopAtLevel=1")
	said, err := c.CombinedOutput()
	wrong := map[string]string{}
	for _, m := range inKotlin.FindAllStringSubmatch(string(said), -1) {
		if wrong[m[1]] == "" {
			wrong[m[1]] = m[2] + ": " + m[3]
		}
	}
	if err != nil && len(wrong) == 0 {
		return nil, fmt.Errorf("%w: %s", err, said[max(0, len(said)-300):])
	}
	return wrong, nil
}

// manifest checks that a manifest has what every application needs, and only what ours may
// ask for.
func manifest(raw []byte) error {
	const space = "http://schemas.android.com/apk/res/android"
	may := map[string][]string{
		"": {"manifest"}, "manifest": {"uses-permission", "uses-feature", "application"}, "application": {"activity", "meta-data", "property"},
		"activity": {"intent-filter"}, "intent-filter": {"action", "category"},
	}
	permissions := []string{"android.permission.CAMERA", "android.permission.SCENE_UNDERSTANDING_COARSE"}
	var path []string
	count := map[string]int{}
	d := xml.NewDecoder(bytes.NewReader(raw))
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			up := ""
			if len(path) > 0 {
				up = path[len(path)-1]
			}
			name := t.Name.Local
			if t.Name.Space != "" || !slices.Contains(may[up], name) {
				return fmt.Errorf("%s stands in %q", name, up)
			}
			count[name]++
			path = append(path, name)
			for _, a := range t.Attr {
				if a.Name.Local == "android" && a.Name.Space == "xmlns" {
					if a.Value != space {
						return fmt.Errorf("the namespace is %q", a.Value)
					}
					continue
				}
				if a.Name.Space != space || a.Value == "" {
					return fmt.Errorf("%s of %s is outside of the namespace or empty", a.Name.Local, name)
				}
				if name == "uses-permission" && !slices.Contains(permissions, a.Value) {
					return fmt.Errorf("%s is asked for", a.Value)
				}
			}
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
	for _, name := range []string{"manifest", "application", "activity", "intent-filter", "action", "category"} {
		if count[name] != 1 {
			return fmt.Errorf("%d of %s", count[name], name)
		}
	}
	return nil
}
