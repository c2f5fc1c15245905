package godot_test

import (
	"os"
	"testing"

	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/direct/directtest"
)

func TestDump(t *testing.T) {
	for name, s := range directtest.Sources() {
		k := directtest.Rehearse(t, name, s, target.Request{Target: "godot", Options: map[string]any{"version": "3"}})
		if k == nil {
			t.Error(name)
			continue
		}
		n := map[string]int{}
		for _, e := range k.Trace {
			n[e.Kind]++
		}
		t.Log(name, n)
		os.MkdirAll("/tmp/dump/"+name, 0o755)
		for _, f := range k.Result.Files {
			os.WriteFile("/tmp/dump/"+name+"/"+f.Path, f.Data, 0o644)
		}
	}
}
