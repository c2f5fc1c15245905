package doc

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// The columns of an Automerge change have one row for each operation, run
// length encoded (https://automerge.org/automerge-binary-format-spec/). The
// readers here accept only what an encoder that always prefers the longest run
// writes, so equal rows have equal bytes: a chunk in any other spelling would
// get another hash when Automerge rebuilds it.

var (
	errRun     = errors.New("runs are not in canonical form")
	errRows    = errors.New("column does not have one row for each operation")
	errAllNull = errors.New("column of nulls must be left out")
	errNull    = errors.New("null where a value must stand")
	errUTF8    = errors.New("text is not UTF-8")
	errRange   = errors.New("number out of range")
)

// runKind is the kind of the run an rle reader stands in.
type runKind uint8

const (
	runNone runKind = iota
	runNull
	runRepeat
	runLiteral
)

// rle reads a column of runs. The item read by value is the raw bytes of one
// value, which equal bytes make equal because numbers are minimal.
type rle struct {
	r     reader
	value func(*reader) ([]byte, error)
	kind  runKind
	left  uint64 // rows of the current run not yet returned
	last  []byte // the value of the row before, nil after a null
	some  bool   // a row that is not null was seen
	empty bool   // the column is left out: every row is null
}

func newRLE(b []byte, value func(*reader) ([]byte, error)) rle {
	return rle{r: reader{b}, value: value, empty: len(b) == 0}
}

// next returns the raw bytes of the next row, nil for null.
func (c *rle) next() ([]byte, error) {
	if c.empty {
		return nil, nil
	}
	if c.left == 0 {
		if err := c.open(); err != nil {
			return nil, err
		}
	}
	c.left--
	if c.kind == runLiteral {
		v, err := c.value(&c.r)
		if err != nil {
			return nil, err
		}
		if c.last != nil && bytes.Equal(v, c.last) {
			return nil, errRun
		}
		c.last = v
	}
	return c.last, nil
}

// open reads the head of the next run. A repeat has at least two rows and
// another value than the row before; literals and nulls are never split.
func (c *rle) open() error {
	if len(c.r.b) == 0 {
		return errRows
	}
	n, err := c.r.sleb()
	switch {
	case err != nil:
		return err
	case n == 0:
		if c.left, err = c.r.uleb(); err != nil {
			return err
		}
		if c.left == 0 || c.kind == runNull {
			return errRun
		}
		c.kind, c.last = runNull, nil
	case n > 0:
		v, err := c.value(&c.r)
		if err != nil {
			return err
		}
		if n == 1 || c.last != nil && bytes.Equal(v, c.last) {
			return errRun
		}
		c.kind, c.left, c.last, c.some = runRepeat, uint64(n), v, true
	default:
		if c.kind == runLiteral {
			return errRun
		}
		c.kind, c.left, c.some = runLiteral, -uint64(n), true
	}
	return nil
}

// end reports whether the column ended with the last row.
func (c *rle) end() error {
	switch {
	case c.empty:
		return nil
	case c.left != 0 || len(c.r.b) != 0:
		return errRows
	case !c.some:
		return errAllNull
	}
	return nil
}

// more reports whether rows are left. It serves the one column whose length
// returns the number of operations.
func (c *rle) more() bool { return !c.empty && (c.left != 0 || len(c.r.b) != 0) }

func rawUleb(r *reader) ([]byte, error) {
	before := r.b
	_, err := r.uleb()
	return before[:len(before)-len(r.b)], err
}

func rawSleb(r *reader) ([]byte, error) {
	before := r.b
	_, err := r.sleb()
	return before[:len(before)-len(r.b)], err
}

// rawText keeps the length before the bytes, so that an empty text is not null.
func rawText(r *reader) ([]byte, error) {
	before := r.b
	n, err := r.uleb()
	if err != nil {
		return nil, err
	}
	s, err := r.take(n)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(s) {
		return nil, errUTF8
	}
	return before[:len(before)-len(r.b)], nil
}

// uints is a column of unsigned numbers.
type uints struct{ rle }

func newUints(b []byte) uints { return uints{newRLE(b, rawUleb)} }

// next returns the next number; ok is false for null.
func (c *uints) next() (v uint64, ok bool, err error) {
	raw, err := c.rle.next()
	if raw == nil || err != nil {
		return 0, false, err
	}
	v, err = (&reader{raw}).uleb()
	return v, true, err
}

// texts is a column of texts.
type texts struct{ rle }

func newTexts(b []byte) texts { return texts{newRLE(b, rawText)} }

// next returns the next text; ok is false for null.
func (c *texts) next() (s []byte, ok bool, err error) {
	raw, err := c.rle.next()
	if raw == nil || err != nil {
		return nil, false, err
	}
	r := reader{raw}
	n, err := r.uleb()
	if err != nil {
		return nil, false, err
	}
	s, err = r.take(n)
	return s, true, err
}

// deltas is a column of counters, each written as the difference to the one
// before; nulls do not count.
type deltas struct {
	rle
	at int64
}

func newDeltas(b []byte) deltas { return deltas{rle: newRLE(b, rawSleb)} }

// next returns the next counter, within 0 and maxCounter; ok is false for null.
func (c *deltas) next() (v uint64, ok bool, err error) {
	raw, err := c.rle.next()
	if raw == nil || err != nil {
		return 0, false, err
	}
	d, err := (&reader{raw}).sleb()
	if err != nil {
		return 0, false, err
	}
	if d < -maxCounter || d > maxCounter {
		return 0, false, errRange
	}
	c.at += d
	if c.at < 0 || c.at > maxCounter {
		return 0, false, errRange
	}
	return uint64(c.at), true, nil
}

// bools is a column of booleans: lengths of alternating runs, false first. Only
// the first may be empty.
type bools struct {
	r     reader
	value bool
	begun bool
	left  uint64
}

func newBools(b []byte) bools { return bools{r: reader{b}, value: true} }

func (c *bools) next() (bool, error) {
	for c.left == 0 {
		if len(c.r.b) == 0 {
			return false, errRows
		}
		n, err := c.r.uleb()
		if err != nil {
			return false, err
		}
		if n == 0 && c.begun {
			return false, errRun
		}
		c.value, c.begun, c.left = !c.value, true, n
	}
	c.left--
	return c.value, nil
}

func (c *bools) end() error {
	if c.left != 0 || len(c.r.b) != 0 {
		return errRows
	}
	return nil
}
