//go:build cgo && (linux || darwin) && (amd64 || arm64)

package automerge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/doc/internal/chunktest"
)

func newEngine(t testing.TB, cfg Config, args ...string) *Engine {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(append([]string{exe, workerArg}, args...), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

var alice, bob = [16]byte{1}, [16]byte{2}

// edit makes one edit and checks that the decoder accepts it.
func mustEdit(t testing.TB, e *Engine, history [][]byte, actor [16]byte, set ...doc.Field) []byte {
	t.Helper()
	chunk, err := e.Edit(t.Context(), doc.EditRequest{History: history, Actor: actor, Set: set})
	if err != nil {
		t.Fatal(err)
	}
	c, err := doc.DecodeChunk(chunk)
	if err != nil {
		t.Fatalf("edit made a chunk that is refused: %v\n%x", err, chunk)
	}
	if c.Actor != actor {
		t.Fatalf("actor %x", c.Actor)
	}
	return chunk
}

func mustState(t testing.TB, e *Engine, chunks ...[]byte) doc.State {
	t.Helper()
	s, err := e.Materialise(t.Context(), chunks)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// single is the smallest chunk of an actor.
func single(actor [16]byte) []byte {
	return chunktest.Change{
		Actor: actor[:], Seq: 1, StartOp: 1,
		Ops: []chunktest.Op{chunktest.Op{Key: fmt.Sprintf("k%x", actor[:2]), Action: chunktest.Set}.SetText("v")},
	}.Encode()
}

func TestCrashIsPinnedToItsChunk(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		actor [16]byte
		want  error
	}{
		"abort":         {abortActor, ErrAborted},
		"out of memory": {hungryAct, ErrAborted},
		"panic":         {panicActor, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEngine(t, Config{})
			var chunks [][]byte
			for i := range 9 {
				chunks = append(chunks, single([16]byte{9, byte(i)}))
			}
			good := bytes.Join(chunks, nil)
			for _, at := range []int{0, 3, len(chunks)} {
				bad := append(append(append([][]byte{}, chunks[:at]...), single(c.actor)), chunks[at:]...)
				if name != "abort" && at != 3 {
					continue
				}
				_, err := e.Materialise(t.Context(), bad)
				var crash *CrashError
				if !errors.As(err, &crash) || crash.Index != at || c.want != nil && !errors.Is(err, c.want) {
					t.Fatalf("fault at %d: got %v", at, err)
				}
				_, err = e.Edit(t.Context(), doc.EditRequest{History: bad, Actor: alice, Set: []doc.Field{{Key: "a", Value: 1}}})
				if !errors.As(err, &crash) || crash.Index != at {
					t.Fatalf("edit with a fault at %d: got %v", at, err)
				}
			}
			if s := mustState(t, e, chunks...); len(s.Root) != 9 || !bytes.Equal(good, bytes.Join(chunks, nil)) {
				t.Errorf("after the crashes: %v", s)
			}
		})
	}
}

// stall listens for a worker that loads a chunk which makes it wait.
func stall(t *testing.T) (*net.UnixListener, string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "w") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, path
}

func TestKilledWorkerIsReplaced(t *testing.T) {
	t.Parallel()
	l, path := stall(t)
	e := newEngine(t, Config{}, path)
	done := make(chan error, 1)
	go func() {
		_, err := e.Materialise(t.Context(), [][]byte{single(alice), single(holdActor)})
		done <- err
	}()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscanln(conn, &pid); err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if conn, err = l.Accept(); err != nil { // the second try
		t.Fatal(err)
	}
	conn.Close()
	if err := <-done; err != nil {
		t.Errorf("request: %v", err)
	}
	mustState(t, e, single(alice))
}

func TestDeadlineEndsTheRequest(t *testing.T) {
	t.Parallel()
	l, path := stall(t)
	e := newEngine(t, Config{}, path)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := e.Materialise(ctx, [][]byte{single(holdActor)})
		done <- err
	}()
	if _, err := l.Accept(); err != nil {
		t.Fatal(err)
	}
	waiting, stop := context.WithTimeout(t.Context(), time.Millisecond)
	defer stop()
	if _, err := e.Materialise(waiting, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("second request: got %v", err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	mustState(t, e, single(alice))
}

func TestTimeoutIsPinnedToItsChunk(t *testing.T) {
	t.Parallel()
	l, path := stall(t)
	go func() {
		var held []net.Conn
		for {
			conn, err := l.Accept()
			if err != nil {
				break
			}
			held = append(held, conn)
		}
		for _, conn := range held {
			conn.Close()
		}
	}()
	e := newEngine(t, Config{Timeout: 2 * time.Second}, path)
	_, err := e.Materialise(t.Context(), [][]byte{single(alice), single(holdActor)})
	var crash *CrashError
	if !errors.As(err, &crash) || crash.Index != 1 || !errors.Is(err, ErrTimeout) {
		t.Errorf("got %v", err)
	}
}

func TestCloseEndsTheRequest(t *testing.T) {
	t.Parallel()
	l, path := stall(t)
	e := newEngine(t, Config{}, path)
	done := make(chan error, 1)
	go func() {
		_, err := e.Materialise(t.Context(), [][]byte{single(holdActor)})
		done <- err
	}()
	if _, err := l.Accept(); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("request: got %v", err)
	}
	if _, err := e.Materialise(t.Context(), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: got %v", err)
	}
}

