package scene

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/workshop"
	"github.com/meshd/meshd/lang/ast"
)

// workbench is a service on the first of September 2001.
func workbench() *Service {
	return New(workshop.New(workshop.Config{}), func() time.Time { return time.Unix(1e9, 0) }, func() string { return "https://node.example" })
}

func request[T any](t *testing.T, form call.FormOf[T], fields string) T {
	t.Helper()
	r, err := form.ReadJSON([]byte(fields))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func codeOf(err error) reason.Code {
	var r *reason.Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	return ""
}

// TestNothingIsReadBeforeThereIsRoom: while every place is taken and enough wait,
// every use case that compiles, draws or reads a source is refused at once, with
// the seconds after which to come again.
func TestNothingIsReadBeforeThereIsRoom(t *testing.T) {
	s := workbench()
	s.work = workshop.New(workshop.Config{Jobs: 1, Waiting: 1, Wait: time.Hour})
	begun, release := make(chan struct{}), make(chan struct{})
	busy := func(f func()) error {
		return s.work.Do(t.Context(), time.Hour, reason.CompileTimeout, func(func() error) error { f(); <-release; return nil })
	}
	ended := make(chan error, 2)
	go func() { ended <- busy(func() { close(begun) }) }()
	<-begun
	go func() { ended <- busy(func() {}) }()
	for s.work.Load().Waiting == 0 {
		runtime.Gosched()
	}
	const code = `{"code": "object \"a\" { geometry: \"box\" }", "target": "glb"}`
	for name, ask := range map[string]func() error{
		"compile": func() error { _, err := s.Compile(t.Context(), request(t, CompileForm, code)); return err },
		"render": func() error {
			_, err := s.Render(t.Context(), request(t, RenderForm, strings.Replace(code, `, "target": "glb"`, "", 1)))
			return err
		},
		"room": func() error { _, err := s.RoomPage(t.Context(), ast.Holo, `object "a" { }`); return err },
		"parse": func() error {
			_, err := s.ParseHolo(t.Context(), request(t, ParseHoloForm, `{"code": "object a { }"}`))
			return err
		},
	} {
		err := ask()
		var r *reason.Refusal
		if !errors.As(err, &r) || r.Code != reason.Overloaded || r.Details["retry_after"] == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	close(release)
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestLargeScenesAreRefused(t *testing.T) {
	s := workbench()
	many := `{"code": "@for i in 0..20001 { object \"a\" { geometry: \"box\" } }", "target": "glb"}`
	if _, err := s.Compile(t.Context(), request(t, CompileForm, many)); codeOf(err) != reason.SourceInvalid || !strings.Contains(err.Error(), "20000") {
		t.Errorf("%v", err)
	}
	fine := `{"code": "@for i in 0..9000 { object \"a\" { geometry: \"sphere\" segments: 64 position: [i, 0, 0] } }", "resolution": [16, 16]}`
	if _, err := s.Render(t.Context(), request(t, RenderForm, fine)); codeOf(err) != reason.ArtifactTooLarge {
		t.Errorf("%v", err)
	}
	long := fmt.Sprintf(`{"code": %q, "target": "glb"}`, strings.Repeat("a", MaxCode+1))
	if _, err := s.Compile(t.Context(), request(t, CompileForm, long)); codeOf(err) != reason.BodyTooLarge {
		t.Errorf("%v", err)
	}
}

func TestPicturesAreKeptForADay(t *testing.T) {
	s := workbench()
	r, err := s.Render(t.Context(), request(t, RenderForm, `{"code": "object \"a\" { geometry: \"box\" }", "resolution": [32, 32]}`))
	if err != nil {
		t.Fatal(err)
	}
	name := r.SHA256 + ".png"
	if r.URL != "https://node.example/r/"+name || r.Width != 32 || r.Bytes != len(r.Picture().Data) {
		t.Errorf("%+v", r)
	}
	if p, err := s.RenderedPicture(name); err != nil || p.MediaType != "image/png" {
		t.Error(err)
	}
	s.now = func() time.Time { return time.Unix(1e9, 0).Add(pictureLife + time.Second) }
	if _, err := s.RenderedPicture(name); codeOf(err) != reason.NotFound {
		t.Errorf("after a day: %v", err)
	}
	p := newShelf(maxPictures, maxPictureBytes, pictureLife)
	for i := range maxPictures + 5 {
		p.keep(fmt.Sprint(i), Made{Data: []byte{1}}, time.Unix(0, 0))
	}
	if _, there := p.find("0", time.Unix(0, 0)); there || len(p.kept) != maxPictures {
		t.Errorf("%d pictures are kept", len(p.kept))
	}
}
