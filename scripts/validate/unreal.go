package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// unrealChecks prove unreal.
var unrealChecks = []check{
	{ // signatures of our own, so nothing is said about the engine's header tool
		targets: []string{"unreal"}, tool: "g++ with our own signatures", level: "syntax", version: first("g++", "-dumpversion"), judge: modules,
		other: "MeshdScene.cpp", spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte("SetSimulatePhysics("), []byte("SetSimulatedPhysics("), 1)
		},
	},
	{
		targets: []string{"unreal"}, tool: "g++ with our own signatures", level: "syntax", version: first("g++", "-dumpversion"), judge: modules,
		other: "Scene.Build.cs", spoil: func(b []byte) []byte { return bytes.Replace(b, []byte("});"), []byte(")};"), 1) },
	},
}

// modules compiles the sources of modules as far as their syntax and types, in the
// editor's form and in the game's. A file that says the same in several modules is
// compiled once.
func modules(ctx context.Context, dir string, files []string) ([]verdict, error) {
	if _, err := exec.LookPath("g++"); err != nil {
		return nil, err
	}
	headers := filepath.Join(dir, "unreal-headers")
	if err := signatures(headers); err != nil {
		return nil, err
	}
	said := map[string]string{}
	var out []verdict
	for _, f := range files {
		at := filepath.Dir(f)
		v := verdict{File: f}
		for _, name := range []string{"Scene.cpp", "MeshdScene.cpp", "Program.cpp"} {
			for _, editor := range []string{"1", "0"} {
				if editor == "0" && name != "MeshdScene.cpp" {
					continue
				}
				key, err := content(at, name, editor)
				if err != nil {
					return nil, err
				}
				if _, known := said[key]; !known {
					said[key] = compileUnreal(ctx, headers, at, name, editor)
				}
				if v.Message == "" {
					v.Message = said[key]
				}
			}
		}
		raw, err := os.ReadFile(filepath.Join(at, "Scene.Build.cs"))
		if err != nil {
			return nil, err
		}
		if err := rules(string(raw)); err != nil && v.Message == "" {
			v.Message = err.Error()
		}
		v.OK = v.Message == ""
		out = append(out, v)
	}
	return out, nil
}

// signatures makes the folder of headers that sources include: each is the one
// that we wrote.
func signatures(to string) error {
	from := filepath.Join(workspace, "unreal")
	list, err := os.ReadFile(filepath.Join(from, "headers.txt"))
	if err != nil {
		return err
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	for name := range strings.Lines(string(list) + "MeshdScene.generated.h\n") {
		path := filepath.Join(to, strings.TrimSpace(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte("#pragma once\n#include \"engine.h\"\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// content is the hash of a file and of our headers that it includes, without first
// lines.
func content(at, name, editor string) (string, error) {
	sum := sha256.New()
	for _, n := range []string{name, "Scene.h", "MeshdScene.h", "Program.h"} {
		raw, err := os.ReadFile(filepath.Join(at, n))
		if err != nil {
			return "", err
		}
		_, rest, _ := bytes.Cut(raw, []byte("\n"))
		fmt.Fprintf(sum, "%s %d ", n, len(rest))
		sum.Write(rest)
	}
	return name + editor + fmt.Sprintf("%x", sum.Sum(nil)), nil
}

func compileUnreal(ctx context.Context, headers, at, name, editor string) string {
	args := []string{"-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-fno-exceptions", "-fno-rtti", "-DWITH_EDITOR=" + editor, "-I" + at, "-isystem", headers}
	if name == "Program.cpp" { // needs nothing of the engine
		args = []string{"-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-fno-exceptions", "-fno-rtti"}
	}
	said, err := exec.CommandContext(ctx, "g++", append(args, filepath.Join(at, name))...).CombinedOutput()
	if err == nil {
		return ""
	}
	for line := range strings.Lines(string(said)) {
		if strings.Contains(line, "error") {
			return strings.TrimSpace(line)
		}
	}
	return err.Error()
}

// rules reads a file of module rules as far as its brackets and ends of statements
// go, and what it must say.
func rules(text string) error {
	var open []rune
	last := rune('\n')
	quoted := false
	code := ""
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		code += line + "\n"
	}
	for _, c := range code {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\n':
			return errors.New("a text does not end on its line")
		case quoted:
		case strings.ContainsRune("({[", c):
			open = append(open, c)
		case strings.ContainsRune(")}]", c):
			pair := map[rune]rune{')': '(', '}': '{', ']': '['}[c]
			if len(open) == 0 || open[len(open)-1] != pair {
				return fmt.Errorf("%c closes nothing", c)
			}
			open = open[:len(open)-1]
			if c == '}' && !slices.Contains([]rune{';', '}', '{', '"'}, last) {
				return errors.New("a statement does not end before }")
			}
		}
		if c != ' ' && c != '\t' && c != '\n' {
			last = c
		}
	}
	if len(open) > 0 || quoted {
		return errors.New("something is not closed")
	}
	before := ";"
	for line := range strings.Lines(code) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if !strings.ContainsAny(before[len(before)-1:], ";{},(") && !strings.ContainsAny(line[:1], "{}") {
			return fmt.Errorf("%.60q ends without a ;", before)
		}
		before = line
	}
	for _, must := range []string{"using UnrealBuildTool;", "public class Scene : ModuleRules", "base(Target)", `"Engine"`, `"ProceduralMeshComponent"`} {
		if !strings.Contains(code, must) {
			return fmt.Errorf("nothing says %s", must)
		}
	}
	return nil
}
