package token

import "testing"

// Sentences before the first item are a comment; code is none.
func TestProse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"You are a keeper (of a lighthouse).\nAnswer: once.\n\nstate { a: 1 }\n": "You are a keeper (of a lighthouse).\nAnswer: once.",
		"You are a keeper of lights.\n#version 6\n":                              "You are a keeper of lights.",
		"You are a keeper of lights.\n// x\n":                                    "You are a keeper of lights.",
		"You are a keeper of lights.\r\n@state { }\r\n":                          "You are a keeper of lights.",
		"You are a keeper of lights.\n":                                          "",
		"Object \"A\" with a b c {\n}\n":                                         "",
		"object \"A\" { }\n":                                                     "",
		"A b\nobject \"A\" { }\n":                                                "",
	} {
		if got := text[:proseEnd(text)]; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
