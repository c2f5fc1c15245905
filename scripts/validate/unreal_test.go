package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestModuleRulesAreRead: what has its brackets and ends of statements is taken,
// what has not is refused.
func TestModuleRulesAreRead(t *testing.T) {
	raw, err := os.ReadFile("../../lang/target/unreal/stage/Scene.Build.cs")
	if err != nil {
		t.Fatal(err)
	}
	good := string(raw)
	if err := rules(good); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{"});", ")};"}, {"\t}\n}", "\t}\n"}, {"bUseUnity = false;", "bUseUnity = false"}, {`"Core",`, `"Core,`}, {"base(Target)", "base()"}, {"class Scene", "class Scena"},
		{`Add("XRBase");`, `Add("XRBase")`},
	} {
		bad := strings.Replace(good, change[0], change[1], 1)
		if bad == good {
			t.Fatalf("nothing to change: %q", change[0])
		}
		if rules(bad) == nil {
			t.Errorf("%q for %q is taken", change[1], change[0])
		}
	}
}

// TestSignaturesAreThere: every header that sources include is in the list.
func TestSignaturesAreThere(t *testing.T) {
	list, err := os.ReadFile("../validators/unreal/headers.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"MeshdScene.generated.h": true, "MeshdScene.h": true, "Program.h": true, "Scene.h": true}
	used := map[string]bool{"Modules/ModuleManager.h": true} // of Scene.cpp
	for name := range strings.Lines(string(list)) {
		known[strings.TrimSpace(name)] = true
	}
	files, err := filepath.Glob("../../lang/target/unreal/stage/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), `#include "`); ok {
				name = strings.TrimSuffix(name, `"`)
				used[name] = true
				if !known[name] {
					t.Errorf("%s includes %s", f, name)
				}
			}
		}
	}
	for name := range known {
		if !used[name] {
			t.Errorf("nobody includes %s", name)
		}
	}
}
