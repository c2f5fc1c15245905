// Package artefact is what the writers of all targets share: the files they
// make, the options they get, the features a scene uses, and the losses that
// follow from what a target cannot carry.
package artefact

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// Version is the version of the compiler. It is part of every artefact and
// changes with the bytes that any target writes.
const Version = "0.1.0"

// MaxSize is the most bytes that the files of one artefact have together
// (LIM006).
const MaxSize = 256 << 20

// File is one file of an artefact.
type File struct {
	Path      string
	MediaType string
	Data      []byte
}

// SHA256 is the hash of the file in hex.
func (f *File) SHA256() string {
	sum := sha256.Sum256(f.Data)
	return hex.EncodeToString(sum[:])
}

// Input is what a writer gets. It reads the scene and never changes it.
type Input struct {
	Scene   *scene.Scene
	Files   []*ast.File // the sources, the main one first
	Target  string
	Options Options
	// Registry knows the traits of the scene.
	Registry *trait.Registry
	Version  string // of the compiler; tests set another
	// Step, when set, ends the work by an error; writers ask it through Pause.
	Step func() error
}

// stop carries an error of Step up to the compile.
type stop struct{ err error }

// Pause is called by writers between pieces of their work, a node or a mesh. It
// does not return when the work is to end: Compile catches what it throws, and
// only Compile may call a writer that has a Step.
func (in *Input) Pause() {
	if in.Step == nil {
		return
	}
	if err := in.Step(); err != nil {
		panic(stop{err})
	}
}

// Compiled is the behaviour of a scene, or why it is too large.
func (in *Input) Compiled() (*run.Compiled, error) {
	c, err := run.CompileUntil(in.Scene, in.Files, false, in.Step)
	in.stopped(err)
	return c, err
}

// stopped ends the work as Pause does, where a program was ended by Step.
func (in *Input) stopped(err error) {
	if s := (*run.Stopped)(nil); errors.As(err, &s) {
		panic(stop{s.By})
	}
}

// Places are where the nodes of the scene stand in an artefact, by their order.
func (in *Input) Places(where func(i int) string) []Place {
	var out []Place
	for i := range in.Scene.Nodes {
		in.Pause()
		out = append(out, Place{ID: in.Scene.Nodes[i].ID, Place: where(i)})
	}
	return out
}

// Stopped is the error that Pause ended the work with, for who recovers.
func Stopped(recovered any) (error, bool) {
	s, ok := recovered.(stop)
	return s.err, ok
}

// Options are the checked options of a compile with the defaults filled in.
type Options map[string]any

// Text is a text option.
func (o Options) Text(name string) string { s, _ := o[name].(string); return s }

// Flag is a yes or no option.
func (o Options) Flag(name string) bool { b, _ := o[name].(bool); return b }

// Number is a number option.
func (o Options) Number(name string) float64 { n, _ := o[name].(float64); return n }

// Place says where a node is in an artefact, for example /nodes/3.
type Place struct{ ID, Place string }

// Output is what a writer makes. The first file is the main one.
type Output struct {
	Files  []File
	Places []Place
	// Losses are those that only the writer can see; those that follow from the
	// table of features come on top.
	Losses []scene.Loss
	// Notes are diagnostics of the writer: TGT006 and TGT007.
	Notes []Note
}

// Note is a diagnostic at a place of the sources.
type Note struct {
	Code  diag.Code
	Src   scene.Src
	Slots []string
}

// Fault is why a target cannot be made of a source: TGT004, TGT005 or LIM006.
type Fault struct {
	Code  diag.Code
	Slots []string
}

// Error implements error.
func (f *Fault) Error() string { return diag.Message(f.Code, f.Slots...) }

// Nothing says that a source has nothing that fits a target (TGT004).
func Nothing(target, needs string) *Fault { return &Fault{"TGT004", []string{target, needs}} }

// Unfit says that a source breaks a rule of a target (TGT005).
func Unfit(target, rule string) *Fault { return &Fault{"TGT005", []string{target, rule}} }

// Behaviour is the compiled behaviour of a scene; its fault is that it is larger
// than an interpreter takes.
func (in *Input) Behaviour() (*run.Compiled, error) {
	c, err := in.Compiled()
	if err != nil {
		return nil, Unfit(in.Target, "behaviour that fits into one program ("+err.Error()+")")
	}
	return c, nil
}

// Header is the line that text artefacts begin with, without comment marks.
func (in *Input) Header() string {
	return fmt.Sprintf("Generated from %s for %s by meshd %s", in.Scene.SourceSHA256[:16], in.Target, in.Version)
}

// Source is the place of something in the sources, as path:line:column.
func (in *Input) Source(s scene.Src) string {
	return fmt.Sprintf("%s:%d:%d", in.File(s), s[1], s[2])
}

// File is the path of the file of a place.
func (in *Input) File(s scene.Src) string {
	if s[0] >= 0 && s[0] < len(in.Scene.Files) {
		return in.Scene.Files[s[0]]
	}
	return ""
}

// JSON is v indented by two spaces with a line feed at the end. Keys of structs
// stand in their order, those of maps sorted.
func JSON(v any) ([]byte, error) {
	out, err := json.MarshalIndent(v, "", "  ")
	return append(out, '\n'), err
}

// Tree are the children of every node by index; the last entry is the roots.
func Tree(s *scene.Scene) (children [][]int, roots []int) {
	children = make([][]int, len(s.Nodes))
	for i := range s.Nodes {
		if p := s.Nodes[i].Parent; p >= 0 {
			children[p] = append(children[p], i)
		} else {
			roots = append(roots, i)
		}
	}
	return children, roots
}

// Hidden says of every node whether it, or a node above, is not visible.
func Hidden(s *scene.Scene) []bool {
	out := make([]bool, len(s.Nodes))
	for i := range s.Nodes {
		n := &s.Nodes[i]
		out[i] = !bool(n.Visible) || n.Parent >= 0 && out[n.Parent]
	}
	return out
}

// ProjectPath is where a file of the source lies in a project; false for what
// lies elsewhere.
func ProjectPath(path string) (string, bool) {
	path = strings.TrimPrefix(path, "./")
	if strings.Contains(path, ":") || strings.HasPrefix(path, "/") || strings.Contains("/"+path+"/", "/../") || path == "" {
		return "", false
	}
	return path, true
}
