package upgrade

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/meshd/meshd/cmd/meshd/background"
	"github.com/meshd/meshd/cmd/meshd/release"
)

// The ways by which a program comes to a machine.
const (
	byPackage = "deb"
	byImage   = "image"
	byArchive = "archive"
	bySource  = "source"
)

// imageMark is a file that the image of a release has beside the program.
const imageMark = "etc/meshd-image"

// install is how a program was installed, and how a newer one is.
type install struct {
	Installed string `json:"installed"`
	Next      string `json:"next"`
}

// installed looks at the system below root for how a program came there.
func installed(root, program string) install {
	files, err := os.ReadFile(filepath.Join(root, "var/lib/dpkg/info/meshd.list"))
	if err == nil && slices.ContainsFunc(bytes.Split(files, []byte("\n")), func(line []byte) bool { return string(line) == program }) {
		return install{byPackage, "apt install ./meshd_<version>_<processor>.deb"}
	}
	if _, err := os.Stat(filepath.Join(root, imageMark)); err == nil {
		return install{byImage, "start the next image on the same volume"}
	}
	if release.Packaged() {
		return install{byArchive, "meshd upgrade meshd_<version>_<system>_<processor>.tar.gz"}
	}
	return install{bySource, "build it from newer source, or meshd upgrade meshd_<version>_<system>_<processor>.tar.gz"}
}

func (i install) text() string {
	return map[string]string{byPackage: "a Debian package", byImage: "an image", byArchive: "the archive of a release", bySource: "a build from source"}[i.Installed]
}

// replaceable reports whether nothing else looks after the program.
func (i install) replaceable() bool { return i.Installed == byArchive || i.Installed == bySource }

// self is the file of this program.
func self() (string, error) {
	path, err := background.Self()
	if err != nil {
		return "", err
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return path, nil
}
