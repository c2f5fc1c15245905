package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// converted has the converter of view3dscene read each file and write it again.
// It only warns of what it does not know, so a warning is a fault; and what it
// wrote must have as many shapes and transforms as what it read.
func converted(ctx context.Context, _ string, files []string) ([]verdict, error) {
	path, err := exec.LookPath("view3dscene")
	if err != nil {
		return nil, err
	}
	var out []verdict
	for _, file := range files {
		c := exec.CommandContext(ctx, path, file, "--write", "--write-encoding=xml")
		var written, said bytes.Buffer
		c.Stdout, c.Stderr = &written, &said
		err := c.Run()
		v := verdict{File: file}
		switch words := strings.TrimSpace(said.String()); {
		case words != "":
			v.Message = words[:min(len(words), 300)]
		case err != nil:
			v.Message = err.Error()
		default:
			raw, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			v.Message = unread(raw, written.Bytes())
		}
		v.OK = v.Message == ""
		out = append(out, v)
	}
	return out, nil
}

// unread says which elements did not come through.
func unread(before, after []byte) string {
	a, err := elements(before)
	if err != nil {
		return err.Error()
	}
	b, err := elements(after)
	if err != nil {
		return err.Error()
	}
	for _, name := range []string{"Transform", "Shape", "TimeSensor", "ROUTE"} {
		if a[name] != b[name] {
			return fmt.Sprintf("%d of %d %ss are read", b[name], a[name], name)
		}
	}
	return ""
}

// elements counts the elements of a document by their names.
func elements(raw []byte) (map[string]int, error) {
	d := xml.NewDecoder(bytes.NewReader(raw))
	out := map[string]int{}
	for {
		t, err := d.Token()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if e, ok := t.(xml.StartElement); ok {
			out[e.Name.Local]++
		}
	}
}
