// Package android writes a scene as an application of one screen in Kotlin: for
// phones with ARCore, shown by SceneView, and for headsets with Jetpack XR.
//
// What the scene is stands in SceneData.kt. What happens in it is program/1 with
// its interpreter in plain Kotlin, Program.kt; Stage.kt keeps where things are and
// moves them, and knows no device either: both run on any Java machine. Solids are
// glTF files among the assets. MainActivity.kt shows it all on the device. It was
// read by the grammar and compiled against signatures of our own; nobody has built
// it against the real libraries.
package android

import (
	"embed"
	"fmt"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// The parts of the application.
//
//go:embed kt
var parts embed.FS

var (
	programParts = []string{
		"limits", "values", "texts", "json", "random", "program", "verify", "operators", "methods", "library", "machine", "instances", "templates", "instructions",
		"states", "trees", "clock",
	}
	stageParts = []string{"things", "geometry", "bodies", "player", "hands", "stage"}
)

// unbuilt is what everybody who opens a file should know.
const unbuilt = "Read by the grammar of Kotlin and compiled against signatures of our own; never built against the real libraries, never run on a device."

// Package is the name of the package that MainActivity.kt and SceneData.kt are in
// unless the option says another.
const Package = "com.example.scene"

// device is what differs between phones and headsets.
type device struct {
	activity string // the part that is MainActivity.kt
	immersed bool
}

// Phone makes the application for phones with ARCore.
func Phone(in *artefact.Input) (*artefact.Output, error) {
	return application(in, device{activity: "android"})
}

// Headset makes the application for headsets with Android XR.
func Headset(in *artefact.Input) (*artefact.Output, error) {
	return application(in, device{activity: "headset", immersed: true})
}

type writer struct {
	in    *artefact.Input
	s     *scene.Scene
	d     device
	tally *artefact.Tally
	index map[string]int // nodes by id
	shown int            // nodes before those of prototypes

	files  []artefact.File // models among the assets
	models map[string]string
	notes  []artefact.Note
	anchor bool // something asks for a surface of the room
}

func application(in *artefact.Input, d device) (*artefact.Output, error) {
	name := in.Options.Text("package")
	if !packaged(name) {
		return nil, artefact.Unfit(in.Target, "a package of lower-case words with points between them")
	}
	w := &writer{in: in, s: in.Scene, d: d, tally: artefact.NewTally(in), index: map[string]int{}, models: map[string]string{}}
	for i := range w.s.Nodes {
		in.Pause()
		w.index[w.s.Nodes[i].ID] = i
		if w.s.Nodes[i].Prototype == "" {
			w.shown = i + 1
		}
	}
	c, err := in.Behaviour()
	if err != nil {
		return nil, err
	}
	data, err := w.data(c, name)
	if err != nil {
		return nil, err
	}
	out := &artefact.Output{Files: []artefact.File{
		w.kotlin("MainActivity.kt", strings.Replace(part("app", d.activity), "package "+Package, "package "+name, 1)),
		{Path: "AndroidManifest.xml", MediaType: "application/xml", Data: w.manifest(name)},
		w.kotlin("build.gradle.kts", w.build(name)),
		w.kotlin("settings.gradle.kts", settings),
		{Path: "gradle.properties", MediaType: "text/plain", Data: fmt.Appendf(nil, "# %s\nandroid.useAndroidX=true\norg.gradle.jvmargs=-Xmx2g\n", in.Header())},
		w.kotlin("SceneData.kt", data),
		w.kotlin("Program.kt", Interpreter()),
		w.kotlin("Stage.kt", join("package meshd.stage\n\nimport meshd.program.*\n", "stage", stageParts)),
		w.kotlin("Controls.kt", part("app", "controls")),
		w.kotlin("Sounds.kt", part("app", "sounds")),
	}}
	out.Files = append(out.Files, w.files...)
	for i := range w.s.Nodes {
		place := fmt.Sprintf("sceneData.things[%d]", i)
		if i >= w.shown {
			place = fmt.Sprintf("sceneData.prototypes[%d]", i-w.shown)
		}
		out.Places = append(out.Places, artefact.Place{ID: w.s.Nodes[i].ID, Place: place})
	}
	out.Notes = w.notes
	out.Losses = w.tally.All()
	return out, nil
}

// kotlin is a file of the application below its header.
func (w *writer) kotlin(path, text string) artefact.File {
	return artefact.File{Path: path, MediaType: "text/x-kotlin", Data: fmt.Appendf(nil, "// %s\n// %s\n%s", w.in.Header(), unbuilt, text)}
}

// Interpreter is the interpreter of program/1: a whole file that needs nothing but
// the standard library of Kotlin.
func Interpreter() string { return join("package meshd.program\n", "program", programParts) }

func part(folder, name string) string {
	raw, err := parts.ReadFile("kt/" + folder + "/" + name + ".kt")
	if err != nil {
		panic("android: no part " + name) // a test reads all of them
	}
	return string(raw)
}

func join(head, folder string, names []string) string {
	var b strings.Builder
	b.WriteString(head)
	for _, n := range names {
		b.WriteString("\n" + part(folder, n))
	}
	return b.String()
}

// packaged says whether a text is the name of a package of Java, of two words at
// least, as an application's id must be.
func packaged(name string) bool {
	words := strings.Split(name, ".")
	for _, w := range words {
		if w == "" || w[0] < 'a' || w[0] > 'z' || reserved[w] {
			return false
		}
		if strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			return false
		}
	}
	return len(words) > 1 && len(name) <= 200
}

var reserved = words(`abstract as assert boolean break byte case catch char class const continue default do double else enum extends false final
finally float for fun goto if implements import in instanceof int interface is long native new null object package private protected public return
short static strictfp super switch synchronized this throw throws transient true try typealias typeof val var void volatile when while`)

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}
