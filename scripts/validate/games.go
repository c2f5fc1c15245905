package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/unity"
)

// gameChecks prove unity and vrchat.
var gameChecks = []check{
	{
		targets: []string{"unity"}, tool: "mcs with our signature stubs", level: "syntax", version: debian("mono-mcs"), judge: csharp, slow: true,
		other: "Stage.cs", spoil: func(b []byte) []byte { return bytes.Replace(b, []byte(".isKinematic"), []byte(".isKinetic"), 1) },
	},
	{
		targets: []string{"vrchat"}, tool: "mcs with our signature stubs, our rules of UdonSharp", level: "syntax", version: debian("mono-mcs"), judge: worldsInSharp, slow: true,
		other: "Scene.cs", spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte(".GetTrackingData("), []byte(".GetTrackingDatum("), 1)
		},
	},
}

// worldsInSharp compiles worlds against signatures of the platform's interface, and
// looks whether what runs in Udon keeps to what UdonSharp takes.
func worldsInSharp(ctx context.Context, dir string, files []string) ([]verdict, error) {
	var out []verdict
	for _, f := range files {
		folder := filepath.Dir(f)
		said, err := compileSharp(ctx, folder, filepath.Join(dir, "world.dll"), "-target:library", "unity.cs", "unity_objects.cs", "vrchat.cs")
		v := verdict{File: f}
		switch {
		case err != nil && !errors.As(err, new(*exec.ExitError)):
			return nil, err
		case err != nil:
			v.Message = said
			if strings.HasSuffix(folder, ".broken") && !strings.Contains(said, "CS1061") {
				return nil, fmt.Errorf("a misspelt member is refused for another reason: %s", said)
			}
		default:
			behaviours, err := filepath.Glob(filepath.Join(folder, "*.cs"))
			if err != nil {
				return nil, err
			}
			for _, b := range behaviours {
				raw, err := os.ReadFile(b)
				if err != nil {
					return nil, err
				}
				if faults := unity.UdonFaults(string(raw)); len(faults) > 0 {
					v.Message = fmt.Sprintf("%s: UdonSharp does not take %q", filepath.Base(b), faults)
				}
			}
		}
		v.OK = v.Message == ""
		out = append(out, v)
	}
	return out, nil
}

// csharp compiles scenes against signatures of the engine's interface, and runs
// their programs: each gives the trace that the runner gives. A word that the
// engine does not have must be refused as such.
func csharp(ctx context.Context, dir string, files []string) ([]verdict, error) {
	mono, err := exec.LookPath("mono")
	if err != nil {
		return nil, err
	}
	var out []verdict
	for i, f := range files {
		folder := filepath.Dir(f)
		program := filepath.Join(dir, fmt.Sprintf("unity_%d.exe", i))
		said, err := compileSharp(ctx, folder, program, "unity.cs", "unity_objects.cs", "csharp.cs")
		if err == nil && i == 0 { // the code for the universal pipeline is the same in all
			said, err = compileSharp(ctx, folder, filepath.Join(dir, "urp.exe"), "-define:MESHD_URP,UNITY_6000_0_OR_NEWER", "unity.cs", "unity_objects.cs", "urp.cs", "csharp.cs")
		}
		v := verdict{File: f}
		switch {
		case err != nil && !errors.As(err, new(*exec.ExitError)):
			return nil, err
		case err != nil:
			v.Message = said
			if strings.HasSuffix(folder, ".broken") && !strings.Contains(said, "CS1061") {
				return nil, fmt.Errorf("a misspelt member is refused for another reason: %s", said)
			}
		default:
			if v.Message, err = playedSharp(ctx, mono, program, f); err != nil {
				return nil, err
			}
		}
		v.OK = v.Message == ""
		out = append(out, v)
	}
	return out, nil
}

// compileSharp compiles the C# of a folder with files of the workspace. Its error
// is an ExitError when the compiler refuses.
func compileSharp(ctx context.Context, folder, program string, with ...string) (string, error) {
	sources, err := filepath.Glob(filepath.Join(folder, "*.cs"))
	if err != nil {
		return "", err
	}
	editor, err := filepath.Glob(filepath.Join(folder, "Editor", "*.cs"))
	if err != nil {
		return "", err
	}
	sources = append(sources, editor...)
	args := []string{"-langversion:6", "-nowarn:649", "-warnaserror", "-out:" + program}
	for _, w := range with {
		if !strings.HasPrefix(w, "-") {
			w = filepath.Join(workspace, w)
		}
		args = append(args, w)
	}
	said, err := exec.CommandContext(ctx, "mcs", append(args, sources...)...).CombinedOutput()
	return strings.TrimSpace(string(said[:min(len(said), 600)])), err
}

// playedSharp runs the program of a scene and says what is not as in the runner.
func playedSharp(ctx context.Context, mono, program, file string) (string, error) {
	j, err := rehearsed(file, filepath.Base(filepath.Dir(file)), target.Request{Target: "unity"})
	if err != nil {
		return "", err
	}
	args := []string{program, strconv.Itoa(j.Steps)}
	for _, e := range j.Events {
		args = append(args, strconv.Itoa(e.Step), e.Node, e.Name)
	}
	c := exec.CommandContext(ctx, mono, args...)
	c.Env = append(os.Environ(), "HOME="+filepath.Dir(program))
	said, err := c.CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%v: %.600s", err, said), nil
	}
	var trace [][]any
	for line := range strings.Lines(string(said)) {
		raw, ok := strings.CutPrefix(line, "TRACE ")
		if !ok {
			continue
		}
		var e []any
		if err := json.Unmarshal([]byte(raw), &e); err != nil {
			return fmt.Sprintf("%v: %.200s", err, line), nil
		}
		trace = append(trace, e)
	}
	return traced(trace, j.trace), nil
}
