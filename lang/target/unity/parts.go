package unity

import (
	"embed"
	"fmt"
	"strings"
)

// The parts of the code. The interpreter of program/1 is plain C# without a type
// of the engine, so that it runs wherever C# does; the stage shows in the engine
// what it does.
//
//go:embed cs/*.cs
var parts embed.FS

var interpreterParts = []string{
	"limits", "chars", "values", "numbers", "json", "program", "host", "operators", "methods", "texts", "library", "machine", "turns", "members", "templates", "spawning", "work", "instructions", "states", "trees", "clock", "direct",
}

// part is the text of a part of the code.
func part(name string) string {
	raw, err := parts.ReadFile("cs/" + name + ".cs")
	if err != nil {
		panic("unity: no part " + name) // a test reads all of them
	}
	return strings.TrimSpace(string(raw)) + "\n"
}

// code is a file of parts in the namespace of the scene.
func code(header string, using []string, names ...string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n", header)
	for _, u := range using {
		if strings.HasPrefix(u, "#") { // a line of the preprocessor
			b.WriteString(u + "\n")
			continue
		}
		fmt.Fprintf(&b, "using %s;\n", u)
	}
	b.WriteString("\nnamespace MeshdScene {\n")
	for i, n := range names {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(part(n))
	}
	b.WriteString("}\n")
	return []byte(b.String())
}

// runtime is the file of the interpreter.
func runtime(header string) []byte {
	return code(header, []string{"System", "System.Collections.Generic", "System.Globalization", "System.Text"}, interpreterParts...)
}

var stageParts = []string{"things", "builder", "shapes", "surfaces", "lights", "bodies", "emitters", "effects", "stage", "show", "outside", "copies", "actor", "pointer", "player", "controls", "hands", "script"}

// stage is the file that shows a scene in the engine.
func stage(header string) []byte {
	return code(header, []string{
		"System", "System.Collections.Generic", "System.Globalization", "System.Text", "UnityEngine", "UnityEngine.EventSystems", "UnityEngine.Rendering", "UnityEngine.XR",
		"#if MESHD_URP", "UnityEngine.Rendering.Universal", "#endif", "#if UNITY_6000_0_OR_NEWER", "PhysicMaterial = UnityEngine.PhysicsMaterial", "#endif",
	}, stageParts...)
}
