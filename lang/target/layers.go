package target

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// layersID is the target that contains others.
const layersID = "multi-layer"

// manifest says what is in an archive of layers.
type manifest struct {
	V            string  `json:"v"`
	Generated    string  `json:"generated"`
	SourceSHA256 string  `json:"source_sha256"`
	Layers       []layer `json:"layers"`
}

// layer is one target's artefact; its files are below the folder of its id.
type layer struct {
	Target string       `json:"target"`
	Main   string       `json:"main"`
	Files  []member     `json:"files"`
	Losses []scene.Loss `json:"losses"`
}

type member struct {
	Path      string `json:"path"`
	MediaType string `json:"media_type"`
	Bytes     int    `json:"bytes"`
	SHA256    string `json:"sha256"`
}

// members are the targets that the option names, each once, in its order.
func members(option string) ([]*Target, error) {
	var out []*Target
	for _, name := range strings.Split(option, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		t, ok := Find(name)
		switch {
		case !ok:
			near, _ := Nearest(name)
			return nil, &UnknownTarget{name, near, Planned(name)}
		case t.ID == layersID:
			return nil, &OptionsError{Name: "targets", Reason: "must not hold " + layersID + " itself"}
		case !slices.Contains(out, t):
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return nil, &OptionsError{Name: "targets", Reason: "names no target"}
	}
	return out, nil
}

// layers compiles a source to every target of the option and packs the artefacts
// into one archive. Each is what a separate compile would make with the same
// strict, quality and node; the first that fails fails the whole.
func layers(src Source, t *Target, options artefact.Options, req Request) (*Result, error) {
	list, err := members(options.Text("targets"))
	if err != nil {
		return nil, err
	}
	most := cmp.Or(req.MaxSize, artefact.MaxSize)
	out := &Result{Target: t}
	m := manifest{V: "layers/1", Layers: []layer{}}
	var files []artefact.File
	size := 0
	for _, one := range list {
		r := req
		r.MaxSize = max(most-size, 1) // a member is refused for what is left, before it is made
		r.Target, r.Options = one.ID, map[string]any{}
		for _, o := range common {
			r.Options[o.name] = options[o.name]
		}
		made, err := Compile(src, r)
		if err != nil {
			return nil, err
		}
		if out.Scene == nil {
			out.Scene, out.SourceSHA256, out.Compiler = made.Scene, made.SourceSHA256, made.Compiler
		}
		l := layer{Target: one.ID, Main: one.ID + "/" + made.Files[0].Path, Losses: append([]scene.Loss{}, made.Losses...)}
		for _, f := range made.Files {
			path := one.ID + "/" + f.Path
			l.Files = append(l.Files, member{path, f.MediaType, len(f.Data), f.SHA256()})
			files = append(files, artefact.File{Path: path, MediaType: f.MediaType, Data: f.Data})
			size += len(f.Data)
		}
		if size > most {
			return nil, tooLarge(src, size, most)
		}
		m.Layers = append(m.Layers, l)
		out.Losses = append(out.Losses, made.Losses...)
		out.Diagnostics = append(out.Diagnostics, fresh(out.Diagnostics, made.Diagnostics)...)
		for _, p := range made.Places {
			out.Places = append(out.Places, artefact.Place{ID: p.ID, Place: l.Main + " " + p.Place})
		}
	}
	out.Places = firstPlaces(out.Places)
	m.Generated = (&artefact.Input{Scene: out.Scene, Target: t.ID, Version: out.Compiler}).Header()
	m.SourceSHA256 = out.SourceSHA256
	raw, err := artefact.JSON(m)
	if err != nil {
		return nil, err
	}
	packed, err := archive(append(files, artefact.File{Path: "manifest.json", Data: raw}))
	if err != nil {
		return nil, fmt.Errorf("pack layers: %w", err)
	}
	if len(packed) > most {
		return nil, tooLarge(src, len(packed), most)
	}
	out.Files = []artefact.File{{Path: "layers.zip", MediaType: "application/zip", Data: packed}}
	return out, nil
}

// firstPlaces keeps the first place of every node: that in the first layer which
// has it.
func firstPlaces(list []artefact.Place) []artefact.Place {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(p artefact.Place) bool {
		again := seen[p.ID]
		seen[p.ID] = true
		return again
	})
}

// fresh are the findings that were not reported before. Several targets may lose the
// same: their messages differ.
func fresh(known, found []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(known, func(o diag.Diagnostic) bool {
			return o.Code == d.Code && o.File == d.File && o.Offset == d.Offset && o.Message == d.Message
		})
	})
}

func tooLarge(src Source, size, most int) error {
	return &SourceError{append(slices.Clone(src.Found), overLimit(src, "LIM006", "the size of the artefact", fmt.Sprint(size), fmt.Sprint(most)))}
}

// archive is a zip file: entries stored as they are, in the order of their paths,
// all of the first of January 1980.
func archive(files []artefact.File) ([]byte, error) {
	slices.SortFunc(files, func(a, b artefact.File) int { return strings.Compare(a.Path, b.Path) })
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.CreateRaw(&zip.FileHeader{
			Name: f.Path, Method: zip.Store, CRC32: crc32.ChecksumIEEE(f.Data), CompressedSize64: uint64(len(f.Data)), UncompressedSize64: uint64(len(f.Data)),
			ModifiedDate: 0x21,
		})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Data); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}
