package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/lang/grammar"
)

// vscodeFolder is the extension for VS Code.
const vscodeFolder = "../../editors/vscode"

// TestVSCodeExtension builds the extension, drives its client against this program with
// the editor's programming interface in place of the editor, and packages it.
func TestVSCodeExtension(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	needPrograms(t, "node", "npm")
	installLibraries(ctx, t, vscodeFolder)
	// Looked at here, so that a kept result of this test ends with a change of one.
	for _, name := range []string{"build.js", "package.json", ".vscodeignore", "language-configuration.json", "src/extension.js", "src/preview.js", "src/program.js", "test/drive.js", "test/vscode.js"} {
		if _, err := os.ReadFile(filepath.Join(vscodeFolder, name)); err != nil {
			t.Fatal(err)
		}
	}
	run := func(want string, command ...string) {
		t.Helper()
		c := exec.CommandContext(ctx, command[0], command[1:]...)
		c.Dir = vscodeFolder
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Fatalf("%q: %v\n%s", command, err, out)
		}
	}
	dir := t.TempDir()
	pack := filepath.Join(dir, "meshd.vsix")
	run("Packaged", "npm", "run", "package", "--", "-o", pack) // builds it first
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "meshd") // by this name the test binary is meshd
	if err := os.Symlink(exe, program); err != nil {
		t.Fatal(err)
	}
	run("done\n", "node", "test/drive.js", program)

	z, err := zip.OpenReader(pack)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	files := map[string][]byte{}
	var names []string
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(io.LimitReader(r, 16<<20))
		_ = r.Close()
		if err != nil {
			t.Fatal(err)
		}
		if name, ok := strings.CutPrefix(f.Name, "extension/"); ok {
			files[name] = data
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if want := []string{"LICENSE.txt", "dist/extension.js", "language-configuration.json", "package.json", "readme.md", "syntaxes/meshd.tmLanguage.json"}; !slices.Equal(names, want) {
		t.Errorf("packaged are %q, want %q", names, want)
	}
	if !bytes.Equal(files["syntaxes/meshd.tmLanguage.json"], grammar.TextMate()) {
		t.Error("the packaged grammar is not that of lang/grammar")
	}
	var manifest struct {
		Contributes struct {
			Languages []struct{ Extensions []string }
			Grammars  []struct{ Path, ScopeName string }
		}
	}
	if err := json.Unmarshal(files["package.json"], &manifest); err != nil {
		t.Fatal(err)
	}
	var extensions []string
	for _, l := range manifest.Contributes.Languages {
		extensions = append(extensions, l.Extensions...)
	}
	if !slices.Equal(extensions, []string{".holo", ".hs", ".hsplus"}) {
		t.Errorf("files of %q", extensions)
	}
	for _, g := range manifest.Contributes.Grammars {
		if files[strings.TrimPrefix(g.Path, "./")] == nil || !strings.Contains(string(grammar.TextMate()), `"`+g.ScopeName+`"`) {
			t.Errorf("the grammar %s is not packaged", g.Path)
		}
	}
}
