package interpreter

import (
	"bytes"
	"compress/gzip"
	"testing"
)

// maxZipped is what the interpreter may weigh in a page, with its physics.
const maxZipped = 40_000

func TestTheInterpreterIsSmallAndMakesNoCode(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write(Module); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if zipped.Len() > maxZipped || zipped.Len() < 5_000 {
		t.Errorf("%d bytes compressed, at most %d are allowed", zipped.Len(), maxZipped)
	}
	for _, word := range []string{"eval(", "new Function", "import(", "fetch(", "XMLHttpRequest", "innerHTML", "document.", "from\"", "</script"} {
		if bytes.Contains(Module, []byte(word)) {
			t.Errorf("the module has %s", word)
		}
	}
	for _, name := range []string{" Runtime", " load", " nodesOf", " quaternion", " Bodies"} {
		if !bytes.Contains(Module, []byte(name)) {
			t.Errorf("the module does not give%s", name)
		}
	}
}
