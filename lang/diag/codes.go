package diag

import (
	"strings"
	"unicode/utf8"
)

// Code names a kind of finding, such as SYN001.
type Code string

// Row is the entry of a code in the table.
type Row struct {
	Code     Code
	Severity Severity
	Message  string // with {slots}
}

// The codes that the lexer and the parser give. Later stages use theirs by the
// name in the table.
const (
	SYN001 Code = "SYN001"
	SYN002 Code = "SYN002"
	SYN003 Code = "SYN003"
	SYN004 Code = "SYN004"
	SYN005 Code = "SYN005"
	SYN006 Code = "SYN006"
	SYN007 Code = "SYN007"
	SYN008 Code = "SYN008"
	SYN009 Code = "SYN009"
	SYN010 Code = "SYN010"
	SYN011 Code = "SYN011"
	SYN012 Code = "SYN012"
	SYN013 Code = "SYN013"
	SYN014 Code = "SYN014"
	SYN015 Code = "SYN015"
	SYN016 Code = "SYN016"
	SYN017 Code = "SYN017"
	SYN018 Code = "SYN018"
	SYN019 Code = "SYN019"
	SYN020 Code = "SYN020"
	SYN021 Code = "SYN021"
	SYN022 Code = "SYN022"
	LIM001 Code = "LIM001"
	LIM002 Code = "LIM002"
	LIM003 Code = "LIM003"
	LIM009 Code = "LIM009"
	LNT005 Code = "LNT005"
	LNT014 Code = "LNT014"
	INT001 Code = "INT001"
)

const limitMessage = "Limit exceeded: {what} is {n}, allowed {max}."

