package table

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// carried are the interpreters that targets carry in other languages. What follows
// from the tables stands in the midst of their text.
var carried = []struct {
	path   string
	writes []func(text string) (string, error)
}{
	{"lang/target/unity/cs/instructions.cs", writes(between("static readonly int[] width = {\n", "\n\t};", widths(48, "\t\t")))},
	{"lang/target/unity/cs/limits.cs", writes(limits("%s = ", "", "", bare))},
	{"lang/target/unity/udon/machine.cs", writes(limits("const int %s = ", "", "", whole))},
	{"lang/target/godot/gd/machine.gd", writes(between("const WIDTH = [", "]\n", widths(0, "")))},
	{"lang/target/godot/gd/limits.gd", writes(limits("const %s = ", "", "", whole))},
	{"lang/target/unreal/cpp/limits.cpp", writes(limits("constexpr int %s = ", "", "<<", whole))},
	{"lang/target/unreal/cpp/instructions.cpp", writes(
		between("enum Op {\n", "\n};", func() string { return wrapped(names(Ops, func(o Op) string { return "Op" + o.Name }), "\t", ", ", 157) }),
		between("const int Width[] = {", "};", func() string { return strings.TrimPrefix(widths(32, "\t")(), "\t") }))},
	{"lang/target/realitykit/interpreter/instructions.swift", writes(between("operandCount: [Int] = [\n", "\n]", func() string { return widths(42, "    ")() + "," }))},
	{"lang/target/realitykit/interpreter/values.swift", writes(limits("static let %s: Int = ", "_", "", swift))},
	{"lang/target/android/kt/program/limits.kt", writes(limits("const val %s = ", "", "shl", upper))},
	{"lang/target/android/kt/program/verify.kt", writes(
		between("const val TABLE = ", "\n\ninternal class Shape", kotlinRows),
		between("treeTypes = listOf(\n", "\n)", func() string {
			return wrapped(names(TreeNodes, func(n TreeNode) string { return strconv.Quote(n.Name) }), "    ", ", ", 152)
		}))},
}

func writes(all ...func(string) (string, error)) []func(string) (string, error) { return all }

// between writes what stands between two texts.
func between(before, after string, inner func() string) func(string) (string, error) {
	return func(text string) (string, error) {
		head, rest, ok := strings.Cut(text, before)
		_, tail, also := strings.Cut(rest, after)
		if !ok || !also {
			return "", fmt.Errorf("%q and %q are not there", before, after)
		}
		return head + before + inner() + after + tail, nil
	}
}

// widths are how many operands each instruction has, so many in a line.
func widths(line int, indent string) func() string {
	return func() string {
		out := indent
		for i, o := range Ops {
			switch {
			case i > 0 && line > 0 && i%line == 0:
				out += ",\n" + indent
			case i > 0:
				out += ", "
			}
			out += strconv.Itoa(len(o.Args))
		}
		return out
	}
}

// limits writes the numbers of the limits that a text declares, under the names that
// its language has for them.
func limits(declared, mark, shift string, name func(string) string) func(string) (string, error) {
	return func(text string) (string, error) {
		found := 0
		for _, l := range Limits {
			p := regexp.MustCompile(`(\b` + fmt.Sprintf(regexp.QuoteMeta(declared), name(l.Name)) + `)[0-9][0-9_]*(?: (?:<<|shl) 20)?`)
			if !p.MatchString(text) {
				continue
			}
			found++
			text = p.ReplaceAllString(text, "${1}"+number(l.Value, mark, shift))
		}
		if found == 0 {
			return "", fmt.Errorf("there are no limits")
		}
		return text, nil
	}
}

func whole(name string) string { return name }
func bare(name string) string  { return strings.TrimPrefix(name, "Max") }

// swift keeps two words away from what Swift calls so itself.
func swift(name string) string {
	switch name {
	case "MaxInit":
		return "first"
	case "MaxAlloc":
		return "made"
	}
	name = bare(name)
	return strings.ToLower(name[:1]) + name[1:]
}

func upper(name string) string {
	out := ""
	for i, r := range bare(name) {
		if i > 0 && r >= 'A' && r <= 'Z' {
			out += "_"
		}
		out += string(r)
	}
	return strings.ToUpper(out)
}

// kotlinRows are the instructions as the verifier for Kotlin takes them apart.
func kotlinRows() string {
	rows := names(Ops, func(o Op) string {
		args := o.Args
		if args == "" {
			args = "-"
		}
		return fmt.Sprintf("%s %s %d %d%s", strings.ToLower(o.Name), args, o.Pop, o.Push, []string{"", " m", " d"}[o.Each])
	})
	return quotedLines(rows, "|", "    ", 119, 141)
}
