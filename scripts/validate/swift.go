package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// appleChecks prove visionos and ios: by the grammar of Swift alone, for there is
// no compiler that knows the libraries, and property lists by a reader of our own.
var appleChecks = []check{
	{
		targets: []string{"visionos", "ios"}, tool: "tree-sitter-swift", level: "syntax", version: npm("@cursorless/tree-sitter-wasms"), judge: swiftSources,
		other: "SceneView.swift", spoil: func(b []byte) []byte { return bytes.Replace(b, []byte("func prepare("), []byte("func prepare(:"), 1) },
	},
}

// swiftSources parses all sources beside each main file at once, each text once,
// and reads the property lists.
func swiftSources(ctx context.Context, dir string, files []string) ([]verdict, error) {
	var sources []string
	of := map[string][]string{} // source → main files
	same := map[string]string{} // text but for its head → source: most are alike
	wrong := map[string]string{}
	for _, f := range files {
		beside, err := filepath.Glob(filepath.Join(filepath.Dir(f), "*.swift"))
		if err != nil {
			return nil, err
		}
		if len(beside) != 4 {
			return nil, fmt.Errorf("%s has %d sources beside it", f, len(beside))
		}
		for _, s := range beside {
			raw, err := os.ReadFile(s)
			if err != nil {
				return nil, err
			}
			_, text, _ := bytes.Cut(raw, []byte("\n"))
			first, there := same[string(text)]
			if !there {
				first = s
				same[string(text)] = s
				sources = append(sources, s)
			}
			of[first] = append(of[first], f)
		}
		raw, err := os.ReadFile(filepath.Join(filepath.Dir(f), "Info.plist"))
		if err != nil {
			return nil, err
		}
		if err := readPropertyList(raw); err != nil {
			wrong[f] = "Info.plist: " + err.Error()
		}
	}
	said, err := node("grammar.mjs", "swift")(ctx, dir, sources)
	if err != nil {
		return nil, err
	}
	if len(said) != len(sources) {
		return nil, fmt.Errorf("%d of %d sources were parsed", len(said), len(sources))
	}
	for _, v := range said {
		for _, f := range of[v.File] {
			if !v.OK && wrong[f] == "" {
				wrong[f] = filepath.Base(v.File) + ":" + v.Message
			}
		}
	}
	var out []verdict
	for _, f := range files {
		out = append(out, verdict{File: f, OK: wrong[f] == "", Message: wrong[f]})
	}
	return out, nil
}

// needed are the keys that an application's property list must have.
var needed = []string{
	"CFBundleDevelopmentRegion", "CFBundleExecutable", "CFBundleIdentifier", "CFBundleInfoDictionaryVersion", "CFBundleName", "CFBundlePackageType",
	"CFBundleShortVersionString", "CFBundleVersion",
}

// readPropertyList reads the XML form of a property list strictly: one dictionary,
// whose keys differ and each have one value of a kind that lists know.
func readPropertyList(raw []byte) error {
	d := xml.NewDecoder(bytes.NewReader(raw))
	root, err := next(d)
	if err != nil {
		return err
	}
	if root == nil || root.Name.Local != "plist" {
		return errors.New("it is no property list")
	}
	top, err := next(d)
	if err != nil {
		return err
	}
	if top == nil || top.Name.Local != "dict" {
		return errors.New("there is no dictionary")
	}
	keys, err := readDictionary(d)
	if err != nil {
		return err
	}
	for _, k := range needed {
		if !keys[k] {
			return fmt.Errorf("the key %s is missing", k)
		}
	}
	if more, err := next(d); err != nil || more != nil {
		return errors.New("there is more than one dictionary")
	}
	if more, err := next(d); err != io.EOF || more != nil {
		return errors.New("there is something behind the list")
	}
	return nil
}

// next is the next element, nil at the end of the one around it. Text between
// elements is a fault.
func next(d *xml.Decoder) (*xml.StartElement, error) {
	for {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			return &t, nil
		case xml.EndElement:
			return nil, nil
		case xml.CharData:
			if strings.TrimSpace(string(t)) != "" {
				return nil, fmt.Errorf("%q stands between elements", t)
			}
		}
	}
}

// readDictionary reads to the end of a dictionary.
func readDictionary(d *xml.Decoder) (map[string]bool, error) {
	keys := map[string]bool{}
	for {
		k, err := next(d)
		if err != nil || k == nil {
			return keys, err
		}
		if k.Name.Local != "key" {
			return nil, fmt.Errorf("<%s> has no key", k.Name.Local)
		}
		var name string
		if err := d.DecodeElement(&name, k); err != nil {
			return nil, err
		}
		if name == "" || keys[name] {
			return nil, fmt.Errorf("the key %q is empty or there twice", name)
		}
		keys[name] = true
		v, err := next(d)
		if err != nil {
			return nil, err
		}
		if v == nil {
			return nil, fmt.Errorf("the key %s has no value", name)
		}
		if err := readProperty(d, v); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
}

// readProperty reads a value whose element has begun.
func readProperty(d *xml.Decoder, v *xml.StartElement) error {
	switch v.Name.Local {
	case "dict":
		_, err := readDictionary(d)
		return err
	case "array":
		for {
			e, err := next(d)
			if err != nil || e == nil {
				return err
			}
			if err := readProperty(d, e); err != nil {
				return err
			}
		}
	case "true", "false":
		e, err := next(d)
		if err == nil && e != nil {
			err = fmt.Errorf("<%s> holds something", v.Name.Local)
		}
		return err
	case "string":
		var s string
		return d.DecodeElement(&s, v)
	}
	return fmt.Errorf("<%s> is no kind of value", v.Name.Local)
}
