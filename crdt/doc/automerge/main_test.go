//go:build cgo && (linux || darwin) && (amd64 || arm64)

package automerge

import (
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"testing"

	"github.com/meshd/meshd/crdt/doc"
)

// workerArg makes the test binary a worker. A second argument is the path of a
// socket the worker calls while it loads a chunk of holdActor: it sends its
// process id and waits until the other side hangs up.
const workerArg = "doc-worker"

// saveArg makes the worker save and load again each document it is asked for.
const saveArg = "save"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == workerArg {
		if err := serve(os.Stdin, os.Stdout, testOnlyLoading); err != nil {
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// The actors below make the worker of these tests misbehave.
var (
	abortActor = [16]byte{0xab, 0x07}
	panicActor = [16]byte{0xab, 0x08}
	holdActor  = [16]byte{0xab, 0x09}
	hungryAct  = [16]byte{0xab, 0x0a}
)

func testOnlyLoading(chunks [][]byte) {
	for _, b := range chunks {
		c, err := doc.DecodeChunk(b)
		if err != nil {
			os.Exit(4)
		}
		if slices.Contains(os.Args, saveArg) {
			testOnlySave(chunks)
			return
		}
		switch c.Actor {
		case abortActor:
			os.Exit(134)
		case panicActor:
			panic("told to")
		case hungryAct:
			var hoard [][]byte
			for range 1024 {
				b := make([]byte, 1<<20)
				for i := 0; i < len(b); i += 4096 {
					b[i] = 1
				}
				hoard = append(hoard, b)
			}
			os.Exit(len(hoard) / 1024)
		case holdActor:
			conn, err := net.Dial("unix", os.Args[2])
			if err != nil {
				os.Exit(5)
			}
			fmt.Fprintln(conn, os.Getpid())
			_, _ = io.Copy(io.Discard, conn)
		}
	}
}