func TestSwallowedChunkIsFound(t *testing.T) {
	t.Parallel()
	e := newEngine(t, Config{})
	one := single(alice)
	orphan := chunktest.Change{
		Deps: [][32]byte{{7}}, Actor: bob[:], Seq: 1, StartOp: 2,
		Ops: []chunktest.Op{chunktest.Op{Key: "a", Action: chunktest.Set}.SetText("v")},
	}.Encode()
	var crash *CrashError
	if _, err := e.Materialise(t.Context(), [][]byte{one, orphan}); !errors.As(err, &crash) || crash.Index != 1 {
		t.Errorf("behind another: got %v", err)
	}
	if _, err := e.Materialise(t.Context(), [][]byte{orphan}); !errors.As(err, &crash) || crash.Index != 0 {
		t.Errorf("alone: got %v", err)
	}
	// Taken once, so that one head of the two is missing.
	if _, err := e.Materialise(t.Context(), [][]byte{one, one}); !errors.As(err, &crash) || crash.Index != 1 || !errors.Is(err, ErrHeads) {
		t.Errorf("twice: got %v", err)
	}
	fork := chunktest.Change{
		Actor: alice[:], Seq: 1, StartOp: 1,
		Ops: []chunktest.Op{chunktest.Op{Key: "fork", Action: chunktest.Set}.SetText("v")},
	}.Encode()
	if _, err := e.Materialise(t.Context(), [][]byte{one, fork}); !errors.As(err, &crash) || crash.Index != 1 {
		t.Errorf("fork: got %v", err)
	}
}

func TestDelayGrowsWithFailures(t *testing.T) {
	t.Parallel()
	for n, want := range []time.Duration{0, 0, firstDelay, 2 * firstDelay, 4 * firstDelay} {
		if d := delay(n); d != want {
			t.Errorf("after %d failures: %v, want %v", n, d, want)
		}
	}
	if d := delay(1 << 40); d != lastDelay {
		t.Errorf("after many failures: %v", d)
	}
}

func TestTwoDocumentsAtOnce(t *testing.T) {
	t.Parallel()
	e := newEngine(t, Config{})
	done := make(chan error, 2)
	for _, actor := range [][16]byte{alice, bob} {
		go func() {
			var history [][]byte
			for i := range 10 {
				chunk, err := e.Edit(t.Context(), doc.EditRequest{History: history, Actor: actor, Set: []doc.Field{{Key: "n", Value: i}, {Key: "who", Value: actor[:]}}})
				if err != nil {
					done <- err
					return
				}
				history = append(history, chunk)
			}
			s, err := e.Materialise(t.Context(), history)
			if err == nil && !reflect.DeepEqual(s.Root, map[string]any{"n": int64(9), "who": actor[:]}) {
				err = fmt.Errorf("state %v", s.Root)
			}
			done <- err
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestStartFailures(t *testing.T) {
	t.Parallel()
	for name, argv := range map[string][]string{
		"no such program":  {filepath.Join(t.TempDir(), "none")},
		"another program":  {"/bin/echo", "hello"},
		"ends immediately": {"/bin/false"},
	} {
		e, err := New(argv, Config{})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			_, err = e.Materialise(t.Context(), [][]byte{single(alice)})
			var crash *CrashError
			if err == nil || errors.As(err, &crash) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := New(nil, Config{}); err == nil {
		t.Error("no command: accepted")
	}
}

// flood is a document of many list items in a few kilobytes.
func flood() [][]byte {
	list := chunktest.Ref{Ctr: 1}
	chunks := [][]byte{chunktest.Change{
		Actor: alice[:], Seq: 1, StartOp: 1, Ops: []chunktest.Op{{Key: "l", Action: chunktest.MakeList}},
	}.Encode()}
	for seq := range uint64(floodEdits) {
		ops := make([]chunktest.Op, doc.MaxOps)
		start := 2 + seq*doc.MaxOps
		for i := range ops {
			ops[i] = chunktest.Op{Obj: list, Elem: chunktest.Ref{Ctr: start + uint64(i) - 1}, Insert: true, Action: chunktest.Set}
		}
		if seq == 0 {
			ops[0].Elem = chunktest.Ref{}
		}
		chunks = append(chunks, chunktest.Change{
			Deps: [][32]byte{chunktest.Hash(chunks[seq])}, Actor: alice[:], Seq: seq + 2, StartOp: start, Ops: ops,
		}.Encode())
	}
	return chunks
}

// Many large documents, one after the other, take more memory than a worker
// has. None of them may end it: load does not try twice.
func TestWorkerDoesNotFillUp(t *testing.T) {
	t.Parallel()
	e := newEngine(t, Config{Timeout: time.Minute})
	h, err := decode(flood())
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		s, err := e.load(t.Context(), h)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(s.Root["l"].([]any)); n != floodEdits*doc.MaxOps {
			t.Fatalf("%d items", n)
		}
	}
}
