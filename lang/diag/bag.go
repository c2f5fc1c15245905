package diag

import (
	"slices"
	"strconv"
)

// What a Bag keeps of one file.
const (
	MaxErrors = 100  // lines with an error; LIM009 counts the rest
	MaxNotes  = 1000 // warnings, infos and hints; the rest is dropped, a reader has long stopped
)

// Locator turns a byte offset into a 1-based line and column.
type Locator interface {
	Position(offset int) (line, column int)
}

// Bag gathers the findings of one file. It keeps at most one error a line (of the
// earliest stage, there the first reported), the first MaxErrors of them and the first
// MaxNotes other findings, whatever order they arrive in, so that memory does
// not grow with the damage. A Bag belongs to one goroutine.
type Bag struct {
	file    string
	at      Locator
	errors  []*Diagnostic
	byLine  map[int]int // line to index in errors
	notes   []*Diagnostic
	ceiling int         // errors that start behind it are counted only; 0 = none yet
	dropped lineSet     // of the errors behind it
	summary *Diagnostic // LIM009 of an earlier stage
}

// lineSet is a set of line numbers, a bit each.
type lineSet struct {
	bits []uint64
	n    int
}

func (s *lineSet) add(line int) {
	for line/64 >= len(s.bits) {
		s.bits = append(s.bits, 0)
	}
	if bit := uint64(1) << (line % 64); s.bits[line/64]&bit == 0 {
		s.bits[line/64] |= bit
		s.n++
	}
}

// NewBag makes the bag of a file.
func NewBag(file string, at Locator) *Bag {
	return &Bag{file: file, at: at, byLine: map[int]int{}}
}

// Add reports a finding at the bytes from start to end. The slots fill the
// message from left to right. The result may be given related places and fixes;
// it is nil when the bag did not keep the finding, and its methods allow that.
func (b *Bag) Add(c Code, start, end int, slots ...string) *Finding {
	return b.AddAs(rowOf[c].Severity, c, start, end, slots...)
}

// AddAs is Add with another severity than the table's.
func (b *Bag) AddAs(s Severity, c Code, start, end int, slots ...string) *Finding {
	if s == Error && b.ceiling > 0 && start > b.ceiling {
		line, _ := b.at.Position(start)
		b.dropped.add(line)
		return nil
	}
	if s != Error && len(b.notes) >= MaxNotes {
		return nil
	}
	if s == Error && b.summary != nil {
		return nil
	}
	d := &Diagnostic{Code: c, Severity: s, Message: Message(c, slots...), File: b.file, Offset: start, EndOffset: end}
	d.Line, d.Column = b.at.Position(start)
	d.EndLine, d.EndColumn = b.at.Position(end)
	if s != Error {
		b.notes = append(b.notes, d)
		return &Finding{b, d}
	}
	if i, taken := b.byLine[d.Line]; taken {
		if stage(c) >= stage(b.errors[i].Code) {
			return nil
		}
		b.errors[i] = d
		return &Finding{b, d}
	}
	b.byLine[d.Line] = len(b.errors)
	b.errors = append(b.errors, d)
	if len(b.errors) > 4*MaxErrors {
		b.cut()
	}
	return &Finding{b, d}
}

// cut keeps the first MaxErrors errors and counts the others.
func (b *Bag) cut() {
	if len(b.errors) <= MaxErrors {
		return
	}
	slices.SortFunc(b.errors, func(x, y *Diagnostic) int { return compare(*x, *y) })
	for _, d := range b.errors[MaxErrors:] {
		b.dropped.add(d.Line)
	}
	b.errors = b.errors[:MaxErrors]
	b.ceiling = b.errors[MaxErrors-1].EndOffset
	clear(b.byLine)
	for i, d := range b.errors {
		b.byLine[d.Line] = i
	}
}

// Keep takes findings that an earlier stage has made of the same file, as All
// returned them, so that both count as one. It is called before the first Add.
func (b *Bag) Keep(found []Diagnostic) {
	for i := range found {
		d := found[i]
		switch {
		case d.Code == LIM009:
			b.summary = &found[i]
			b.ceiling = max(d.Offset, 1)
		case d.Severity == Error:
			b.byLine[d.Line] = len(b.errors)
			b.errors = append(b.errors, &d)
		case len(b.notes) < MaxNotes:
			b.notes = append(b.notes, &d)
		}
	}
}

// HasErrors says whether an error was reported.
func (b *Bag) HasErrors() bool { return len(b.errors) > 0 }

// All returns the findings ordered by start and code, duplicates merged. When
// errors were left out the last one kept is followed by one LIM009. All may be
// called once, at the end.
func (b *Bag) All() []Diagnostic {
	b.cut()
	out := make([]Diagnostic, 0, len(b.errors)+len(b.notes)+1)
	for _, d := range b.errors {
		out = append(out, *d)
	}
	for _, d := range b.notes {
		out = append(out, *d)
	}
	slices.SortFunc(out, compare)
	out = slices.CompactFunc(out, func(x, y Diagnostic) bool { return compare(x, y) == 0 })
	if b.summary != nil { // the earlier stage has counted them
		return append(out, *b.summary)
	}
	if b.dropped.n > 0 {
		last := *b.errors[len(b.errors)-1]
		total := strconv.Itoa(len(b.errors) + b.dropped.n)
		out = append(out, Diagnostic{
			Code: LIM009, Severity: Error, Message: Message(LIM009, "the number of lines with errors", total, strconv.Itoa(MaxErrors)),
			File: b.file, Line: last.EndLine, Column: last.EndColumn, EndLine: last.EndLine, EndColumn: last.EndColumn,
			Offset: last.EndOffset, EndOffset: last.EndOffset,
		})
	}
	return out
}

// Finding is a kept diagnostic under construction.
type Finding struct {
	bag *Bag
	d   *Diagnostic
}

// Related adds a place that explains the finding.
func (f *Finding) Related(message string, start, end int) *Finding {
	if f != nil {
		line, column := f.bag.at.Position(start)
		f.d.Related = append(f.d.Related, Related{message, f.bag.file, line, column, start, end})
	}
	return f
}

// RelatedIn is Related for a place in another file.
func (f *Finding) RelatedIn(file, message string, line, column, start, end int) *Finding {
	if f != nil {
		f.d.Related = append(f.d.Related, Related{message, file, line, column, start, end})
	}
	return f
}

// Fix adds a change of one place in the same file.
func (f *Finding) Fix(title string, start, end int, text string) *Finding {
	if f != nil {
		f.d.Fixes = append(f.d.Fixes, Fix{title, []Edit{{f.bag.file, start, end, text}}})
	}
	return f
}

// And adds a second edit, behind the first, to the last fix.
func (f *Finding) And(start, end int, text string) *Finding {
	if f != nil && len(f.d.Fixes) > 0 {
		fix := &f.d.Fixes[len(f.d.Fixes)-1]
		fix.Edits = append(fix.Edits, Edit{f.bag.file, start, end, text})
	}
	return f
}

// Second gives the finding the second message of its code.
func (f *Finding) Second(slots ...string) *Finding {
	if f != nil {
		f.d.Message = Second(f.d.Code, slots...)
	}
	return f
}

// Suggest names the nearest right spelling.
func (f *Finding) Suggest(text string) *Finding {
	if f != nil {
		f.d.Suggestion = text
	}
	return f
}
