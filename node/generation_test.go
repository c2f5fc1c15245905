package node_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/doc/automerge"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/view"
)

func taskID(i int) string { return fmt.Sprintf("tsk_00000000-0000-7000-8000-%012d", i) }

// fullOf is a board with n tasks of the longest text, of which the last is deleted.
func fullOf(t *testing.T, b *box, ada view.Agent, n int) change.ID {
	t.Helper()
	ctx := context.Background()
	g, err := b.OpenGuild(ctx, ada.ID, view.NewGuild{Name: "Works", Type: "dev", Visibility: body.Private})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	var cards []view.Card
	for i := range n {
		ids = append(ids, taskID(i))
		cards = append(cards, view.Card{Title: fmt.Sprint("Task ", i), Description: strings.Repeat(string(rune('a'+i%26)), 4000), Priority: 5})
	}
	if _, _, err := b.AddTasks(ctx, ada.ID, g.ID, ids, cards, false); err != nil {
		t.Fatal(err)
	}
	return g.ID
}

func rewrite(b *box, ada view.Agent, guild change.ID, task int, text string) error {
	_, err := b.EditTask(context.Background(), ada.ID, guild, taskID(task), -1, func(c *view.Card) ([]string, error) {
		c.Description = text
		return []string{"description"}, nil
	})
	return err
}

// A board that is full goes on in its next generation, with all that stands on it.
func TestFullBoardGoesOn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	b := open(t, t.TempDir(), nil)
	ada := b.agent("Ada")
	guild := fullOf(t, b, ada, 24)
	if _, err := b.EditTask(ctx, ada.ID, guild, taskID(23), -1, func(c *view.Card) ([]string, error) {
		c.Deleted = true
		return []string{"deleted"}, nil
	}); err != nil {
		t.Fatal(err)
	}
	version := 0
	for i := range 120 { // 480 kB of text: the cap of a document nearly twice
		if err := rewrite(b, ada, guild, i%20, fmt.Sprint(i, strings.Repeat("x", 3990))); err != nil {
			t.Fatalf("edit %d: %v", i, err)
		}
		now, err := b.Board(ctx, guild)
		if err != nil || now.Version <= version || len(now.Tasks) != 23 {
			t.Fatalf("edit %d: version %d after %d, %d tasks, %v", i, now.Version, version, len(now.Tasks), err)
		}
		version = now.Version
	}
	for i := range 23 {
		task, err := b.Task(ctx, guild, taskID(i))
		want := fmt.Sprint(100+i, strings.Repeat("x", 3990))
		if i >= 20 {
			want = strings.Repeat(string(rune('a'+i%26)), 4000)
		}
		if err != nil || task.Description != want || task.Title != fmt.Sprint("Task ", i) || task.CreatedBy != ada.ID {
			t.Fatalf("task %d: %.20q %v", i, task.Description, err)
		}
	}
	if _, err := b.Task(ctx, guild, taskID(23)); reason.Of(err) != reason.TaskNotFound {
		t.Errorf("the deleted task: %v", err)
	}
}

// failing is an engine that makes only so many edits more.
type failing struct {
	doc.Engine
	left int
}

var errStopped = errors.New("stopped")

func (f *failing) Edit(ctx context.Context, r doc.EditRequest) ([]byte, error) {
	if f.left--; f.left < 0 {
		return nil, errStopped
	}
	return f.Engine.Edit(ctx, r)
}

// When the carrying over stops half-way, the board is what it was, and the next
// turn finishes it.
func TestInterruptedGenerationIsFinished(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	inner, err := automerge.New([]string{exe, "doc-worker"}, automerge.Config{})
	if err != nil {
		t.Fatal(err)
	}
	f := &failing{inner, 1 << 30}
	b := openWith(t, t.TempDir(), func(o *core.Options) { o.Documents = f })
	t.Cleanup(b.shut)
	ada := b.agent("Ada")
	guild := fullOf(t, b, ada, 24)
	stopped := 0
	for i := range 80 {
		f.left = 3 // enough for an edit, not for a board of 96 kB
		err := rewrite(b, ada, guild, 0, fmt.Sprint(i, strings.Repeat("y", 3990)))
		if errors.Is(err, errStopped) {
			stopped++
			for _, left := range []int{0, 1, 1, 1 << 30} { // and again
				f.left = left
				now, err := b.Board(context.Background(), guild)
				if err != nil || len(now.Tasks) != 24 {
					t.Fatalf("half-way: %d tasks, %v", len(now.Tasks), err)
				}
				if err = rewrite(b, ada, guild, 0, fmt.Sprint(i, strings.Repeat("y", 3990))); (err == nil) != (left > 1) {
					t.Fatalf("with %d edits: %v", left, err)
				}
			}
		} else if err != nil {
			t.Fatal(err)
		}
		task, err := b.Task(context.Background(), guild, taskID(0))
		if err != nil || task.Description != fmt.Sprint(i, strings.Repeat("y", 3990)) {
			t.Fatalf("edit %d is not there: %.10q %v", i, task.Description, err)
		}
	}
	if stopped == 0 {
		t.Fatal("nothing was stopped")
	}
}

