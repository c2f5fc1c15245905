package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

func workbench() *Service {
	s := &Service{workshop: newWorkshop(), pictures: newPictures()}
	s.cfg.Now = func() time.Time { return time.Unix(1e9, 0) }
	s.cfg.BaseURL = func() string { return "https://node.example" }
	return s
}

func compileValues(t *testing.T, form Form, fields string) Values {
	t.Helper()
	v, err := form.FromJSON([]byte(fields))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func codeOf(err error) reason.Code {
	var r *reason.Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	return ""
}

func TestWorkEndsWhenItsTimeIsOver(t *testing.T) {
	w := newWorkshop()
	err := w.do(t.Context(), 0, reason.CompileTimeout, func(step func() error) error { return step() })
	if codeOf(err) != reason.CompileTimeout {
		t.Errorf("%v", err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := w.do(gone, time.Hour, reason.CompileTimeout, func(step func() error) error { return step() }); !errors.Is(err, context.Canceled) {
		t.Errorf("who has gone: %v", err)
	}
}

func TestWorkWaitsForAPlace(t *testing.T) {
	w := newWorkshop()
	for range maxBenches {
		w.benches <- struct{}{}
	}
	soon, stop := context.WithCancel(t.Context())
	stop()
	if err := w.do(soon, time.Hour, reason.CompileTimeout, func(func() error) error { t.Error("worked without a place"); return nil }); err == nil {
		t.Error("nobody left and the work was taken")
	}
	<-w.benches
	ran := false
	if err := w.do(t.Context(), time.Hour, reason.CompileTimeout, func(func() error) error { ran = true; return nil }); err != nil || !ran {
		t.Errorf("a free place was not taken: %v", err)
	}
}

func TestLargeScenesAreRefused(t *testing.T) {
	s := workbench()
	many := `{"code": "@for i in 0..20001 { object \"a\" { geometry: \"box\" } }", "target": "glb"}`
	if _, err := s.Compile(t.Context(), compileValues(t, CompileForm, many)); codeOf(err) != reason.SourceInvalid || !strings.Contains(err.Error(), "20000") {
		t.Errorf("%v", err)
	}
	fine := `{"code": "@for i in 0..9000 { object \"a\" { geometry: \"sphere\" segments: 64 position: [i, 0, 0] } }", "resolution": [16, 16]}`
	if _, err := s.Render(t.Context(), compileValues(t, RenderForm, fine)); codeOf(err) != reason.ArtifactTooLarge {
		t.Errorf("%v", err)
	}
	long := fmt.Sprintf(`{"code": %q, "target": "glb"}`, strings.Repeat("a", maxCode+1))
	if _, err := s.Compile(t.Context(), compileValues(t, CompileForm, long)); codeOf(err) != reason.BodyTooLarge {
		t.Errorf("%v", err)
	}
}

func TestPicturesAreKeptForADay(t *testing.T) {
	s := workbench()
	r, err := s.Render(t.Context(), compileValues(t, RenderForm, `{"code": "object \"a\" { geometry: \"box\" }", "resolution": [32, 32]}`))
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
	s.cfg.Now = func() time.Time { return time.Unix(1e9, 0).Add(pictureLife + time.Second) }
	if _, err := s.RenderedPicture(name); codeOf(err) != reason.NotFound {
		t.Errorf("after a day: %v", err)
	}
	p := newPictures()
	for i := range maxPictures + 5 {
		p.keep(fmt.Sprint(i), Picture{Data: []byte{1}}, time.Unix(0, 0))
	}
	if _, there := p.find("0", time.Unix(0, 0)); there || len(p.kept) != maxPictures {
		t.Errorf("%d pictures are kept", len(p.kept))
	}
}
