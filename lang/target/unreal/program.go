package unreal

import (
	"embed"
	"strings"
)

// The parts of the interpreter of program/1, in C++17 without anything of the
// engine, and of the actor that shows what it does.
//
//go:embed cpp/*.h cpp/*.cpp
var parts embed.FS

var (
	programHeads = []string{"values", "machine", "motion"}
	programParts = []string{
		"limits", "numbers", "letters", "texts", "json", "values", "load", "machine", "instances", "births", "turns", "work", "instructions", "operators",
		"methods", "library", "states", "trees", "clock", "colours", "motion",
	}
)

// part is the text of a part, a path below cpp.
func part(path string) string {
	raw, err := parts.ReadFile("cpp/" + path)
	if err != nil {
		panic("unreal: no part " + path) // a test reads all of them
	}
	return strings.TrimSpace(string(raw)) + "\n"
}

// join puts parts one behind the other.
func join(end string, names ...string) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString("\n" + part(n+end))
	}
	return b.String()
}

// programFiles are the interpreter as Program.h and Program.cpp.
func programFiles(header string) (head, body string) {
	head = "// " + header + "\n// The interpreter of program/1 in C++17. Nothing in it is of the engine.\n#pragma once\n" + `
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace meshd {
` + join(".h", programHeads...) + "\n// otherCase is a character in capitals or in small letters.\nchar32_t otherCase(char32_t c, bool upper);\n\n} // namespace meshd\n"
	body = "// " + header + "\n#include \"Program.h\"\n" + `
#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace meshd {
` + join(".cpp", programParts...) + "\n} // namespace meshd\n"
	return head, body
}
