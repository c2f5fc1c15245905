package idiom

import "strings"

// controls are the parts of an interface by the word behind "ui-".
var controls = map[string]string{
	"panel": "panel", "card": "panel", "window": "panel", "dialog": "panel", "modal": "panel", "container": "section", "group": "section", "row": "section", "column": "section",
	"list": "section", "grid": "section", "section": "section", "circle": "section", "rect": "section", "box": "section", "divider": "section",
	"text": "text", "label": "text", "title": "text", "heading": "text", "button": "button", "slider": "slider", "toggle": "checkbox", "checkbox": "checkbox", "switch": "checkbox",
	"dropdown": "dropdown", "select": "dropdown", "input": "input", "textinput": "input", "textfield": "input", "textarea": "input", "search": "input",
	"image": "image", "icon": "text", "progress": "progress", "progressbar": "progress", "bar": "progress",
}

// ControlOf is the control that `type: "ui-button"` and the like mean.
func ControlOf(word string) (string, bool) {
	rest, ok := strings.CutPrefix(fold(word), "ui")
	if !ok {
		return "", false
	}
	kind, ok := controls[rest]
	return kind, ok
}

// ControlWords are the words of ControlOf.
func ControlWords() []string {
	words := sorted(controls)
	for i := range words {
		words[i] = "ui-" + words[i]
	}
	return words
}

// figures are words for a shape that only a model has.
var figures = set("avatar humanoid character human person robot creature animal npc")

// Figure says whether a geometry is a figure, which a model draws or something stands for.
func Figure(word string) bool { return figures[fold(word)] }
