package main

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// TestConsoleInABrowser opens the owner's console in Chromium by the link of meshd open and
// uses every page of it: in both themes and two widths, by the keyboard, without scripts, and
// while the node dies and comes back. The program starts the node itself, so that it can kill it.
func TestConsoleInABrowser(t *testing.T) {
	t.Parallel()
	needPrograms(t, "chromium")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "meshd") // by this name the test binary is meshd
	if err := os.Symlink(exe, program); err != nil {
		t.Fatal(err)
	}
	// The node comes back on the port that it had.
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	driveByNode(t, conformanceChecks, "console.mjs", program, filepath.Join(dir, "home"), strconv.Itoa(port))
}
