package direct_test

import (
	"os"
	"path/filepath"
	"sort"
	"testing"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
	"github.com/meshd/meshd/lang/target/direct"
)

func TestCount(t *testing.T) {
	names, _ := filepath.Glob("../../../examples/*/*.h*")
	more, _ := filepath.Glob("../../../examples/*.h*")
	names = append(names, more...)
	reasons := map[string]int{}
	done, all := 0, 0
	for _, n := range names {
		raw, _ := os.ReadFile(n)
		f := ast.Holo
		switch filepath.Ext(n) {
		case ".hs":
			f = ast.HS
		case ".hsplus":
			f = ast.HSPlus
		}
		src := target.Load(os.DirFS(filepath.Dir(n)), filepath.Base(n), raw, f)
		r, err := target.Compile(src, target.Request{Target: "scene-json"})
		if err != nil {
			continue
		}
		in := &artefact.Input{Scene: r.Scene, Files: append([]*ast.File{src.Main}, src.More...), Target: "godot"}
		c, err := in.Behaviour()
		if err != nil {
			t.Log(n, err)
			continue
		}
		s := direct.Plan(in, c)
		done += len(s.Rows)
		all += len(c.Program.Functions)
		for _, l := range s.Left {
			reasons[l.Reason]++
		}
	}
	var keys []string
	for k := range reasons {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return reasons[keys[i]] > reasons[keys[j]] })
	t.Log(len(names), done, all)
	for _, k := range keys[:min(len(keys), 40)] {
		t.Log(reasons[k], k)
	}
}
