package unreal

import (
	"fmt"
	"strings"

	"github.com/meshd/meshd/lang/target/artefact"
)

// sheet is Scene.cpp in the making: tables, then the one row that names them.
type sheet struct {
	b      strings.Builder
	fields []string
}

// table writes the rows of a type; about says what they are.
func (s *sheet) table(name, kind, about string, rows []string) {
	s.fields = append(s.fields, s.rows(name, kind, about, rows))
}

// rows writes rows and gives the expression that names them.
func (s *sheet) rows(name, kind, about string, rows []string) string {
	if len(rows) == 0 {
		return "{nullptr, 0}"
	}
	fmt.Fprintf(&s.b, "// %s\nconst %s %s[] = {\n", about, kind, name)
	for _, r := range rows {
		s.b.WriteString("\t" + r + ",\n")
	}
	s.b.WriteString("};\n\n")
	return fmt.Sprintf("{%s, %d}", name, len(rows))
}

// pieces writes a long text.
func (s *sheet) pieces(name, about, text string) {
	s.table(name, "char* const", about, artefact.CStrings(text, mostPiece))
}

// numbers writes a table of numbers, so many on a line, and gives its name.
func (s *sheet) numbers(name, kind string, line int, list []string) string {
	fmt.Fprintf(&s.b, "const %s %s[] = {", kind, name)
	for i, n := range list {
		if i%line == 0 {
			s.b.WriteString("\n\t")
		} else {
			s.b.WriteByte(' ')
		}
		s.b.WriteString(n + ",")
	}
	s.b.WriteString("\n};\n")
	return name
}