// A board whose tasks alone would fill the next generation is full.
func TestBoardOfTooMuchIsFull(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), nil)
	ada := b.agent("Ada")
	guild := fullOf(t, b, ada, 50)
	for i := range 40 {
		err := rewrite(b, ada, guild, i, strings.Repeat("z", 4000))
		if reason.Of(err) == reason.LimitReached {
			if now, err := b.Board(t.Context(), guild); err != nil || len(now.Tasks) != 50 {
				t.Fatalf("%d tasks, %v", len(now.Tasks), err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("never full")
}

// Only the home of a team opens a generation; elsewhere a full document is
// limit_reached until it has.
func TestHomeOpensTheGeneration(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	here, there := open(t, t.TempDir(), nil), open(t, t.TempDir(), nil)
	deliver := func(from, to *box) {
		t.Helper()
		var out bytes.Buffer
		if _, err := from.Export(ctx, &out, false); err != nil {
			t.Fatal(err)
		}
		if _, err := to.Import(ctx, &out); err != nil {
			t.Fatal(err)
		}
	}
	ada, bo := here.agent("Ada"), there.agent("Bo")
	deliver(there, here)
	g, err := here.OpenGuild(ctx, ada.ID, view.NewGuild{Name: "Open works", Type: "dev", Visibility: body.Public})
	if err == nil {
		_, err = here.SetRole(ctx, ada.ID, g.ID, bo.ID, "admin")
	}
	if err != nil {
		t.Fatal(err)
	}
	deliver(here, there)
	write := func(i int) error {
		_, err := there.EditTeamPage(ctx, bo.ID, g.ID, []doc.Field{{Key: "description", Value: fmt.Sprint(i, strings.Repeat("d", 4000))}}, -1)
		return err
	}
	n := 0
	for err = nil; err == nil && n < 100; n++ {
		err = write(n)
	}
	var full *reason.Refusal
	if !errors.As(err, &full) || full.Code != reason.LimitReached || full.Details["home"] != false {
		t.Fatalf("after %d edits: %v", n, err)
	}
	if n := there.OpenGenerations(ctx); n != 0 {
		t.Fatalf("%d opened by a stranger", n)
	}
	deliver(there, here)
	if n := here.OpenGenerations(ctx); n != 1 {
		t.Fatalf("%d opened at home", n)
	}
	if n := here.OpenGenerations(ctx); n != 0 {
		t.Fatalf("%d opened again", n)
	}
	deliver(here, there)
	if err := write(1000); err != nil {
		t.Fatalf("after the home opened: %v", err)
	}
	p, err := there.TeamPage(ctx, g.ID)
	if err != nil || !strings.HasPrefix(p.Description, "1000d") || p.Version <= n {
		t.Fatalf("%.10q version %d, %v", p.Description, p.Version, err)
	}
}

// What others write into a generation while its successor is opened elsewhere is carried
// over too, once; what was written in both stays as it is in the newer one. Documents of
// programs are carried over by the home of their guild as boards are.
func TestLateEditsAreCarriedOver(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	here, there := open(t, t.TempDir(), nil), open(t, t.TempDir(), nil)
	t.Cleanup(here.shut)
	t.Cleanup(there.shut)
	deliver := func(from, to *box) {
		t.Helper()
		var out bytes.Buffer
		if _, err := from.Export(ctx, &out, false); err != nil {
			t.Fatal(err)
		}
		if _, err := to.Import(ctx, &out); err != nil {
			t.Fatal(err)
		}
	}
	ada, bo := here.agent("Ada"), there.agent("Bo")
	deliver(there, here)
	g, err := here.OpenGuild(ctx, ada.ID, view.NewGuild{Name: "Late works", Type: "dev", Visibility: body.Public})
	if err == nil {
		_, err = here.SetRole(ctx, ada.ID, g.ID, bo.ID, "admin")
	}
	if err != nil {
		t.Fatal(err)
	}
	deliver(here, there)
	write := func(b *box, a view.Agent, fields ...doc.Field) {
		t.Helper()
		if _, _, err := b.EditMemory(ctx, a.ID, g.Space, "notes", -1, func(map[string]any) ([]doc.Field, error) { return fields, nil }); err != nil {
			t.Fatal(err)
		}
	}
	write(there, bo, doc.Field{Key: "gone", Value: "soon"})
	for i := range 57 { // more than 7/8 of the cap
		write(there, bo, doc.Field{Key: "big", Value: fmt.Sprint(i, strings.Repeat("d", 4000))})
	}
	deliver(there, here)
	if n := here.OpenGenerations(ctx); n != 1 {
		t.Fatalf("%d opened", n)
	}
	write(there, bo, doc.Field{Key: "late", Value: "there"}, doc.Field{Key: "both", Value: "there"}, doc.Field{Key: "gone"})
	write(here, ada, doc.Field{Key: "both", Value: "here"}, doc.Field{Key: "mine", Value: "here"})
	deliver(there, here)
	for range 2 {
		if n := here.OpenGenerations(ctx); n != 0 {
			t.Fatalf("%d opened again", n)
		}
	}
	deliver(here, there)
	version := 0
	for i, b := range []*box{here, there} {
		m, err := b.Memory(ctx, g.Space, "notes")
		if err != nil {
			t.Fatal(err)
		}
		if m.Fields["late"] != "there" || m.Fields["both"] != "here" || m.Fields["mine"] != "here" || m.Fields["gone"] != nil || !strings.HasPrefix(fmt.Sprint(m.Fields["big"]), "56d") {
			t.Errorf("node %d: late %v, both %v, mine %v, gone %v, big %.5v", i, m.Fields["late"], m.Fields["both"], m.Fields["mine"], m.Fields["gone"], m.Fields["big"])
		}
		version = m.Version
	}
	here.OpenGenerations(ctx)
	if m, err := here.Memory(ctx, g.Space, "notes"); err != nil || m.Version != version {
		t.Errorf("carried over again: version %d after %d, %v", m.Version, version, err)
	}
}
