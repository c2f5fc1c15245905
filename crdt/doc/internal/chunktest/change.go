// Package chunktest writes Automerge change chunks for tests: right ones, and
// wrong ones that no library would write. It is the counterpart of the strict
// decoder and knows no rules.
package chunktest

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
)

// Ref names an operation: the index of its actor in the chunk, 0 for the
// author, and its counter. The zero Ref is the root, or the head of a sequence.
type Ref struct{ Actor, Ctr uint64 }

// Op is one operation. Key set means a key of a map, else Elem an element.
type Op struct {
	Obj    Ref
	Key    string
	Elem   Ref
	Insert bool
	Action uint64
	Meta   uint64 // length << 4 | kind of Value; SetValue fills both
	Value  []byte
	Preds  []Ref
}

// The actions and the kinds of values of the format.
const (
	MakeMap, Set, MakeList, Del, MakeText, Inc, MakeTable, Mark = 0, 1, 2, 3, 4, 5, 6, 7

	Null, False, True, Uint, Int, Float, Text, Bytes, Counter, Timestamp = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
)

// The column specifications of the format.
const (
	ObjActor, ObjCtr              = 0x01, 0x02
	KeyActor, KeyCtr, KeyText     = 0x11, 0x13, 0x15
	Insert, Action                = 0x34, 0x42
	ValueMeta, Value              = 0x56, 0x57
	PredCount, PredActor, PredCtr = 0x70, 0x71, 0x73
	Expand, MarkName              = 0x94, 0xa5
)

// SetValue returns o with a value of a kind.
func (o Op) SetValue(kind uint64, v []byte) Op {
	o.Meta, o.Value = uint64(len(v))<<4|kind, v
	return o
}

// SetText returns o with a text value.
func (o Op) SetText(s string) Op { return o.SetValue(Text, []byte(s)) }

// Change is what a chunk says.
type Change struct {
	Deps    [][32]byte
	Actor   []byte
	Seq     uint64
	StartOp uint64
	Time    int64
	Message string
	Others  [][]byte
	Ops     []Op
	Extra   []byte            // after the columns
	Columns map[uint64][]byte // in place of what Ops gives, or beside it; nil leaves a column out
}

// Columns are the columns of ops in canonical form; empty ones are left out.
func Columns(ops []Op) map[uint64][]byte {
	var objActor, objCtr, keyActor, keyCtr, keyText, action, meta, predCount, predActor, predCtr [][]byte
	var insert []bool
	var value []byte
	var atKey, atPred uint64
	for _, o := range ops {
		if o.Obj == (Ref{}) {
			objActor, objCtr = append(objActor, nil), append(objCtr, nil)
		} else {
			objActor, objCtr = append(objActor, Uleb(o.Obj.Actor)), append(objCtr, Uleb(o.Obj.Ctr))
		}
		switch {
		case o.Key != "":
			keyActor, keyCtr, keyText = append(keyActor, nil), append(keyCtr, nil), append(keyText, prefixed(o.Key))
		case o.Elem == Ref{}:
			keyActor, keyCtr, keyText = append(keyActor, nil), append(keyCtr, Sleb(int64(0-atKey))), append(keyText, nil)
			atKey = 0
		default:
			keyActor, keyText = append(keyActor, Uleb(o.Elem.Actor)), append(keyText, nil)
			keyCtr = append(keyCtr, Sleb(int64(o.Elem.Ctr-atKey)))
			atKey = o.Elem.Ctr
		}
		insert = append(insert, o.Insert)
		action = append(action, Uleb(o.Action))
		meta = append(meta, Uleb(o.Meta))
		value = append(value, o.Value...)
		predCount = append(predCount, Uleb(uint64(len(o.Preds))))
		for _, p := range o.Preds {
			predActor = append(predActor, Uleb(p.Actor))
			predCtr = append(predCtr, Sleb(int64(p.Ctr-atPred)))
			atPred = p.Ctr
		}
	}
	columns := map[uint64][]byte{
		ObjActor: RLE(objActor...), ObjCtr: RLE(objCtr...),
		KeyActor: RLE(keyActor...), KeyCtr: RLE(keyCtr...), KeyText: RLE(keyText...),
		Insert: Bools(insert...), Action: RLE(action...),
		ValueMeta: RLE(meta...), Value: value,
		PredCount: RLE(predCount...), PredActor: RLE(predActor...), PredCtr: RLE(predCtr...),
	}
	maps.DeleteFunc(columns, func(_ uint64, b []byte) bool { return len(b) == 0 })
	return columns
}

