package instance

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
)

// LogFile is the log of a process in a file. When the file is full it becomes the one
// named .old, in place of an older one, and a new one begins. What the runtime prints
// of a panic goes there too. It is safe for concurrent use.
type LogFile struct {
	path string
	most int64

	mu   sync.Mutex // guards the rest
	file *os.File
	size int64
}

// OpenLogFile opens the log of this process for appending; nobody but its owner reads it.
func OpenLogFile(path string) (*LogFile, error) {
	l := &LogFile{path: path, most: maxLogFile}
	return l, l.open()
}

func (l *LogFile) open() error {
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(fmt.Errorf("open log: %w", err), f.Close())
	}
	if err := debug.SetCrashOutput(f, debug.CrashOptions{}); err != nil {
		return errors.Join(fmt.Errorf("open log: %w", err), f.Close())
	}
	old := l.file
	l.file, l.size = f, info.Size()
	if old != nil {
		return old.Close()
	}
	return nil
}

// Write appends p, which is never divided between two files. A log that cannot be moved
// away goes on where it is.
func (l *LogFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.size > 0 && l.size+int64(len(p)) > l.most {
		if os.Rename(l.path, l.path+OldLog) == nil {
			_ = l.open() // the old file stays in use when it fails
		}
	}
	n, err := l.file.Write(p)
	l.size += int64(n)
	return n, err
}

// Close ends the log. Nothing may write to it any more.
func (l *LogFile) Close() error {
	return errors.Join(debug.SetCrashOutput(nil, debug.CrashOptions{}), l.file.Close())
}
