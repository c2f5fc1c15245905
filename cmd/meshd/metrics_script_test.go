package main

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

const docsFolder = "../../docs"

var metricNames = regexp.MustCompile(`\b(?:meshd|process|go)_[a-z0-9_]+`)

// exports asks the node in MESHD_HOME for its metrics on the control socket, and looks
// there for each name in the pages and files for operators.
func exports(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exports FILE...")
	}
	socket := filepath.Join(ts.Getenv("MESHD_HOME"), "run", "meshd.sock")
	client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}}
	defer client.CloseIdleConnections()
	resp, err := client.Get("http://meshd/metrics")
	ts.Check(err)
	defer resp.Body.Close()
	exported := map[string]bool{}
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if name := metricNames.FindString(lines.Text()); name != "" && !strings.HasPrefix(lines.Text(), "#") {
			exported[name], exported[strings.TrimSuffix(name, "_bucket")] = true, true
		}
	}
	for _, file := range args {
		raw, err := os.ReadFile(filepath.Join(docsFolder, file))
		ts.Check(err)
		names := metricNames.FindAllString(string(raw), -1)
		if len(names) == 0 {
			ts.Fatalf("%s names no metric", file)
		}
		for _, name := range names {
			if !exported[name] {
				ts.Fatalf("%s names %s, which this process does not export", file, name)
			}
		}
	}
}