// Rows is the table of codes in the order of the specification. Where a code
// has two severities the heavier one stands here; Bag.AddAs gives the other.
var Rows = []Row{
	{"SYN001", Error, "'{open}' is never closed."},
	{"SYN002", Error, "'{close}' closes nothing."},
	{"SYN003", Error, "'{open}' is closed by '{close}'."},
	{"SYN004", Error, "String is not closed on this line."},
	{"SYN005", Error, "Template text is not closed."},
	{"SYN006", Error, "Comment is not closed."},
	{"SYN007", Error, "Expected {expected}, found '{found}'."},
	{"SYN008", Error, "Missing value after '{key}:'."},
	{"SYN009", Error, "'{word}' needs a body or a value."},
	{"SYN010", Error, "Character '{c}' is not used here."},
	{"SYN011", Error, "'{text}' is not a number."},
	{"SYN012", Warning, "Escape '{text}' is incomplete; taken as plain text."},
	{"SYN013", Error, "Indented bodies are not supported; use '{ }'."},
	{"SYN014", Error, "Text is not valid {encoding}."},
	{"SYN015", Error, "Nothing may follow the document value."},
	{"SYN016", Error, "'{word}' has no matching '{partner}'."},
	{"SYN017", Error, "This type cannot be read."},
	{"SYN018", Error, "This {import/export} cannot be read; expected {shape}."},
	{"SYN019", Error, "'@' needs a trait name."},
	{"SYN020", Error, "This {item} needs {part}."},
	{"SYN021", Error, "'{expr}' cannot be assigned to."},
	{"SYN022", Error, "Regular expression is not closed."},
	{"NAM001", Warning, "Another {kind} here is already called '{name}'."},
	{"NAM002", Error, "'{name}' is declared twice."},
	{"NAM003", Warning, "Key '{key}' is set twice; the later value is used."},
	{"NAM004", Error, "Template '{name}' does not exist.{hint}"},
	{"NAM005", Warning, "'{name}' is not declared here; it is left to the host.{hint}"},
	{"NAM006", Error, "Node '{name}' does not exist.{hint}"},
	{"NAM007", Warning, "State key '{key}' is not declared.{hint}"},
	{"NAM008", Warning, "Type '{name}' does not exist.{hint}"},
	{"NAM009", Hint, "'{name}' hides an outer name."},
	{"NAM010", Error, "Templates extend each other: {cycle}."},
	{"NAM011", Error, "'{name}' is exported but not declared.{hint}"},
	{"BLK001", Warning, "Unknown block kind '{kind}'.{hint} It is kept as data."},
	{"BLK002", Info, "'{key}' is not a known setting of {kind}.{hint}"},
	{"BLK003", Warning, "'{kind}' appears again; settings are merged, the later wins."},
	{"BLK004", Info, "Event '{name}' is never raised by the host or this file.{hint}"},
	{"BLK005", Warning, "Unknown geometry '{name}'; a box is used.{hint}"},
	{"BLK006", Info, "{kind} has no effect inside {parent}."},
	{"BLK007", Warning, "{kind} needs '{key}'."},
	{"BLK008", Info, "Unknown directive '#{name}'.{hint}"},
	{"BLK009", Error, "'{word}' is only allowed inside {place}."},
	{"BLK010", Warning, "Unknown {what} '{name}'; {instead}.{hint}"},
	{"BLK011", Info, "{kind} is kept as data; nothing shows it or acts on it."},
	{"BLK012", Info, "'{key}' counts when the scene begins; it does not follow the state."},
	{"TRT001", Warning, "Unknown trait '@{name}'.{hint} It is kept as data."},
	{"TRT002", Info, "'@{trait}' has no parameter '{name}'.{hint}"},
	{"TRT003", Warning, "'{param}' of '@{trait}' should be {type}, found {found}."},
	{"TRT004", Warning, "'{param}' of '@{trait}' should be between {min} and {max}."},
	{"TRT005", Warning, "'@{trait}' needs '{param}'."},
	{"TRT006", Warning, "'@{a}' and '@{b}' exclude each other."},
	{"TRT007", Info, "'@{trait}' works only together with {list}."},
	{"TRT008", Info, "'@{trait}' is set more than once."},
	{"TRT009", Warning, "'{value}' is not a value of '{param}'; expected one of {list}."},
	{"TRT010", Error, "Trait definition '{name}' is not valid: {reason}."},
	{"TRT011", Error, "Trait definitions extend each other: {cycle}."},
	{"TRT012", Warning, "Unknown platform '{name}'.{hint}"},
	{"TYP001", Error, "Cannot assign {found} to {expected}."},
	{"TYP002", Error, "'{name}' takes {n} arguments, found {m}."},
	{"TYP003", Error, "Returns {found}, declared {expected}."},
	{"TYP004", Warning, "'{key}' should be {type}, found {found}."},
	{"TYP005", Warning, "'{text}' is not a colour."},
	{"TYP006", Warning, "Unknown unit '{unit}'.{hint}"},
	{"TYP007", Error, "Cannot combine {dimA} with {dimB}."},
	{"TYP008", Warning, "'{key}' should be between {min} and {max}."},
	{"TYP009", Error, "{type} has no member '{name}'.{hint}"},
	{"TYP010", Error, "Member '{name}' of {type} is missing."},
	{"TYP011", Error, "Computed values depend on each other: {cycle}."},
	{"TYP012", Hint, "This condition is always {value}."},
	{"IMP001", Error, "Module '{spec}' was not found.{hint}"},
	{"IMP002", Error, "'{module}' does not export '{name}'.{hint}"},
	{"IMP003", Warning, "Modules import each other: {cycle}."},
	{"IMP004", Error, "'{spec}' leaves the project folder."},
	{"IMP005", Error, "'{spec}' is a network address; imports are local."},
	{"IMP006", Error, "Spelling differs from the file '{real}'."},
	{"IMP007", Error, "Module '{spec}' has errors."},
	{"IMP008", Warning, "Asset '{path}' was not found."},
	{"IMP009", Error, "'{name}' is exported twice."},
	{"STM001", Error, "State machine has no initial state."},
	{"STM002", Error, "State '{name}' does not exist.{hint}"},
	{"STM003", Warning, "State '{name}' can never be reached."},
	{"STM004", Warning, "Event '{event}' has two transitions without a guard; the second is never taken."},
	{"STM005", Warning, "Unknown tree node '{type}'.{hint}"},
	{"STM006", Error, "{node} needs {n} {children}."},
	{"STM007", Error, "Behaviour tree has no root."},
	{"FLO001", Warning, "Nothing raises '{event}' on '{node}'.{hint}"},
	{"FLO002", Warning, "'{node}' has no function '{name}'.{hint}"},
	{"FLO003", Error, "Pipeline '{name}' has no source."},
	{"FLO004", Error, "Pipeline '{name}' has no sink."},
	{"FLO005", Error, "Sink '{name}' does not exist.{hint}"},
	{"FLO006", Warning, "Field '{name}' is not produced by an earlier stage.{hint}"},
	{"FLO007", Warning, "Unknown function or check '{name}'.{hint}"},
	{"FLO008", Error, "Stages feed each other: {cycle}."},
	{"FLO009", Warning, "'{text}' is not a valid schedule."},
	{"FLO010", Warning, "Timeline key '{key}' is not a time."},
	{"FLO011", Warning, "'{path}' cannot be animated."},
	{"FLO012", Warning, "{what} does not run."},
	{"TGT001", Error, "Unknown target '{name}'.{hint}"},
	{"TGT002", Warning, "{target} cannot express {feature}; it is left out."},
	{"TGT003", Info, "{target} approximates {feature}: {how}."},
	{"TGT004", Error, "Nothing in this source fits {target}; it needs {what}."},
	{"TGT005", Error, "{target} requires {constraint}."},
	{"TGT006", Warning, "Asset '{path}' is not inside the artefact."},
	{"TGT007", Info, "'{name}' is called '{mangled}' in {target}."},
	{"LIM001", Error, limitMessage},
	{"LIM002", Error, limitMessage},
	{"LIM003", Error, limitMessage},
	{"LIM004", Error, limitMessage},
	{"LIM005", Error, limitMessage},
	{"LIM006", Error, limitMessage},
	{"LIM007", Error, limitMessage},
	{"LIM008", Error, limitMessage},
	{"LIM009", Error, limitMessage},
	{"LIM010", Error, limitMessage},
	{"LNT001", Hint, "'{name}' is never used."},
	{"LNT002", Hint, "Empty {kind}."},
	{"LNT003", Hint, "Nested {n} levels deep."},
	{"LNT004", Info, "'{key}' has no unit; read as {value}."},
	{"LNT005", Warning, "'#' comments are accepted; '//' is standard."},
	{"LNT006", Hint, "'{a}' and '{b}' spell one key in two ways."},
	{"LNT007", Info, "'{event}' never fires without '@{trait}'."},
	{"LNT008", Info, "{kind} is unusual in {format} files."},
	{"LNT009", Warning, "This looks like a secret; use '${env.NAME}'."},
	{"LNT010", Hint, "{n} nodes differ only in place; a template would do."},
	{"LNT014", Hint, "Name uses letters beyond ASCII."},
	{"LNT015", Hint, "Nothing that is shown or runs uses '{name}'."},
	{"INT001", Error, "Internal fault while {stage}; please report it."},
}

