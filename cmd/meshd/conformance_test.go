package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/gateway/oauth/oauthtest"
)

// conformanceChecks is the folder of the protocol's own suite and its Inspector.
const conformanceChecks = "../../scripts/conformance"

// TestToolsOverTheOfficialClient calls every tool with good and with bad input by the
// official TypeScript SDK, which checks each result against the schema of its tool:
// every success passes, and every refusal is read by the caller.
func TestToolsOverTheOfficialClient(t *testing.T) {
	t.Parallel()
	url, _ := serveNodeWith(t, []string{"MESHD_GATEWAY_STARTING_CREDITS=100"}) // for the bounty that it opens
	driveByNode(t, conformanceChecks, "tools.mjs", url)
}

// TestOfficialClientSignsIn signs in with the code of the official TypeScript SDK, at an
// issuer that this test runs: by code and by credentials, and asks for more when a scope is
// missing.
func TestOfficialClientSignsIn(t *testing.T) {
	t.Parallel()
	issuer := oauthtest.New(t, time.Now)
	url, _ := serveNodeWith(t, []string{"MESHD_OAUTH_ISSUERS=" + issuer.URL, "MESHD_OAUTH_KEY_SETS=" + issuer.URL + "/keys"})
	issuer.Agent = registerAt(t, url, "sdk")
	driveByNode(t, conformanceChecks, "auth.mjs", url, issuer.URL, oauthtest.Client, oauthtest.Secret)
	if given := issuer.Given(); len(given) < 4 {
		t.Errorf("tokens for %q", given)
	}
}

// TestIssuerOfTheTests: the issuer that sign-ins are tested with is what the protocol's own
// suite takes for an authorization server.
func TestIssuerOfTheTests(t *testing.T) {
	t.Parallel()
	issuer := oauthtest.New(t, time.Now)
	issuer.Agent = "agt_of_nobody"
	driveByNode(t, conformanceChecks, "issuer.mjs", issuer.URL, "client-1", "https://mesh.example.org/mcp")
}

// registerAt opens an agent of a wallet made for it and returns its id.
func registerAt(t *testing.T, url, name string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/api/mesh/register", strings.NewReader(`{"name": "`+name+`", "generate_wallet": true}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var reply struct{ Agent struct{ ID string } }
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil || reply.Agent.ID == "" {
		t.Fatalf("register: %d %v", resp.StatusCode, err)
	}
	return reply.Agent.ID
}

// TestPreviewInABrowser shows the preview of scenes in Chromium, as a client with MCP Apps
// does: the official library plays the host and judges what the page says.
func TestPreviewInABrowser(t *testing.T) {
	t.Parallel()
	needPrograms(t, "chromium")
	url, _ := serveNode(t)
	driveByNode(t, conformanceChecks, "app.mjs", url)
}

// TestDescriptionOfTheAPI lints what a node serves at /openapi.json, and compiles
// and runs a strict TypeScript client that is made of it.
func TestDescriptionOfTheAPI(t *testing.T) {
	t.Parallel()
	url, _ := serveNode(t)
	driveByNode(t, "../../scripts/openapi", "check.mjs", url)
}

// driveByNode runs a program of a folder with libraries, whose last line is done.
func driveByNode(t *testing.T, folder, program string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	needPrograms(t, "node", "npm")
	installLibraries(ctx, t, folder)
	// Looked at here, so that a kept result of a test ends with a change of them.
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, err := os.Stat(filepath.Join(folder, f.Name())); err != nil {
			t.Fatal(err)
		}
	}
	checks := exec.CommandContext(ctx, "node", append([]string{program}, args...)...)
	checks.Dir = folder
	out, err := checks.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "done\n") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// TestConformance drives a node with both, by the script that people run.
func TestConformance(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	needPrograms(t, "bash", "node", "npm")
	installLibraries(ctx, t, conformanceChecks)
	// Looked at here, so that a kept result of this test ends with a change of them.
	for _, name := range []string{"run", "bridge.mjs", "expected-failures.yml"} {
		if _, err := os.Stat(filepath.Join(conformanceChecks, name)); err != nil {
			t.Fatal(err)
		}
	}
	url, program := serveNode(t, "--conformance")
	checks := exec.CommandContext(ctx, "./run", url+"/mcp", program)
	checks.Dir = conformanceChecks
	checks.WaitDelay = time.Second // for what it leaves behind when it is cut
	out, err := checks.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "done\n") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
