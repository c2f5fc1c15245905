package language

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/release"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/lsp"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

func cmdLSP(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "lsp", Short: "Serve an editor on standard input and output", Args: session.Nothing,
		Long: "Speak the Language Server Protocol 3.17 on standard input and output. What sources import is read below the\n" +
			"root that the editor names, and nowhere else. With a target in the editor's settings, {\"target\": \"gltf\"}, hints beside\n" +
			"the nodes say what that target leaves out.",
		RunE: func(c *cobra.Command, _ []string) error { return serveEditor(c.Context(), s) },
	}
}

// serveEditor carries messages between an editor and the language server until
// the editor ends.
func serveEditor(ctx context.Context, s *session.Session) error {
	roots := map[string]*os.Root{}
	defer func() {
		for _, r := range roots {
			_ = r.Close()
		}
	}()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rest := &editorWork{}
	frames := readFrames(ctx, s.In, &rest.waits)
	server := lsp.New(lsp.Config{Name: "meshd", Version: release.Version(), Open: func(folder string) (fs.FS, error) {
		folder = filepath.FromSlash(folder)
		if r := roots[folder]; r != nil {
			return r.FS(), nil
		}
		r, err := os.OpenRoot(folder)
		if err != nil {
			return nil, err
		}
		roots[folder] = r
		return r.FS(), nil
	}, Losses: rest.losses, Judge: rest.judge})
	say := func(messages [][]byte) error {
		for _, out := range messages {
			if _, err := fmt.Fprintf(s.Out, "Content-Length: %d\r\n\r\n%s", len(out), out); err != nil {
				return fmt.Errorf("write message: %w", err)
			}
		}
		return nil
	}
	var since time.Time // of the oldest change that was not judged
	for {
		var pause <-chan time.Time
		work := server.Publish
		switch {
		case server.Waits():
			pause = time.After(min(editorPause, editorPatience-time.Since(since)))
		case server.Idle():
			pause, work = time.After(editorRest), server.Rest
			since = time.Now()
		default:
			since = time.Now()
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-pause:
			if err := say(work()); err != nil {
				return err
			}
		case f := <-frames:
			rest.waits.Store(false)
			if f.err != nil {
				for server.Waits() || server.Idle() {
					if err := say(append(server.Publish(), server.Rest()...)); err != nil {
						return err
					}
				}
				if errors.Is(f.err, io.EOF) {
					return nil
				}
				return fmt.Errorf("read message: %w", f.err)
			}
			if err := say(server.Handle(f.text)); err != nil {
				return err
			}
			if ended, inOrder := server.Ended(); ended {
				if !inOrder {
					return errors.New("the editor left without a shutdown")
				}
				return nil
			}
		}
	}
}

// What is found in a changed text is reported when the editor has been silent for
// editorPause, and at the latest editorPatience after the change. What building the scene
// and its program finds, and what its target leaves out, are worked out after editorRest
// of silence, within editorCompile.
const (
	editorPause    = 20 * time.Millisecond
	editorPatience = 250 * time.Millisecond
	editorRest     = 400 * time.Millisecond
	editorCompile  = 2 * time.Second
)

// editorWork is what is worked out while the editor rests: it ends as soon as a message
// waits, and is begun again later.
type editorWork struct{ waits atomic.Bool }

// editorLimits are those of a scene in an editor.
var editorLimits = scene.Limits{Nodes: scene.ServerNodes, Depth: scene.ServerDepth}

// step ends work on a document that a message waits for, or that takes too long.
func (w *editorWork) step(name string) func() error {
	until := time.Now().Add(editorCompile)
	return func() error {
		if w.waits.Load() {
			return lsp.ErrWaits
		}
		if time.Now().After(until) {
			return fmt.Errorf("%s takes longer than %v to compile", name, editorCompile)
		}
		return nil
	}
}

// judge is everything that a compile finds in a document without a target.
func (w *editorWork) judge(j lsp.Judging) ([]diag.Diagnostic, error) {
	return target.Judge(target.Of(j.Project, j.File, j.Checked), editorLimits, w.step(j.File.Path()))
}

// losses compiles a document for what its target cannot carry.
func (w *editorWork) losses(c lsp.Compiling) ([]scene.Loss, error) {
	r, err := target.Compile(target.Load(c.Root, c.Name, []byte(c.Text), c.Format), target.Request{
		Target: c.Target, Limits: editorLimits, Step: w.step(c.Name),
	})
	var bad *target.SourceError
	switch {
	case errors.As(err, &bad):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return r.Losses, nil
}

// editorMessage is a message of an editor, or the end of them.
type editorMessage struct {
	text []byte
	err  error
}

// readFrames reads messages until one cannot be read; that is the last frame. waits is
// set while one is to be taken.
func readFrames(ctx context.Context, from io.Reader, waits *atomic.Bool) <-chan editorMessage {
	out := make(chan editorMessage)
	go func() {
		in := bufio.NewReader(from)
		for {
			message, err := readFrame(in)
			waits.Store(true)
			select {
			case out <- editorMessage{message, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return out
}

// readFrame reads a message with its header.
func readFrame(in *bufio.Reader) ([]byte, error) {
	length := -1
	for first := true; ; first = false {
		slice, err := in.ReadSlice('\n') // at most the reader's buffer
		if err != nil {
			if errors.Is(err, io.EOF) && (!first || len(slice) > 0) {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		line := strings.TrimRight(string(slice), "\r\n")
		if line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 || length > lsp.MaxMessage {
				return nil, fmt.Errorf("the length %q is not one of a message", value)
			}
		}
	}
	if length < 0 {
		return nil, errors.New("a message has no Content-Length")
	}
	message := make([]byte, length)
	if _, err := io.ReadFull(in, message); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return message, nil
}
