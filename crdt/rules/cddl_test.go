package rules_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/cbor/cddl"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/reason"
)

// wire is docs/wire.cddl.
func wire(t testing.TB) *cddl.Schema {
	t.Helper()
	text, err := os.ReadFile("../../docs/wire.cddl")
	if err != nil {
		t.Fatal(err)
	}
	s, err := cddl.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every body that a published vector calls good fits its rule of docs/wire.cddl,
// and every way that the rule gives to depart from it is refused by the row.
func TestBodiesFollowTheCDDL(t *testing.T) {
	t.Parallel()
	s := wire(t)
	files, err := filepath.Glob("../testdata/vectors/rows/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no vectors of rows", err)
	}
	breaches := 0
	for _, file := range files {
		for i, v := range vectortest.Read[rowIn, rowOut](t, "rows/"+filepath.Base(file)) {
			if v.Code != "" {
				continue
			}
			rule := strings.ReplaceAll(v.In.Kind, ".", "-")
			m, err := cbor.DecodeMap(v.In.Body)
			if err == nil {
				err = s.Check(rule, m)
			}
			if err != nil {
				t.Errorf("%s: %v", v.Name, err)
				continue
			}
			if _, later := m["zzz"]; later || i > 0 && !strings.HasSuffix(v.Name, "as it should be") {
				continue
			}
			all, err := s.Breaches(rule, m)
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range all {
				in := v.In
				in.Body = rawBody(nil, b.Value)
				if code := reason.Of(rowOf(in)); code == "" {
					t.Errorf("%s: taken although %s", v.Name, b.What)
				}
				breaches++
			}
		}
	}
	if breaches < 1500 {
		t.Errorf("%d breaches", breaches)
	}
}
