package node_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/exchange"
	"github.com/meshd/meshd/node/health"
	"github.com/meshd/meshd/node/transfer"
	"github.com/meshd/meshd/node/view"
)

// An import names every line that it does not take in whole; a line is bounded.
func TestImportIsBounded(t *testing.T) {
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	rep, err := b.Import(t.Context(), strings.NewReader(strings.Repeat("{}\n\n", 30)))
	if err != nil || rep.Read != 30 || rep.Refused[reason.BadEncoding] != 30 || len(rep.Faults) != 30 {
		t.Errorf("%d faults named in %+v, %v", len(rep.Faults), rep, err)
	}
	if got := rep.Faults[1].Line; got != 3 {
		t.Errorf("the second fault is said to be in line %d, and is in line 3", got)
	}
	// A line that is too long costs nothing that stands before it or after it.
	far := b.stranger("Ada")
	first, second := far.record, far.entry(retold(1), 1767225600001, false)
	var file bytes.Buffer
	for i, c := range []*change.Change{first, second} {
		if i > 0 {
			file.WriteString(strings.Repeat("x", 128<<10+1) + "\n")
		}
		line, err := exchange.Append(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		file.Write(line)
	}
	rep, err = b.Import(t.Context(), &file)
	if err != nil || rep.Read != 3 || rep.New != 2 || rep.Refused[reason.ChangeTooLarge] != 1 || len(rep.Faults) != 1 {
		t.Fatalf("a line of 128 KiB and a byte: %+v, %v", rep, err)
	}
	if f := rep.Faults[0]; f.Line != 2 || f.Code != reason.ChangeTooLarge || f.Bytes != 128<<10+1 || f.Limit != 128<<10 {
		t.Errorf("the long line is named as %+v", f)
	}
}

// The code of a fault is that of the change and not of the line; a member whose
// body fails its row is named too, and what waits for a past that comes later in
// the file is none.
func TestImportSaysWhatBecameOfEachLine(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	defer b.shut()
	far := b.stranger("Ada")
	var cs []*change.Change
	for i := range 300 {
		cs = append(cs, far.entry(retold(i), 1767225600001+int64(i), false))
	}
	short := far.entry("too short", 1767225601000, false)
	orphan := far.entry(retold(301), 1767225601001, false)
	lost := far.entry(retold(302), 1767225601002, false)
	var file bytes.Buffer
	line := func(c *change.Change, body []byte) {
		err := json.NewEncoder(&file).Encode(map[string]any{"id": c.ID.Text(change.PrefixChange), "head": c.RawHead, "body": body})
		if err != nil {
			t.Fatal(err)
		}
	}
	line(cs[299], cs[299].Body) // line 1: its past is beyond the batch that it is judged in
	line(far.record, far.record.Body)
	for _, c := range cs[:299] {
		line(c, c.Body)
	}
	line(short, short.Body)
	line(orphan, short.Body) // line 303: the body of another
	line(lost, lost.Body)    // line 304: its prev is not here
	rep, err := b.Import(t.Context(), &file)
	want := []transfer.ImportFault{
		{Line: 302, Code: reason.TooShort, Stub: true},
		{Line: 303, Code: reason.BlobMismatch},
		{Line: 304, Code: reason.MissingDeps},
	}
	for i := range rep.Faults {
		rep.Faults[i].Text = ""
	}
	if err != nil || rep.New != 302 || rep.Stubs != 1 || len(rep.Refused) != 2 || !slices.Equal(rep.Faults, want) {
		t.Errorf("import: %+v, %v; want the faults %+v", rep, err, want)
	}
}

// An export has every set that the status counts, those of private teams too,
// and makes the same sets and rows of an empty home. With public it lacks what
// only members may see, and nothing else.
func TestExportMakesTheSameSets(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		dir := t.TempDir()
		random := rand.New(rand.NewPCG(seed, 12))
		b := open(t, filepath.Join(dir, "from"), nil)
		ctx := t.Context()
		agents := []view.Agent{b.agent("Ada"), b.agent("Bo")}
		var teams []view.Guild
		var entries []change.ID
		for i := range random.IntN(12) {
			step, who := random.IntN(6), agents[i%2]
			switch {
			case step == 0 || step == 1:
				visibility := []string{body.Public, body.Private}[step]
				g, err := b.OpenGuild(ctx, agents[0].ID, view.NewGuild{Name: fmt.Sprint("Team ", i), Type: "dev", Visibility: visibility})
				if err != nil {
					t.Fatal(err)
				}
				teams = append(teams, g)
			case step == 2 && len(teams) > 0:
				if _, err := b.SendMessage(ctx, agents[0].ID, teams[i%len(teams)].ID, view.NewMessage{Type: "text", Text: fmt.Sprint("word ", i)}); err != nil {
					t.Fatal(err)
				}
			case step == 3 && len(entries) > 0:
				if err := b.Purge(ctx, entries[i%len(entries)]); err != nil {
					t.Fatal(err)
				}
			default:
				entries = append(entries, b.contribute(who, retold(i)).ID)
			}
		}
		for _, public := range []bool{false, true} {
			var out bytes.Buffer
			done, err := b.Export(ctx, &out, public)
			wrote := int(done.Changes)
			if err != nil {
				t.Fatal(err)
			}
			to := open(t, filepath.Join(dir, fmt.Sprint("to ", public)), nil)
			rep, err := to.Import(ctx, &out)
			if err != nil || rep.New != wrote || len(rep.Refused) > 0 {
				t.Fatalf("wrote %d, import: %+v, %v", wrote, rep, err)
			}
			want, got, count := b.Status(), to.Status(), uint64(0)
			if public {
				sets, changes := b.Private()
				left := slices.DeleteFunc(slices.Clone(want.Sets), func(s health.SetStatus) bool { return strings.HasPrefix(s.Name, "team/") })
				if len(want.Sets)-len(left) != sets || wrote+int(changes) != int(b.Seq()) {
					t.Errorf("seed %d: %d sets with %d changes are said to be private; wrote %d of %d", seed, sets, changes, wrote, b.Seq())
				}
				want.Sets = left
			} else if got.View != want.View {
				t.Errorf("seed %d: view %+v, want %+v", seed, got.View, want.View)
			}
			for _, s := range want.Sets {
				count += s.Count
			}
			if int(count) != wrote || !slices.Equal(got.Sets, want.Sets) {
				t.Errorf("seed %d, public %v: wrote %d of %d, sets %+v, want %+v", seed, public, wrote, count, got.Sets, want.Sets)
			}
			to.shut()
		}
		b.shut()
	}
}