// Encode writes the chunk.
func (c Change) Encode() []byte {
	b := Uleb(uint64(len(c.Deps)))
	for _, d := range c.Deps {
		b = append(b, d[:]...)
	}
	b = append(b, prefixed(string(c.Actor))...)
	b = append(b, Uleb(c.Seq)...)
	b = append(b, Uleb(c.StartOp)...)
	b = append(b, Sleb(c.Time)...)
	b = append(b, prefixed(c.Message)...)
	b = append(b, Uleb(uint64(len(c.Others)))...)
	for _, a := range c.Others {
		b = append(b, prefixed(string(a))...)
	}
	columns := Columns(c.Ops)
	for spec, data := range c.Columns {
		if columns[spec] = data; data == nil {
			delete(columns, spec)
		}
	}
	b = append(b, Uleb(uint64(len(columns)))...)
	specs := slices.Sorted(maps.Keys(columns))
	for _, s := range specs {
		b = append(append(b, Uleb(s)...), Uleb(uint64(len(columns[s])))...)
	}
	for _, s := range specs {
		b = append(b, columns[s]...)
	}
	return Seal(1, append(b, c.Extra...))
}

// Seal puts contents into a chunk of a type, with a right checksum.
func Seal(kind byte, contents []byte) []byte {
	hashed := append([]byte{kind}, Uleb(uint64(len(contents)))...)
	hashed = append(hashed, contents...)
	sum := sha256.Sum256(hashed)
	b := []byte{0x85, 0x6f, 0x4a, 0x83}
	return append(append(b, sum[:4]...), hashed...)
}

// Reseal corrects the checksum of a chunk whose contents were changed. It
// returns nil for what is too short for one.
func Reseal(chunk []byte) []byte {
	if len(chunk) < 9 {
		return nil
	}
	b := slices.Clone(chunk)
	sum := sha256.Sum256(b[8:])
	copy(b[4:], sum[:4])
	return b
}

// Hash is the hash of the change in chunk.
func Hash(chunk []byte) [32]byte { return sha256.Sum256(chunk[8:]) }

// Uleb is the shortest unsigned LEB128 of v.
func Uleb(v uint64) []byte { return binary.AppendUvarint(nil, v) }

// Sleb is the shortest signed LEB128 of v.
func Sleb(v int64) []byte {
	var b []byte
	for v < -64 || v > 63 {
		b = append(b, byte(v&0x7f|0x80))
		v >>= 7
	}
	return append(b, byte(v&0x7f))
}

func prefixed(s string) []byte { return append(Uleb(uint64(len(s))), s...) }

// RLE is the canonical column of rows, nil for null.
func RLE(rows ...[]byte) []byte {
	var b, literal []byte
	var literals int64
	some := false
	flush := func() {
		if literals > 0 {
			b = append(append(b, Sleb(-literals)...), literal...)
		}
		literals, literal = 0, nil
	}
	for i := 0; i < len(rows); {
		n := i + 1
		for n < len(rows) && (rows[n] == nil) == (rows[i] == nil) && string(rows[n]) == string(rows[i]) {
			n++
		}
		run := n - i
		switch {
		case rows[i] == nil:
			flush()
			b = append(append(b, 0), Uleb(uint64(run))...)
		case run > 1:
			flush()
			b = append(append(b, Sleb(int64(run))...), rows[i]...)
		default:
			literals++
			literal = append(literal, rows[i]...)
		}
		some = some || rows[i] != nil
		i = n
	}
	flush()
	if !some {
		return nil
	}
	return b
}

// Bools is the canonical column of booleans.
func Bools(rows ...bool) []byte {
	var b []byte
	for i, value := 0, false; i < len(rows); value = !value {
		n := i
		for n < len(rows) && rows[n] == value {
			n++
		}
		b = append(b, Uleb(uint64(n-i))...)
		i = n
	}
	return b
}
