package ast_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/meshd/meshd/lang/ast"
)

// schema.json is the schema of the kinds that there are; scripts/validate judges
// every example's tree by it.
func TestSchemaIsWritten(t *testing.T) {
	want, err := ast.Schema()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("schema.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("schema.json is old; run go test ./lang/ast -run Schema -update")
	}
}
