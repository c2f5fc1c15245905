package session

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/meshd/meshd/cmd/meshd/terminal"
)

// Text is the last arguments of a command, or standard input.
func (s *Session) Text(command string, args []string) (string, error) {
	if len(args) > 0 && (len(args) != 1 || args[0] != "-") {
		return strings.Join(args, " "), nil
	}
	if len(args) == 0 && terminal.Is(s.In) {
		return "", Usage("%s needs a text: as last argument, or on standard input", command)
	}
	text, err := io.ReadAll(io.LimitReader(s.In, MaxText))
	if err != nil {
		return "", fmt.Errorf("read text: %w", err)
	}
	return string(text), nil
}

// OpenInput opens standard input or a file named on the command line.
func (s *Session) OpenInput(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(s.In), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open input: %w", err)
	}
	return f, nil
}
