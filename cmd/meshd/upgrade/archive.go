package upgrade

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

// candidate is the program of an archive.
type candidate struct {
	Version string `json:"version"`
	Signed  bool   `json:"signed"` // its sum has a signature that was checked
	Does    string `json:"does,omitempty"`
	formats
}

func (c candidate) proof() string {
	if c.Signed {
		return "its checksum is right and signed by the key"
	}
	return "its checksum is right"
}

// unpacked is the program of an archive as a file beside the one that it will replace.
type unpacked struct {
	candidate
	file string
}

func (u *unpacked) drop() { _ = os.Remove(u.file) } // gone already once it was put in place

// unpack fetches and checks an archive, and asks its program what it is.
func (o options) unpack(ctx context.Context, s *session.Session, program string) (*unpacked, error) {
	loopback := s.Loopback || s.Getenv("MESHD_LOOPBACK") == "1"
	archive, sum, err := fetchArchive(ctx, o.archive, loopback)
	if err != nil {
		return nil, err
	}
	defer archive.drop()
	sums, err := o.checksums(ctx, loopback)
	if err != nil {
		return nil, err
	}
	if err := listed(sums, path.Base(filepath.ToSlash(o.archive)), sum); err != nil {
		return nil, err
	}
	dir := filepath.Dir(program)
	if o.check {
		dir = "" // nothing is written beside the program
	}
	u := &unpacked{}
	u.Signed = o.key != ""
	if u.file, err = extract(archive.File, dir); err != nil {
		return nil, err
	}
	if err := u.ask(ctx); err != nil {
		u.drop()
		return nil, err
	}
	return u, nil
}

// checksums are the lines of SHA256SUMS, signed by the key where there is one.
func (o options) checksums(ctx context.Context, loopback bool) (string, error) {
	from := o.sums
	if from == "" {
		from = o.archive[:len(o.archive)-len(path.Base(filepath.ToSlash(o.archive)))] + "SHA256SUMS"
	}
	sums, err := fetchSmall(ctx, from, loopback)
	if err != nil {
		return "", fmt.Errorf("read checksums: %w", err)
	}
	if o.key == "" {
		return string(sums), nil
	}
	key, err := publicKey(o.key)
	if err != nil {
		return "", err
	}
	sig, err := fetchSmall(ctx, from+".sig", loopback)
	if err != nil {
		return "", fmt.Errorf("read signature: %w", err)
	}
	if !ed25519.Verify(key, sums, sig) {
		return "", fmt.Errorf("%s.sig is no signature of %s by the key in %s", from, path.Base(from), o.key)
	}
	return string(sums), nil
}

func publicKey(file string) (ed25519.PublicKey, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s contains no PEM", file)
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	key, ok := parsed.(ed25519.PublicKey)
	if !ok {
		return nil, fmt.Errorf("%s contains a key of another kind than Ed25519", file)
	}
	return key, nil
}

// listed refuses a sum that is not that of the name in lines as sha256sum writes them.
func listed(sums, name string, sum [sha256.Size]byte) error {
	for line := range strings.Lines(sums) {
		f := strings.Fields(line)
		if len(f) != 2 || strings.TrimPrefix(f[1], "*") != name {
			continue
		}
		if want, err := hex.DecodeString(f[0]); err != nil || string(want) != string(sum[:]) {
			return fmt.Errorf("%s is damaged or another file: its SHA-256 is %x, SHA256SUMS says %s", name, sum, terminal.OneLine(f[0], 2*sha256.Size))
		}
		return nil
	}
	return fmt.Errorf("SHA256SUMS does not name %s", name)
}

// extract writes the program of an archive into a new file of a folder.
func extract(archive io.Reader, dir string) (_ string, err error) {
	zip, err := gzip.NewReader(archive)
	if err != nil {
		return "", fmt.Errorf("read archive: %w", err)
	}
	in := tar.NewReader(zip)
	for {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return "", errors.New("read archive: it contains no meshd")
		}
		if err != nil {
			return "", fmt.Errorf("read archive: %w", err)
		}
		if h.Typeflag == tar.TypeReg && path.Base(h.Name) == "meshd" {
			if h.Size > maxProgram {
				return "", fmt.Errorf("read archive: its program has %d bytes, at most %d are read", h.Size, maxProgram)
			}
			return writeProgram(in, dir)
		}
	}
}

func writeProgram(in io.Reader, dir string) (_ string, err error) {
	f, err := os.CreateTemp(dir, ".meshd-new-*")
	if err != nil {
		return "", fmt.Errorf("write program: %w", err)
	}
	_, err = io.Copy(f, in)
	if err == nil {
		err = errors.Join(f.Chmod(0o755), f.Sync())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(f.Name()) // the fault is on its way
		return "", fmt.Errorf("write program: %w", err)
	}
	return f.Name(), nil
}

// ask has the program say its version and formats, which also shows that it runs here.
func (u *unpacked) ask(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	out, err := exec.CommandContext(ctx, u.file, "version", "--json").Output()
	if err != nil {
		return fmt.Errorf("the program in the archive does not run here: %w", err)
	}
	var said struct {
		Version string `json:"version"`
		formats
	}
	if err := json.Unmarshal(out, &said); err != nil || !semver.IsValid("v"+said.Version) || said.Home == 0 {
		return fmt.Errorf("the program in the archive says %q when it is asked for its version", terminal.OneLine(string(out), 200))
	}
	u.Version, u.formats = said.Version, said.formats
	return nil
}

// replace puts the program in the place of another, which stays as NAME.old. At every
// moment there is a whole program under the name.
func (u *unpacked) replace(program string) (old string, err error) {
	old = program + ".old"
	aside := u.file + ".old"
	if err := os.Link(program, aside); err != nil {
		return "", fmt.Errorf("keep %s: %w", program, err)
	}
	if err := os.Rename(aside, old); err != nil {
		return "", errors.Join(fmt.Errorf("keep %s: %w", program, err), os.Remove(aside))
	}
	if err := os.Rename(u.file, program); err != nil {
		return "", fmt.Errorf("replace %s: %w", program, err)
	}
	return old, nil
}
