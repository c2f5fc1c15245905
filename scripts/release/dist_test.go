package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// dist are the files of a release, which `make release` has built from this source.
const dist = "../../dist"

// source is what they must have been built from.
var source *build

// TestMain says what is missing, before tests that take minutes.
func TestMain(m *testing.M) {
	if err := prepared(); err != nil {
		fmt.Fprintln(os.Stderr, "release tests cannot run:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func prepared() error {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" || os.Getuid() != 0 {
		return errors.New("they need root on Debian for amd64: they install packages into a folder and change users")
	}
	for _, program := range []string{"dpkg-deb", "debootstrap", "unshare", "chroot", "systemd-analyze", emulator} {
		if _, err := exec.LookPath(program); err != nil {
			return fmt.Errorf("%w; scripts/need release installs it", err)
		}
	}
	src, err := filepath.Abs("../..")
	if err != nil {
		return err
	}
	if source, err = readSource(src); err != nil {
		return err
	}
	if _, err := os.Stat(file("linux_amd64.tar.gz")); err != nil {
		return fmt.Errorf("%w: make release builds it", err)
	}
	return nil
}

// emulator runs programs of arm64.
const emulator = "qemu-aarch64-static"

// file is a file of the release by the end of its name.
func file(end string) string { return filepath.Join(dist, "meshd_"+source.version+"_"+end) }

// patience bounds what a node may take, under an emulator and on a busy machine too.
const patience = 4 * time.Minute

// machine is how a program is run: in a folder as its root, as a user, by an emulator.
type machine struct {
	root    string // "" for this system
	user    string // "" for root
	through []string
	program string
	env     []string
}

// command enters the folder with a file system of processes of its own, which ends with
// the program.
func (m machine) command(args ...string) *exec.Cmd {
	words := append(append([]string{}, m.through...), m.program)
	words = append(words, args...)
	if m.root != "" {
		user := m.user
		if user == "" {
			user = "0:0"
		}
		// By their paths: PATH is that of the program.
		words = append([]string{"/usr/bin/unshare", "--mount", "/bin/sh", "-c", `/bin/mkdir -p "$1/proc" && /bin/mount -t proc proc "$1/proc" && shift && exec "$@"`, "sh", m.root,
			"/usr/sbin/chroot", "--userspec=" + user, m.root}, words...)
	}
	c := exec.Command(words[0], words[1:]...)
	c.Env = append([]string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "MESHD_LOOPBACK=1"}, m.env...)
	return c
}

// says runs a command that must succeed, and returns what it prints.
func (m machine) says(t *testing.T, args ...string) string {
	t.Helper()
	c := m.command(args...)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(args, " "), err, out, errs.String())
	}
	return string(out)
}

// refuses runs a command that must end with a code, and returns what it prints.
func (m machine) refuses(t *testing.T, code int, args ...string) string {
	t.Helper()
	out, err := m.command(args...).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != code {
		t.Fatalf("%s: %v, want exit code %d\n%s", strings.Join(args, " "), err, code, out)
	}
	return string(out)
}

// node is a node that runs.
type node struct {
	t    *testing.T
	on   machine
	cmd  *exec.Cmd
	base string
	said bytes.Buffer
}

// start runs a node until it is ready.
func (m machine) start(t *testing.T, args ...string) *node {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	m.env = append(m.env, "MESHD_GATEWAY_LISTEN="+at, "MESHD_P2P_LISTEN=/ip4/127.0.0.1/tcp/0")
	n := &node{t: t, on: m, base: "http://" + at}
	n.cmd = m.command(append([]string{"run"}, args...)...)
	out, err := n.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	n.cmd.Stdout = n.cmd.Stderr
	if err := n.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for in := bufio.NewScanner(out); in.Scan(); {
			fmt.Fprintln(&n.said, in.Text())
		}
	}()
	t.Cleanup(func() {
		if n.cmd.ProcessState == nil {
			_ = n.cmd.Process.Kill()
			_ = n.cmd.Wait()
		}
	})
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(patience)
	for {
		select {
		case <-ended:
			_ = n.cmd.Wait()
			t.Fatalf("the node has ended: %s", n.said.String())
		case <-limit:
			_ = n.cmd.Process.Kill()
			<-ended
			t.Fatalf("the node is not ready: %s", n.said.String())
		case <-tick.C:
		}
		if resp, err := http.Get(n.base + "/readyz"); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return n
			}
		}
	}
}

// get is what the node answers.
func (n *node) get(path string) string {
	n.t.Helper()
	resp, err := http.Get(n.base + path)
	if err != nil {
		n.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		n.t.Fatalf("%s: %s, %v\n%s", path, resp.Status, err, text)
	}
	return string(text)
}

// isThis checks that the running program is that of the release, and healthy.
func (n *node) isThis() {
	n.t.Helper()
	if said := n.get("/livez"); said != "ok\n" {
		n.t.Errorf("/livez: %q", said)
	}
	var version struct {
		Version string `json:"version"`
	}
	if text := n.get("/version"); json.Unmarshal([]byte(text), &version) != nil || version.Version != source.version {
		n.t.Errorf("/version says %s, want %s", text, source.version)
	}
}

// stop ends the node as an orderly system does.
func (n *node) stop() {
	n.t.Helper()
	if err := n.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		n.t.Fatal(err)
	}
	if err := n.cmd.Wait(); err != nil {
		n.t.Errorf("the node has ended with %v: %s", err, n.said.String())
	}
}

const lesson = "A deferred Close in a loop runs only when the function returns, so a long loop runs out of file descriptors."

// contributes has the node take an entry, and shows it again.
func (n *node) contributes(args ...string) string {
	n.t.Helper()
	id := strings.TrimSpace(n.on.says(n.t, append(args, "contribute", "-q", "--type", "gotcha", "--domain", "go", lesson)...))
	if !strings.HasPrefix(id, "ent_") || !strings.Contains(n.on.says(n.t, append(args, "feed", "--json")...), id) {
		n.t.Errorf("the feed does not show %q", id)
	}
	return id
}

// unzip lays the archive of a release into a folder, and returns the folder in it.
func unzip(t *testing.T, archive string) string {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	untar(t, dir, zip)
	return filepath.Join(dir, strings.TrimSuffix(filepath.Base(archive), ".tar.gz"))
}

// untar lays files with their modes and owners.
func untar(t *testing.T, dir string, from io.Reader) {
	t.Helper()
	for in := tar.NewReader(from); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(dir, filepath.FromSlash(h.Name))
		switch h.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(at, 0o755)
		case tar.TypeReg:
			var to *os.File
			if to, err = os.Create(at); err == nil {
				_, err = io.Copy(to, in)
				err = errors.Join(err, to.Close())
			}
		default:
			err = fmt.Errorf("%s is of type %q", h.Name, h.Typeflag)
		}
		if err = errors.Join(err, os.Chown(at, h.Uid, h.Gid), os.Chmod(at, h.FileInfo().Mode())); err != nil {
			t.Fatal(err)
		}
	}
}
