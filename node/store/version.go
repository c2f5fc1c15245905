package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// format is the number of the layout this program writes. It goes up when an
// older program would misread the home.
const format = 1

// migration brings the home in dir from one format to the next. It may run
// again after a crash half way, so it must not mind its own half-done work.
type migration func(dir string) error

// migrations has, for each older format, the step that leaves it. Format 1 is
// the first, so there is none yet.
var migrations = map[int]migration{}

// ErrNewerFormat is the kind of error of a home that a newer meshd has written.
var ErrNewerFormat = errors.New("home has a newer format")

// FormatError names both formats; errors.Is finds ErrNewerFormat in it.
type FormatError struct {
	Dir     string
	Found   int
	Current int
}

// Error says what to do.
func (e *FormatError) Error() string {
	return fmt.Sprintf("%s has format %d, this meshd knows up to %d: use the meshd that wrote it or a newer one", e.Dir, e.Found, e.Current)
}

// Is makes the error an ErrNewerFormat.
func (e *FormatError) Is(target error) bool { return target == ErrNewerFormat }

// Format reads the format number of the home.
func (h *Home) Format() (int, error) { return readFormat(h.Path(VersionFile)) }

// CurrentFormat is the format number this program writes.
func CurrentFormat() int { return format }

// reachFormat brings a locked home to the current format and reports whether it is new.
func (h *Home) reachFormat(current int, steps map[int]migration) (fresh bool, err error) {
	path := h.Path(VersionFile)
	found, err := readFormat(path)
	if errors.Is(err, fs.ErrNotExist) {
		// Without its number, a folder with a log could be of any format.
		if entries, err := os.ReadDir(h.Path(StoreDir)); err == nil && len(entries) > 0 {
			return false, fmt.Errorf("%s: the VERSION file is missing beside a store; restore it (current format: %d) or use another home", h.dir, current)
		}
		return true, writeFormat(path, current)
	}
	if err != nil {
		return false, err
	}
	if found > current {
		return false, &FormatError{Dir: h.dir, Found: found, Current: current}
	}
	for ; found < current; found++ {
		step, ok := steps[found]
		if !ok {
			return false, fmt.Errorf("%s has format %d, which this meshd no longer reads; open it with an earlier version first", h.dir, found)
		}
		if err := step(h.dir); err != nil {
			return false, fmt.Errorf("bring home from format %d to %d: %w", found, found+1, err)
		}
		if err := writeFormat(path, found+1); err != nil {
			return false, err
		}
	}
	return false, nil
}

func readFormat(path string) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, fmt.Errorf("read format: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxVersionBytes))
	if err != nil {
		return 0, fmt.Errorf("read format: %w", err)
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(data)), 10, 31)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("read format: %s does not hold a number", path)
	}
	return int(n), nil
}

func writeFormat(path string, n int) error {
	if err := AtomicWrite(path, []byte(strconv.Itoa(n)+"\n"), 0o600); err != nil {
		return fmt.Errorf("write format: %w", err)
	}
	return nil
}
