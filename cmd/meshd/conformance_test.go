package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// conformanceChecks is the folder of the protocol's own suite and its Inspector.
const conformanceChecks = "../../scripts/conformance"

// TestConformance drives a node with both, by the script that people run.
func TestConformance(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	needPrograms(t, "bash", "node", "npm")
	installLibraries(ctx, t, conformanceChecks)
	// Looked at here, so that a kept result of this test ends with a change of them.
	for _, name := range []string{"run", "expected-failures.yml"} {
		if _, err := os.Stat(filepath.Join(conformanceChecks, name)); err != nil {
			t.Fatal(err)
		}
	}
	url, program := serveNode(t, "--conformance")
	checks := exec.CommandContext(ctx, "./run", url+mcpPath, program)
	checks.Dir = conformanceChecks
	checks.WaitDelay = time.Second // for what it leaves behind when it is cut
	out, err := checks.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "done\n") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
