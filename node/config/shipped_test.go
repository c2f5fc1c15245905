package config

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write configs/meshd.yaml anew")

// The commented file that is shipped shows every key with its default.
func TestShippedFileIsTheSample(t *testing.T) {
	t.Parallel()
	const path = "../../configs/meshd.yaml"
	want, err := Sample(nil)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != string(want) {
		t.Fatalf("%s is not what Sample writes; run go test ./node/config -update (%v)", path, err)
	}
}
