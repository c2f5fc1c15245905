package lineage

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"time"
)

// Place is where the file of a home lay when it was written, as far as a copy of
// the home elsewhere differs from it. Nothing in it names the machine to others.
type Place struct {
	Inode   uint64 `json:"inode"`
	Path    string `json:"path"`
	Machine string `json:"machine,omitempty"` // hash of the machine's id, "" when it has none
	Host    string `json:"host,omitempty"`
	Stamped int64  `json:"stamped"` // ms since 1970; also the file's time of change
}

// moved reports whether the file whose content was p is another file now.
// One that another process wrote over keeps its inode but not its time; one that
// was copied has another inode, and lies elsewhere or was made later. An inode
// alone is no proof, since some network file systems make them up at each mount;
// neither is a path, since a home may be renamed.
func (p Place) moved(now Place, modified, changed time.Time) bool {
	stamped := time.UnixMilli(p.Stamped)
	if p.Inode == now.Inode {
		return modified.Sub(stamped).Abs() > timeSlack
	}
	return p.Path != now.Path || p.Machine != now.Machine || p.Host != now.Host || changed.Sub(stamped).Abs() > copySlack
}

// placeOf is where an open file lies, and when it was last written and changed.
func placeOf(f *os.File, path string) (p Place, modified, changed time.Time, err error) {
	info, err := f.Stat()
	if err != nil {
		return p, modified, changed, err
	}
	p.Inode, changed, err = inodeOf(info)
	if err != nil {
		return p, modified, changed, fmt.Errorf("%s: %w", path, err)
	}
	p.Path, p.Machine = path, machine()
	if p.Host, err = os.Hostname(); err != nil {
		p.Host = ""
	}
	return p, info.ModTime(), changed, nil
}

// machine is a hash of what the system calls this machine, "" when it does not.
func machine() string {
	for _, path := range []string{"/etc/machine-id", "/var/lib/dbus/machine-id"} {
		text, err := os.ReadFile(path)
		if id := strings.TrimSpace(string(text)); err == nil && id != "" {
			sum := sha256.Sum256([]byte("meshd machine\x00" + id))
			return hex.EncodeToString(sum[:8])
		}
	}
	return ""
}
