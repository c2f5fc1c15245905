package instance

import (
	"fmt"
	"log/slog"
	"os"
	"sync"

	"github.com/meshd/meshd/node/redact"
)

// standardOutput is the value of log.access for lines that the engine of a container
// or systemd collects.
const standardOutput = "-"

// accessLog is the file that gets one line a request. It is opened again at a reload
// of the settings, so that logrotate and its like can move it away. It is safe for
// concurrent use.
type accessLog struct {
	path string // "": standard output, which is never opened or closed

	mu   sync.Mutex // guards file
	file *os.File
}

// openAccessLog opens the file that the setting names for appending, or returns nil when
// it names none. resolve makes a path of the setting.
func openAccessLog(setting string, resolve func(string) string) (*accessLog, error) {
	switch setting {
	case "":
		return nil, nil
	case standardOutput:
		return &accessLog{file: os.Stdout}, nil
	}
	a := &accessLog{path: resolve(setting)}
	if err := a.reopen(); err != nil {
		return nil, err
	}
	return a, nil
}

// reopen goes on in the file that the path names now. When that fails, the old one
// stays in use.
func (a *accessLog) reopen() error {
	if a == nil || a.path == "" {
		return nil
	}
	f, err := os.OpenFile(a.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open access log: %w", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	old := a.file
	a.file = f
	if old == nil {
		return nil
	}
	return old.Close()
}

// Write appends one line.
func (a *accessLog) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.file.Write(p)
}

// close ends the log. No request may be running.
func (a *accessLog) close() error {
	if a == nil || a.path == "" {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.file.Close()
}

// logger writes JSON lines into the file, nil for none.
func (a *accessLog) logger() *slog.Logger {
	if a == nil {
		return nil
	}
	return slog.New(redact.Handler(slog.NewJSONHandler(a, nil)))
}
