package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDebianPackage installs the package into a system that debootstrap makes, and has its
// node live through what dpkg does: installed, run as its user, installed again, removed,
// purged.
func TestDebianPackage(t *testing.T) {
	root := filepath.Join(t.TempDir(), "debian")
	run(t, exec.Command("debootstrap", "--variant=minbase", "bookworm", root))
	deb := "/" + filepath.Base(file("amd64.deb"))
	copyFile(t, file("amd64.deb"), filepath.Join(root, deb))
	system := func(program string) machine {
		return machine{root: root, program: program, env: []string{"DEBIAN_FRONTEND=noninteractive", "HOME=/root"}}
	}
	said := system("dpkg").says(t, "-i", deb)
	if !strings.Contains(said, "nothing of it runs") {
		t.Errorf("dpkg -i says %q", said)
	}
	if got := system("getent").says(t, "passwd", "meshd"); !strings.Contains(got, ":/var/lib/meshd:/usr/sbin/nologin") {
		t.Errorf("the user is %q", got)
	}
	for name, want := range map[string]string{"/var/lib/meshd": "700 meshd meshd", "/etc/meshd.env": "600 root root", "/usr/bin/meshd": "755 root root", "/usr/lib/systemd/system/meshd.service": "644 root root"} {
		if got := strings.TrimSpace(system("stat").says(t, "-c", "%a %U %G", name)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if _, err := os.Lstat(filepath.Join(root, "etc/systemd/system/multi-user.target.wants/meshd.service")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the service is enabled: %v", err)
	}
	verifyUnit(t, root)

	meshd := system("/usr/bin/meshd")
	meshd.user = "meshd:meshd"
	meshd.env = []string{"MESHD_HOME=/var/lib/meshd", "HOME=/var/lib/meshd"}
	meshd.says(t, "init")
	n := meshd.start(t, "--home", "/var/lib/meshd")
	n.isThis()
	id := n.contributes()
	owner := meshd
	owner.user = ""
	if said := owner.says(t, "status", "--home", "/var/lib/meshd"); !strings.Contains(said, "view") {
		t.Errorf("root sees %q", said)
	}
	n.stop()
	if said := meshd.says(t, "upgrade", "--check"); !strings.Contains(said, "a Debian package") || !strings.Contains(said, "apt install") {
		t.Errorf("meshd upgrade --check says %q", said)
	}
	copyFile(t, file("linux_amd64.tar.gz"), filepath.Join(root, "tmp", filepath.Base(file("linux_amd64.tar.gz"))))
	copyFile(t, filepath.Join(dist, "SHA256SUMS"), filepath.Join(root, "tmp", "SHA256SUMS"))
	if said := owner.refuses(t, 1, "upgrade", "/tmp/"+filepath.Base(file("linux_amd64.tar.gz"))); !strings.Contains(said, "was installed by a Debian package: apt install") {
		t.Errorf("meshd upgrade says %q", said)
	}

	// What an administrator wrote stays, and the home does.
	env := filepath.Join(root, "etc/meshd.env")
	if err := os.WriteFile(env, []byte("MESHD_LOG_LEVEL=debug\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := system("dpkg").says(t, "-i", deb); strings.Contains(said, "To begin") {
		t.Errorf("dpkg -i over itself says %q", said)
	}
	if text, err := os.ReadFile(env); err != nil || string(text) != "MESHD_LOG_LEVEL=debug\n" {
		t.Errorf("/etc/meshd.env is %q, %v", text, err)
	}
	system("dpkg").says(t, "-r", "meshd")
	if said := system("dpkg").says(t, "-P", "meshd"); !strings.Contains(said, "/var/lib/meshd stays") {
		t.Errorf("dpkg -P says %q", said)
	}
	for _, name := range []string{"usr/bin/meshd", "etc/meshd.env", "usr/lib/systemd/system/meshd.service", "usr/share/doc/meshd"} {
		if _, err := os.Lstat(filepath.Join(root, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s stays: %v", name, err)
		}
	}
	system("dpkg").says(t, "-i", deb)
	n = meshd.start(t, "--home", "/var/lib/meshd")
	if said := meshd.says(t, "feed", "--json"); !strings.Contains(said, id) {
		t.Errorf("after a purge and an installation the feed is %s", said)
	}
	n.stop()
}

// verifyUnit has systemd read the unit of a package as it lies there.
func verifyUnit(t *testing.T, root string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "usr/lib/systemd/system/meshd.service"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte("\nUser=meshd\n")) || bytes.Contains(text, []byte("DynamicUser")) || bytes.Contains(text, []byte("/usr/local")) {
		t.Errorf("the unit is\n%s", text)
	}
	// The program is named by where it lies under root: the one thing that differs.
	unit := filepath.Join(t.TempDir(), "meshd.service")
	text = bytes.Replace(text, []byte("ExecStart=/usr/bin/meshd"), []byte("ExecStart="+filepath.Join(root, "usr/bin/meshd")), 1)
	if err := os.WriteFile(unit, text, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("systemd-analyze", "verify", "--recursive-errors=no", "--man=no", unit).CombinedOutput()
	if err != nil || bytes.Contains(out, []byte("meshd.service")) {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
}

// TestOtherPackage: the package of arm64 is the same but for its program, which is that
// of the archive.
func TestOtherPackage(t *testing.T) {
	dirs := map[string]string{}
	for _, target := range targets {
		dir := filepath.Join(t.TempDir(), target.arch)
		run(t, exec.Command("dpkg-deb", "--raw-extract", file(target.arch+".deb"), dir))
		control, err := os.ReadFile(filepath.Join(dir, "DEBIAN/control"))
		if err != nil || !bytes.Contains(control, []byte("\nArchitecture: "+target.arch+"\n")) || !bytes.Contains(control, []byte("\nVersion: "+debianVersion(source.version)+"\n")) {
			t.Errorf("%v, control:\n%s", err, control)
		}
		run(t, exec.Command("cmp", filepath.Join(dir, "usr/bin/meshd"), filepath.Join(unzip(t, file("linux_"+target.arch+".tar.gz")), "meshd")))
		for _, other := range []string{"usr/bin/meshd", "DEBIAN/control", "DEBIAN/md5sums"} {
			if err := os.RemoveAll(filepath.Join(dir, other)); err != nil {
				t.Fatal(err)
			}
		}
		dirs[target.arch] = dir
	}
	run(t, exec.Command("diff", "-r", dirs["amd64"], dirs["arm64"]))
	run(t, exec.Command("dpkg", "--compare-versions", debianVersion("0.1.0-dev+0123456789ab"), "lt", "0.1.0"))
}

func run(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(c.Args, " "), err, out)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, content, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
