package godot_test

import (
	"os"
	"testing"
)

func TestDump(t *testing.T) {
	name := os.Getenv("DUMP")
	if name == "" {
		return
	}
	raw, _ := os.ReadFile(name)
	r := compile(t, string(raw), os.Getenv("VER"))
	os.MkdirAll("/tmp/dump", 0o755)
	for _, f := range r.Files {
		os.WriteFile("/tmp/dump/"+f.Path, f.Data, 0o644)
	}
}