var rowOf = index(Rows)

func index(rows []Row) map[Code]*Row {
	m := make(map[Code]*Row, len(rows))
	for i := range rows {
		m[rows[i].Code] = &rows[i]
	}
	return m
}

// Lookup finds the row of a code.
func Lookup(c Code) (Row, bool) {
	r := rowOf[c]
	if r == nil {
		return Row{}, false
	}
	return *r, true
}

// stages are the prefixes of codes in the order in which stages run. When a
// line has several errors the earliest stage keeps its own.
var stages = [...]string{"INT", "LIM", "SYN", "IMP", "NAM", "BLK", "TRT", "TYP", "STM", "FLO", "TGT", "LNT"}

func stage(c Code) int {
	for i, s := range stages {
		if strings.HasPrefix(string(c), s) {
			return i
		}
	}
	return len(stages)
}

// MaxQuote is how many characters of source text a message shows in quotes.
const MaxQuote = 40

// Message fills the slots of a code's message from left to right. A slot that
// stands in quotes is source text: it is cut at MaxQuote characters and its
// control characters become spaces. '{ }' and '${env.NAME}' are no slots.
func Message(c Code, slots ...string) string { return fill(rowOf[c].Message, slots) }

// Second is Message for the second message of a code that has two.
func Second(c Code, slots ...string) string { return fill(seconds[c], slots) }

func fill(text string, slots []string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '{')
		if i < 0 || len(slots) == 0 {
			b.WriteString(text)
			return b.String()
		}
		j := i + strings.IndexByte(text[i:], '}')
		b.WriteString(text[:i])
		if i > 0 && text[i-1] == '\'' || i > 1 && text[i-2:i] == "'@" || i > 1 && text[i-2:i] == "'#" {
			b.WriteString(clip(slots[0]))
		} else {
			b.WriteString(slots[0])
		}
		slots, text = slots[1:], text[j+1:]
	}
}

func clip(s string) string {
	if utf8.RuneCountInString(s) > MaxQuote {
		n := 0
		for i := range s {
			if n == MaxQuote-1 {
				s = s[:i] + "…"
				break
			}
			n++
		}
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// seconds are the messages of the codes that have two.
var seconds = map[Code]string{
	"TYP002": "Argument {i} should be {type}.",
}
