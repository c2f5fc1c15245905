// Package background has the verbs of a node that goes on when the command that started
// it has ended, and starts one for commands that need a running node.
package background

import (
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/store"
)

const (
	// stopWithin and stopPatience bound a stop: the node ends itself within the first,
	// and its process may take the second in addition.
	stopWithin   = session.StopWithin
	stopPatience = 5 * time.Second
	// startWithin bounds how long a node may take until it answers. One that repairs
	// its store takes minutes; it goes on, and the command says so.
	startWithin = 60 * time.Second
	// every is how often a command looks whether a node answers, a home is free or a
	// log has grown.
	every = 20 * time.Millisecond
	// firstLines is how much of the log `meshd logs` prints unless it is asked for more,
	// and faultLines how much of it explains a node that has not started.
	firstLines = 100
	faultLines = 12
	// chunk is read of a log at once, in bytes.
	chunk = 64 << 10
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdStart(s), cmdStop(s), cmdRestart(s), cmdLogs(s)}
}

// Mark is the flag of run that says who started the node: a command that has ended.
const Mark = "background"

// LogFile is the log of a node that runs in the background.
func LogFile(home string) string { return filepath.Join(home, store.RunDir, "meshd.log") }
