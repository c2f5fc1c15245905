// Package session is what every verb of the command line shares: the streams, the
// global flags, the settings, the way to a node, and how answers and refusals are
// printed.
package session

import (
	"fmt"
	"io"
	"strings"

	"github.com/meshd/meshd/node/config"
)

// Session is one execution of the command line.
type Session struct {
	In       io.Reader
	Out, Err io.Writer
	Env      []string

	Home      string // --home
	File      string // --config
	JSON      bool
	Quiet     bool
	Loopback  bool
	LogLevel  string
	LogFormat string

	Flags []config.Flag // of the command that runs, for the layers of config
}

// Say prints a line for people, unless -q or --json asked for silence.
func (s *Session) Say(format string, args ...any) {
	if !s.Quiet && !s.JSON {
		fmt.Fprintf(s.Out, format+"\n", args...)
	}
}

// Getenv is a variable of the environment, "" for none.
func (s *Session) Getenv(name string) string {
	for _, pair := range s.Env {
		if v, ok := strings.CutPrefix(pair, name+"="); ok {
			return v
		}
	}
	return ""
}
