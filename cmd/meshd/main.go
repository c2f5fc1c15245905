// Command meshd is a node of a mesh of shared knowledge, and the tool of its
// owner: one binary for both. `meshd run` starts the node; every other command
// talks to the running one over its local socket, or opens the home by itself
// when none runs.
//
// Each verb is one file of the package of its group: it parses, calls, and prints.
// root.go has the global flags and the groups; package session is what all verbs
// share, package instance a node from its home up to its listeners. DESIGN.md says
// more.
package main

import (
	"fmt"
	"os"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/crdt/doc/automerge"
)

func main() { os.Exit(start()) }

// start is main with an exit code, so that deferred work is done.
func start() int {
	// The document worker must be nothing but that: it limits its own memory,
	// and its parent process sends and reads frames on both pipes.
	if len(os.Args) == 2 && os.Args[1] == docWorker {
		if err := automerge.ServeWorker(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return session.ExitError
		}
		return session.ExitOK
	}
	s := &session.Session{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Environ()}
	return run(s, os.Args[1:])
}

// docWorker is the hidden command that serves documents on stdin and stdout.
const docWorker = "doc-worker"
