package main

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// layerChecks judge the members of an archive by the tools of their targets; the
// pages and packages that need a browser, only those of the first archives.
var layerChecks = []struct {
	target string
	judge  func(context.Context, string, []string) ([]verdict, error)
	most   int
}{
	{"glb", node("gltf.mjs"), 0},
	{"scene-json", bySchema("lang/scene/schema.json"), 0},
	{"usdz", node("chromium.mjs", "usd"), 6},
	{"html", func(ctx context.Context, dir string, files []string) ([]verdict, error) {
		return node("chromium.mjs", "html")(ctx, dir, drawn(files))
	}, 6},
}

// archives unpacks layers with Python's reader of zip files, checks every member
// against its hash in the manifest, and gives it to the tool of its target.
func archives(ctx context.Context, dir string, files []string) ([]verdict, error) {
	python, err := exec.LookPath("python3")
	if err != nil {
		return nil, err
	}
	out := make([]verdict, len(files))
	mains := map[string][]string{}
	owner := map[string]int{}
	for i, f := range files {
		out[i] = verdict{File: f, OK: true}
		said, err := exec.CommandContext(ctx, python, "-m", "zipfile", "-t", f).CombinedOutput()
		if err == nil && !strings.Contains(string(said), "Done testing") {
			err = fmt.Errorf("python3 says %.200s", said)
		}
		var found map[string]string
		if err == nil {
			found, err = unpackLayers(f, filepath.Join(dir, "layers", fmt.Sprint(i)))
		}
		if err != nil {
			out[i].OK, out[i].Message = false, err.Error()
			continue
		}
		for id, main := range found {
			mains[id] = append(mains[id], main)
			owner[main] = i
		}
	}
	for _, c := range layerChecks {
		list := mains[c.target]
		if c.most > 0 && len(list) > c.most {
			list = list[:c.most]
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("no archive holds %s", c.target)
		}
		verdicts, err := c.judge(ctx, dir, list)
		if err != nil {
			return nil, err
		}
		for _, v := range verdicts {
			if !v.OK {
				o := &out[owner[v.File]]
				o.OK, o.Message = false, c.target+": "+v.Message
			}
		}
	}
	return out, nil
}

// unpackLayers writes the files of an archive below a folder and returns the main
// file of every target. Nothing may be missing, more than reported, or other than its
// hash.
func unpackLayers(file, dir string) (map[string]string, error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	sums := map[string]string{}
	var raw []byte
	for _, f := range z.File {
		if !filepath.IsLocal(f.Name) || f.Method != zip.Store {
			return nil, fmt.Errorf("%s is packed or leads outside", f.Name)
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		if f.Name == "manifest.json" {
			raw = data
			continue
		}
		sum := sha256.Sum256(data)
		sums[f.Name] = hex.EncodeToString(sum[:])
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return nil, err
		}
	}
	var m struct {
		V      string
		Layers []struct {
			Target, Main string
			Files        []struct{ Path, SHA256 string }
		}
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	if m.V != "layers/1" || len(m.Layers) == 0 {
		return nil, errors.New("the manifest is none")
	}
	out := map[string]string{}
	for _, l := range m.Layers {
		for _, f := range l.Files {
			if sums[f.Path] != f.SHA256 {
				return nil, fmt.Errorf("%s is not what the manifest says", f.Path)
			}
			delete(sums, f.Path)
		}
		out[l.Target] = filepath.Join(dir, l.Main)
	}
	for path := range sums {
		return nil, fmt.Errorf("the manifest does not tell of %s", path)
	}
	return out, nil
}
