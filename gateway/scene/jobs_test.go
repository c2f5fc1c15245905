package scene

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/examples"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/workshop"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/target"
)

// TestLongCompilesBecomeJobs: while every place is taken a compile is queued, is done
// later, and is shown to who began it; who receives progress waits instead.
func TestLongCompilesBecomeJobs(t *testing.T) { synctest.Test(t, longCompilesBecomeJobs) }

func longCompilesBecomeJobs(t *testing.T) {
	s := workbench()
	s.patience = 20 * time.Millisecond
	begun, release := make(chan struct{}), make(chan struct{})
	for i := range 2 {
		go func() {
			_ = s.work.Do(workshop.With(context.Background(), workshop.Who{Share: fmt.Sprint(i), Known: true}), time.Hour, reason.CompileTimeout, func(func() error) error { begun <- struct{}{}; <-release; return nil })
		}()
		<-begun
	}
	ada := call.Caller{Principal: auth.Principal{Kind: auth.Key, AgentID: "agt_ada"}}
	asked := request(t, CompileToolForm, `{"code": "object \"a\" { geometry: \"box\" }", "target": "glb", "job_id": "a-name-nobody-guesses"}`)
	out, err := s.compileForModel(t.Context(), &endpoint.Call{Caller: ada}, asked)
	if err != nil || out.Status != jobQueued || out.Success || out.JobID != asked.JobID {
		t.Fatalf("%+v %v", out, err)
	}
	ask := JobRequest{JobID: out.JobID}
	if now, err := s.JobStatus(ada, ask); err != nil || now.Status != jobQueued || now.Result != nil {
		t.Errorf("%+v %v", now, err)
	}
	if _, err := s.JobStatus(call.Caller{}, ask); codeOf(err) != reason.JobNotFound {
		t.Errorf("to another: %v", err)
	}
	waited := make(chan *CompileShown, 1)
	go func() {
		asked.JobID = ""
		out, err := s.compileForModel(t.Context(), &endpoint.Call{Caller: ada, Progress: true}, asked)
		if err != nil {
			t.Error(err)
		}
		waited <- out
	}()
	gone, leave := context.WithCancel(t.Context())
	leave()
	left := request(t, CompileToolForm, `{"code": "object \"b\" { geometry: \"box\" }", "target": "glb", "job_id": "left-before-it-began"}`)
	if _, err := s.compileForModel(gone, &endpoint.Call{Caller: ada, Progress: true}, left); err == nil {
		t.Error("who has gone is answered")
	}
	time.Sleep(3 * s.patience) // of the bubble
	close(release)
	if out := <-waited; out == nil || out.Status != jobDone || len(out.Files) != 1 {
		t.Errorf("who receives progress: %+v", out)
	}
	synctest.Wait()
	now, err := s.JobStatus(ada, ask)
	if err != nil || now.Status != jobDone {
		t.Fatalf("%+v %v", now, err)
	}
	if _, err := s.Artefact(now.Result.Files[0].SHA256); err != nil || !now.Result.Success {
		t.Errorf("%+v %v", now.Result, err)
	}
	if now, err := s.JobStatus(ada, JobRequest{JobID: "left-before-it-began"}); err != nil || now.Status != jobFailed {
		t.Errorf("left: %+v %v", now, err)
	}
	s.now = func() time.Time { return time.Unix(1e9, 0).Add(jobLife + time.Second) }
	if _, err := s.JobStatus(ada, ask); codeOf(err) != reason.JobNotFound {
		t.Errorf("after an hour: %v", err)
	}
	for i := range maxJobs + 5 {
		s.jobs.begin(jobKey{"", fmt.Sprint(i)}, s.now())
	}
	if len(s.jobs.kept) != maxJobs || len(s.jobs.order) != maxJobs {
		t.Errorf("%d jobs are kept", len(s.jobs.kept))
	}
}

// TestShelvesAreBounded: by files, by bytes and by time; what is made again lasts anew.
func TestShelvesAreBounded(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	p := newShelf(3, 100, 10*time.Second)
	for i := range 3 {
		p.keep(fmt.Sprint(i), Made{Data: []byte{1}}, at(i))
	}
	p.keep("0", Made{Data: []byte{1}}, at(8))
	p.keep("3", Made{Data: []byte{1}}, at(9))
	_, zero := p.find("0", at(18))
	_, one := p.find("1", at(9))
	_, late := p.find("0", at(19))
	if !zero || one || late || p.bytes != 3 || len(p.order) != 3 {
		t.Errorf("%v %v %v, %d bytes, %v", zero, one, late, p.bytes, p.order)
	}
	p.keep("large", Made{Data: make([]byte, 99)}, at(9))
	if len(p.kept) != 2 || p.bytes != 100 {
		t.Errorf("%d bytes of %d files", p.bytes, len(p.kept))
	}
	s := workbench()
	l := s.put([]byte("x"), sourceType)
	s.now = func() time.Time { return time.Unix(1e9, 0).Add(artefactLife + time.Second) }
	if _, err := s.Artefact(l.SHA256); codeOf(err) != reason.NotFound {
		t.Errorf("after an hour: %v", err)
	}
}

// TestFirstLinesAreWhole: a beginning ends at a line where lines are short, and never
// within a character.
func TestFirstLinesAreWhole(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		"a":                               "a",
		strings.Repeat("a\n", 30):         strings.Repeat("a\n", maxFirstLines),
		strings.Repeat("é", maxFirst):     strings.Repeat("é", maxFirst/2),
		"x" + strings.Repeat("é", 1000):   "x" + strings.Repeat("é", (maxFirst-1)/2),
		"a\n" + strings.Repeat("b", 2000): "a\n",
	} {
		if got := firstLines(text); got != want {
			t.Errorf("%.20q: %d bytes, want %d", text, len(got), len(want))
		}
	}
}

// TestExamplesCompile: every source that get_examples returns is read without an
// error, is described in the README, and compiles to something that it says it is for.
func TestExamplesCompile(t *testing.T) {
	seen := 0
	for _, e := range allExamples() {
		if e.Summary == "" {
			t.Errorf("README.md does not name %s", e.Name)
		}
		raw, err := fs.ReadFile(examples.Files, e.Name)
		if err != nil {
			t.Fatal(err)
		}
		format, _ := ast.FormatOf(e.Name)
		var root fs.FS = examples.Files
		name := e.Name
		if below, inside := strings.CutPrefix(e.Name, "observatory/"); inside {
			if root, err = fs.Sub(examples.Files, "observatory"); err != nil {
				t.Fatal(err)
			}
			name = below
		}
		src := target.Load(root, name, raw, format)
		for _, d := range src.Found {
			if d.Severity == diag.Error {
				t.Errorf("%s", d)
			}
		}
		made := false
		for _, id := range append(e.Targets, "html", "scene-json") {
			if id == "all" || made {
				continue
			}
			_, err := target.Compile(src, target.Request{Target: id})
			made = made || err == nil
		}
		if !made {
			t.Errorf("%s compiles to nothing of %v", e.Name, e.Targets)
		}
		seen++
	}
	if seen < 60 {
		t.Errorf("%d examples", seen)
	}
}
