package doc

import (
	"bytes"
	"encoding/hex"
	"strings"

	ct "github.com/meshd/meshd/crdt/doc/internal/chunktest"
)

// namedChunk is a case of a vector file. Text is a part of what a refusal says.
type namedChunk struct {
	name  string
	chunk []byte
	text  string
}

var (
	ann = bytes.Repeat([]byte{0x11}, 16)
	ben = bytes.Repeat([]byte{0x22}, 16)
	cat = bytes.Repeat([]byte{0x33}, 16)
)

// made are the chunks of one document as the library wrote them, in causal order.
var made = []struct{ name, chunk string }{
	{"library: every kind of value", "856f4a8350e24534018f010010000102030405060708090a0b0c0d0e0f01010000000a010802081108130c15153404420a56" +
		"0e570c700200050300000103000005030500010309000602000002020000057d00060100017d790a017b0362696f016e0175" +
		"026279017400037f016c00030503010304017f0403017f0203017726141327001626160002167f0068697b07010268c3a979" +
		"61620c00"},
	{"library: edits of text, list and map", "856f4a8396606fbd018f010150e245346dc764f01f90c7c8917e4d11313a9dee937baa8f7a063aa342675502100001020304" +
		"05060708090a0b0c0d0e0f020d0000000c010402061104130715083403420856085702700571027306040000020205020900" +
		"02040000027c077f0401000200047e026279016e0101047f03020102037f017f00021602007f02657a7e0100040105007b07" +
		"0301797e"},
	{"library: another author", "856f4a836b866aa501760196606fbd3ce5d739f21faa562ff8105033fcb7ff705228ee15b1dd340356b7c910ff0102030405" +
		"060708090a0b0c0d0e0f011300000110000102030405060708090a0b0c0d0e0f090104020413041505340242025603570170" +
		"0200017f0100017f0900017f007f01780001010102017e0016710200"},
	{"library: concurrent change", "856f4a83f1cc1f00014f0196606fbd3ce5d739f21faa562ff8105033fcb7ff705228ee15b1dd340356b7c910000102030405" +
		"060708090a0b0c0d0e0f031300000005150634014202560270027f046d696e65017f017f017f00"},
	{"library: a change that joins heads", "856f4a837d3e99870158026b866aa59220f17921b186768672da953c53013f2a91b49fa9ccf61227ab8157f1cc1f009c8a3a" +
		"1cb58b88f65dd01fb79133f0ce42ddfb2dba073d43c21e8b6f10000102030405060708090a0b0c0d0e0f041500000000"},
	{"library: overwrite after the merge", "856f4a83a0d2398101a301026b866aa59220f17921b186768672da953c53013f2a91b49fa9ccf61227ab81577d3e9987faea" +
		"cf1c09f819ed80e2a97064b8ecab8ed819edb0363505f67b87b910ff0102030405060708090a0b0c0d0e0f02150000011000" +
		"0102030405060708090a0b0c0d0e0f0c0103020311041304150534014203560357017003710273027e01007e09157f000001" +
		"7f14000100017f0161027e00017e0016627e01007f007f14"},
}

func key(k string) ct.Op { return ct.Op{Key: k, Action: ct.Set} }

func ref(actor, ctr uint64) ct.Ref { return ct.Ref{Actor: actor, Ctr: ctr} }

// first is the first change of ann.
func first(ops ...ct.Op) ct.Change {
	return ct.Change{Actor: ann, Seq: 1, StartOp: 1, Ops: ops}
}

// base is what after builds on.
var base = first(key("a").SetText("x"), ct.Op{Key: "l", Action: ct.MakeList}, ct.Op{Key: "t", Action: ct.MakeText})

// after is the first change of ben, after three operations of ann.
func after(ops ...ct.Op) ct.Change {
	return ct.Change{
		Deps: [][32]byte{ct.Hash(base.Encode())}, Actor: ben, Seq: 1, StartOp: 4, Others: [][]byte{ann}, Ops: ops,
	}
}

// typed inserts s into obj, whose own counter is one below the first character.
func typed(obj ct.Ref, s string) []ct.Op {
	var ops []ct.Op
	elem := ct.Ref{}
	for i, r := range []rune(s) {
		ops = append(ops, ct.Op{Obj: obj, Elem: elem, Insert: true, Action: ct.Set}.SetText(string(r)))
		elem = ref(obj.Actor, obj.Ctr+1+uint64(i))
	}
	return ops
}

func acceptedChunks() []namedChunk {
	var cases []namedChunk
	add := func(name string, chunk []byte) { cases = append(cases, namedChunk{name: name, chunk: chunk}) }

	for _, m := range made {
		b, err := hex.DecodeString(m.chunk)
		if err != nil {
			panic(err)
		}
		add(m.name, b)
	}
	add("one text", first(key("bio").SetText("hi")).Encode())
	add("no operation", first().Encode())
	add("every value", first(
		key("a"), key("b").SetValue(ct.False, nil), key("c").SetValue(ct.True, nil),
		key("d").SetValue(ct.Uint, ct.Uleb(1<<63-1)), key("e").SetValue(ct.Int, ct.Sleb(-1<<63)),
		key("f").SetText(""), key("g").SetValue(ct.Bytes, []byte{}), key("h").SetText(strings.Repeat("é", MaxScalar/2)),
	).Encode())
	add("longest key", first(key(strings.Repeat("k", MaxKey))).Encode())
	add("overwrite", first(key("a").SetText("x"), ct.Op{Key: "a", Action: ct.Set, Preds: []ct.Ref{ref(0, 1)}}).Encode())
	add("live text", first(append([]ct.Op{{Key: "t", Action: ct.MakeText}}, typed(ref(0, 1), "héy🧟")...)...).Encode())
	add("delete a character", first(append(append([]ct.Op{{Key: "t", Action: ct.MakeText}}, typed(ref(0, 1), "ab")...),
		ct.Op{Obj: ref(0, 1), Elem: ref(0, 2), Action: ct.Del, Preds: []ct.Ref{ref(0, 2)}})...).Encode())
	add("five thousand items", func() []byte {
		ops := []ct.Op{{Key: "l", Action: ct.MakeList}}
		for i := range uint64(MaxOps - 1) {
			ops = append(ops, ct.Op{Obj: ref(0, 1), Elem: ref(0, i+1), Insert: true, Action: ct.Set})
		}
		ops[1].Elem = ct.Ref{}
		return first(ops...).Encode()
	}())
	add("deepest", first(nested(MaxDepth)...).Encode())
	add("three objects", base.Encode())
	add("another author's objects", after(
		ct.Op{Obj: ref(1, 2), Insert: true, Action: ct.Set},
		ct.Op{Key: "a", Action: ct.Del, Preds: []ct.Ref{ref(1, 1)}},
		ct.Op{Obj: ref(1, 2), Elem: ref(0, 4), Action: ct.MakeMap, Preds: []ct.Ref{ref(0, 4)}},
		ct.Op{Obj: ref(0, 6), Key: "in", Action: ct.Set},
	).Encode())
	return cases
}

// nested makes maps within maps, n deep.
func nested(n int) []ct.Op {
	var ops []ct.Op
	for i := range uint64(n) {
		ops = append(ops, ct.Op{Key: "m", Action: ct.MakeMap})
		if i > 0 {
			ops[i].Obj = ref(0, i)
		}
	}
	return ops
}

// with is change c with columns replaced; nil leaves one out.
func with(c ct.Change, columns ...any) []byte {
	c.Columns = map[uint64][]byte{}
	for i := 0; i < len(columns); i += 2 {
		data, _ := columns[i+1].([]byte)
		c.Columns[uint64(columns[i].(int))] = data
	}
	return c.Encode()
}

// patch replaces the first old in the contents of chunk.
func patch(chunk []byte, old, now string) []byte {
	i := bytes.Index(chunk[10:], []byte(old))
	if i < 0 {
		panic("patch: not found")
	}
	contents := bytes.Replace(chunk[10:], []byte(old), []byte(now), 1)
	return ct.Seal(1, contents)
}

func refusedChunks() []namedChunk {
	var cases []namedChunk
	add := func(name, text string, chunk []byte) { cases = append(cases, namedChunk{name, chunk, text}) }
	refusedHeaders(add)
	refusedColumns(add)
	refusedOps(add)
	refusedRefs(add)
	return cases
}

func refusedHeaders(add func(name, text string, chunk []byte)) {
	plain := first(key("bio").SetText("hi"))
	good := plain.Encode()
	contents := good[10:]
	edited := func(f func(*ct.Change)) []byte {
		c := plain
		f(&c)
		return c.Encode()
	}

	add("nothing", "magic", nil)
	add("magic", "magic", append([]byte{0x86}, good[1:]...))
	add("only magic", "checksum", good[:4])
	add("no type", "uncompressed change", good[:8])
	add("checksum", "checksum does not match", append(append(bytes.Clone(good[:7]), good[7]^1), good[8:]...))
	add("document chunk", "uncompressed change", ct.Seal(0, contents))
	add("compressed chunk", "uncompressed change", ct.Seal(2, contents))
	add("length missing", "chunk length", good[:9])
	add("length short", "length says", ct.Reseal(append(append(bytes.Clone(good[:9]), good[9]-1), contents...)))
	add("trailing bytes", "length says", ct.Reseal(append(bytes.Clone(good), 0)))
	add("truncated", "length says", ct.Reseal(good[:len(good)-1]))
	add("length not shortest", "shortest", ct.Reseal(append(append(bytes.Clone(good[:9]), good[9]|0x80, 0), contents...)))
	add("empty contents", "dependencies", ct.Seal(1, nil))

	deps := func(n int) (d [][32]byte) {
		for i := range n {
			d = append(d, [32]byte{byte(i)})
		}
		return d
	}
	add("dependencies over the limit", "65 dependencies", edited(func(c *ct.Change) { c.Deps = deps(MaxDeps + 1) }))
	add("dependencies out of order", "ascending", edited(func(c *ct.Change) { c.Deps = [][32]byte{{2}, {1}} }))
	add("dependency twice", "ascending", edited(func(c *ct.Change) { c.Deps = [][32]byte{{1}, {1}} }))
	add("dependency cut off", "ends early", ct.Seal(1, []byte{1, 0}))
	add("actor of 15 bytes", "actor", edited(func(c *ct.Change) { c.Actor = ann[:15] }))
	add("actor of 17 bytes", "actor", edited(func(c *ct.Change) { c.Actor = append(bytes.Clone(ann), 0) }))
	add("actor cut off", "actor", ct.Seal(1, contents[:10]))
	add("seq cut off", "seq", ct.Seal(1, contents[:18]))
	add("seq 0", "out of range", edited(func(c *ct.Change) { c.Seq = 0 }))
	add("seq 2 without dependencies", "without dependencies", edited(func(c *ct.Change) { c.Seq = 2 }))
	add("start op 0", "out of range", edited(func(c *ct.Change) { c.StartOp = 0 }))
	add("start op over the limit", "out of range", edited(func(c *ct.Change) { c.StartOp = maxCounter + 1 }))
	add("counter over the limit", "out of range", edited(func(c *ct.Change) {
		c.StartOp, c.Ops = maxCounter, []ct.Op{key("a"), key("b")}
	}))
	add("start op not shortest", "shortest", ct.Seal(1, append(append(bytes.Clone(contents[:19]), 0x81, 0), contents[20:]...)))
	add("start op too large", "too large", ct.Seal(1, append(append(bytes.Clone(contents[:19]), bytes.Repeat([]byte{0xff}, 10)...), contents[20:]...)))
	add("time", "time is not 0", edited(func(c *ct.Change) { c.Time = 1 }))
	add("message", "message is not empty", edited(func(c *ct.Change) { c.Message = "x" }))
	add("others out of order", "ascending", edited(func(c *ct.Change) { c.Others = [][]byte{cat, ben} }))
	add("others twice", "ascending", edited(func(c *ct.Change) { c.Others = [][]byte{ben, ben} }))
	add("others with the author", "name the author", edited(func(c *ct.Change) { c.Others = [][]byte{ann} }))
	add("others of 15 bytes", "other actors", edited(func(c *ct.Change) { c.Others = [][]byte{ben[:15]} }))
	add("others not used", "not referred to", edited(func(c *ct.Change) { c.Others = [][]byte{ben} }))
	add("others without end", "at most", ct.Seal(1, append(bytes.Clone(contents[:22]), ct.Uleb(1<<60)...)))
	add("extra bytes", "extra bytes", edited(func(c *ct.Change) { c.Extra = []byte{0} }))
}

func refusedColumns(add func(name, text string, chunk []byte)) {
	one := first(key("a"))
	two := first(key("a"), key("b"))

	add("column unknown", "not allowed", with(one, 0xb2, []byte{1}))
	add("column compressed", "not allowed", with(one, ct.Value|8, []byte{1}))
	add("column of marks: expand", "not allowed", with(one, ct.Expand, []byte{1}))
	add("column of marks: name", "not allowed", with(one, ct.MarkName, []byte{0x7f, 1, 'b'}))
	add("column empty", "left out", with(one, ct.ObjActor, []byte{}))
	add("columns out of order", "ascending", patch(one.Encode(), "\x15\x03\x34\x01", "\x34\x01\x15\x03"))
	add("column twice", "ascending", patch(one.Encode(), "\x15\x03\x34\x01", "\x15\x03\x15\x01"))
	add("columns cut off", "columns", ct.Seal(1, one.Encode()[10:34]))
	add("column longer than the chunk", "ends early", patch(one.Encode(), "\x70\x02", "\x70\x03"))

	add("run of one", "canonical", with(one, ct.Action, []byte{1, ct.Set}))
	add("run split", "canonical", with(two, ct.Action, []byte{0x7f, ct.Set, 0x7f, ct.Set}))
	add("run after the same value", "canonical", with(first(key("a"), key("b"), key("c"), key("d")), ct.Action, []byte{2, ct.Set, 2, ct.Set}))
	add("run inside a literal", "canonical", with(two, ct.Action, []byte{0x7e, ct.Set, ct.Set}))
	add("literal split", "canonical", with(first(key("a"), ct.Op{Key: "b", Action: ct.MakeMap}), ct.Action, []byte{0x7f, ct.Set, 0x7f, ct.MakeMap}))
	add("null run of none", "canonical", with(one, ct.KeyText, []byte{0, 0, 0x7f, 1, 'a'}))
	add("null run split", "canonical", with(after(key("a"), key("b"), ct.Op{Obj: ref(1, 2), Insert: true, Action: ct.Set}), ct.ObjActor, []byte{0, 1, 0, 1, 0x7f, 1}))
	add("column of nulls", "left out", with(one, ct.ObjActor, []byte{0, 1}, ct.ObjCtr, []byte{0, 1}))
	add("column too short", "one row for each", with(two, ct.KeyText, []byte{0x7f, 1, 'a'}))
	add("column too long", "one row for each", with(one, ct.KeyText, []byte{0x7e, 1, 'a', 1, 'b'}))
	add("run too long", "one row for each", with(one, ct.PredCount, []byte{2, 0}))
	add("run of 2^62", "one row for each", with(one, ct.PredCount, append(ct.Sleb(1<<62), 0)))
	add("run length not shortest", "shortest", with(one, ct.PredCount, []byte{0xff, 0x7f, 0}))
	add("run length too large", "too large", with(one, ct.PredCount, append(bytes.Repeat([]byte{0x80}, 9), 1, 0)))
	add("run without value", "ends early", with(one, ct.PredCount, []byte{0x7f}))
	add("action without end", "more than 5000", with(one, ct.Action, append(ct.Sleb(1<<40), ct.Set),
		ct.KeyText, append(ct.Sleb(1<<40), 1, 'a'), ct.Insert, ct.Uleb(1<<40), ct.ValueMeta, append(ct.Sleb(1<<40), 0), ct.PredCount, append(ct.Sleb(1<<40), 0)))
	add("flags missing", "insert column", with(one, ct.Insert, nil))
	add("flags too long", "insert column", with(one, ct.Insert, []byte{2}))
	add("flags with an empty run", "canonical", with(two, ct.Insert, []byte{1, 0, 1}))
	add("flags without end", "insert column", with(one, ct.Insert, []byte{0}))
	add("columns without operations", "one row for each", with(first(), ct.PredCount, []byte{0x7f, 0}))
	add("values without operations", "one row for each", with(first(), ct.Value, []byte{0}))
}

func refusedOps(add func(name, text string, chunk []byte)) {
	set := func(o ct.Op) []byte { return first(o).Encode() }
	one := first(key("a"))

	add("action increment", "action 5", set(ct.Op{Key: "a", Action: ct.Inc}.SetValue(ct.Int, []byte{1})))
	add("action make table", "action 6", set(ct.Op{Key: "a", Action: ct.MakeTable}))
	add("action mark", "action 7", set(ct.Op{Key: "a", Action: ct.Mark}))
	add("action null", "null where", with(first(key("a"), key("b")), ct.Action, []byte{0, 1, 0x7f, 1}))
	add("value float", "value type 5", set(key("a").SetValue(ct.Float, make([]byte, 8))))
	add("value counter", "value type 8", set(key("a").SetValue(ct.Counter, []byte{1})))
	add("value timestamp", "value type 9", set(key("a").SetValue(ct.Timestamp, []byte{1})))
	add("value link", "value type 10", set(key("a").SetValue(10, []byte("x"))))
	add("value of unknown type", "value type 15", set(key("a").SetValue(15, nil)))
	add("value missing", "value column", with(one, ct.ValueMeta, nil))
	add("null with bytes", "out of range", set(key("a").SetValue(ct.Null, []byte{0})))
	add("true with bytes", "out of range", set(key("a").SetValue(ct.True, []byte{1})))
	add("integer beyond 63 bits", "too large", set(key("a").SetValue(ct.Uint, ct.Uleb(1<<63))))
	add("unsigned not shortest", "shortest", set(key("a").SetValue(ct.Uint, []byte{0x81, 0})))
	add("integer not shortest", "shortest", set(key("a").SetValue(ct.Int, []byte{0xff, 0x7f})))
	add("integer with more bytes", "shortest", set(key("a").SetValue(ct.Int, []byte{1, 1})))
	add("integer without bytes", "ends early", set(key("a").SetValue(ct.Int, nil)))
	add("text not UTF-8", "not UTF-8", set(key("a").SetText("\xff")))
	add("text of a surrogate", "not UTF-8", set(key("a").SetText("\xed\xa0\x80")))
	add("text over the limit", "4097 bytes", set(key("a").SetText(strings.Repeat("x", MaxScalar+1))))
	add("bytes over the limit", "4097 bytes", set(key("a").SetValue(ct.Bytes, make([]byte, MaxScalar+1))))
	add("value cut off", "ends early", with(first(key("a").SetText("xy")), ct.Value, []byte("x")))
	add("value with more bytes", "one row for each", with(first(key("a").SetText("x")), ct.Value, []byte("xy")))
	add("make with a value", "only a set", set(ct.Op{Key: "a", Action: ct.MakeMap}.SetText("x")))
	add("delete with a value", "only a set", first(key("a"), ct.Op{Key: "a", Action: ct.Del, Preds: []ct.Ref{ref(0, 1)}}.SetText("x")).Encode())

	add("key missing", "null where", with(one, ct.KeyText, nil))
	add("key empty", "key of 0 bytes", with(one, ct.KeyText, []byte{0x7f, 0}))
	add("key over the limit", "key of 65 bytes", set(key(strings.Repeat("k", MaxKey+1))))
	add("key not UTF-8", "not UTF-8", set(key("\xff")))
	add("key of both kinds", "both", with(one, ct.KeyCtr, []byte{0x7f, 0}))
	add("key with actor alone", "null where", with(after(ct.Op{Obj: ref(1, 2), Insert: true, Action: ct.Set}), ct.KeyActor, []byte{0x7f, 0}, ct.KeyCtr, nil))
	add("key counter without actor", "null where", with(first(ct.Op{Obj: ref(0, 1), Insert: true, Action: ct.Set}), ct.KeyCtr, []byte{0x7f, 1}, ct.ObjActor, nil, ct.ObjCtr, nil))
	add("key counter below zero", "out of range", with(first(ct.Op{Insert: true, Action: ct.Set}), ct.KeyCtr, []byte{0x7f, 0x7f}))
	add("key counter beyond range", "out of range", with(first(ct.Op{Insert: true, Action: ct.Set}), ct.KeyCtr, append([]byte{0x7f}, ct.Sleb(1<<40)...)))
	add("update of the head", "no element", after(ct.Op{Obj: ref(1, 2), Action: ct.Set}).Encode())
	add("element of the root", "root is a map", first(ct.Op{Insert: true, Action: ct.Set}).Encode())
	add("insert into a map", "insert into a map", first(ct.Op{Key: "a", Insert: true, Action: ct.Set}).Encode())
	add("insert that replaces", "insert replaces", after(ct.Op{Obj: ref(1, 2), Insert: true, Action: ct.Set, Preds: []ct.Ref{ref(1, 3)}}).Encode())
	add("insert that deletes", "insert replaces", after(ct.Op{Obj: ref(1, 2), Insert: true, Action: ct.Del}).Encode())
	add("delete of nothing", "nothing to delete", set(ct.Op{Key: "a", Action: ct.Del}))
}

func refusedRefs(add func(name, text string, chunk []byte)) {
	over := func(preds ...ct.Ref) []byte { return after(ct.Op{Key: "a", Action: ct.Set, Preds: preds}).Encode() }
	item := func(o ct.Op) ct.Op { o.Obj = ref(1, 2); return o }

	add("object actor beyond range", "actor index 2", after(ct.Op{Obj: ref(2, 1), Key: "a", Action: ct.Set}).Encode())
	add("object counter 0", "counter 0", after(ct.Op{Obj: ref(1, 0), Key: "a", Action: ct.Set}).Encode())
	add("object counter not below", "counter 4", after(ct.Op{Obj: ref(1, 4), Key: "a", Action: ct.Set}).Encode())
	add("object without counter", "object column", with(after(ct.Op{Obj: ref(1, 1), Key: "a", Action: ct.Set}), ct.ObjCtr, nil))
	add("element actor beyond range", "actor index 2", after(item(ct.Op{Elem: ref(2, 1), Insert: true, Action: ct.Set})).Encode())
	add("element counter not below", "counter 9", after(item(ct.Op{Elem: ref(1, 9), Insert: true, Action: ct.Set})).Encode())
	add("predecessor actor beyond range", "actor index 2", over(ref(2, 1)))
	add("predecessor counter not below", "counter 4", over(ref(1, 4)))
	add("predecessors out of order", "ascending", over(ref(1, 2), ref(1, 1)))
	add("predecessor twice", "ascending", over(ref(1, 1), ref(1, 1)))
	add("predecessors out of actor order", "ascending", over(ref(0, 1), ref(1, 1)))
	add("predecessors missing", "predecessor", with(after(ct.Op{Key: "a", Action: ct.Set, Preds: []ct.Ref{ref(1, 1)}}), ct.PredActor, nil, ct.PredCtr, nil))
	add("predecessors without end", "more than 10000", with(first(key("a")), ct.PredCount, append([]byte{0x7f}, ct.Uleb(1<<62)...)))
	add("predecessor count null", "null where", with(first(key("a"), key("b")), ct.PredCount, []byte{0, 1, 0x7f, 0}))

	list := ct.Op{Key: "l", Action: ct.MakeList}
	text := ct.Op{Key: "t", Action: ct.MakeText}
	add("own object that is a value", "object does not exist", first(key("a"), ct.Op{Obj: ref(0, 1), Key: "b", Action: ct.Set}).Encode())
	add("key in an own list", "does not fit", first(list, ct.Op{Obj: ref(0, 1), Key: "b", Action: ct.Set}).Encode())
	add("element of an own map", "does not fit", first(ct.Op{Key: "m", Action: ct.MakeMap}, ct.Op{Obj: ref(0, 1), Insert: true, Action: ct.Set}).Encode())
	add("own element that is no insert", "element does not exist", first(list, key("a"), ct.Op{Obj: ref(0, 1), Elem: ref(0, 2), Insert: true, Action: ct.Set}).Encode())
	add("own element of another list", "element does not exist", first(list, ct.Op{Key: "k", Action: ct.MakeList},
		ct.Op{Obj: ref(0, 1), Insert: true, Action: ct.Set}, ct.Op{Obj: ref(0, 2), Elem: ref(0, 3), Insert: true, Action: ct.Set}).Encode())
	add("own predecessor at another key", "stands elsewhere", first(key("a"), ct.Op{Key: "b", Action: ct.Set, Preds: []ct.Ref{ref(0, 1)}}).Encode())
	add("own predecessor that is a delete", "stands elsewhere", first(key("a"), ct.Op{Key: "a", Action: ct.Del, Preds: []ct.Ref{ref(0, 1)}},
		ct.Op{Key: "a", Action: ct.Set, Preds: []ct.Ref{ref(0, 2)}}).Encode())
	add("number in a live text", "only inserted characters", first(text, ct.Op{Obj: ref(0, 1), Insert: true, Action: ct.Set}).Encode())
	add("empty character in a live text", "only inserted characters", first(text, ct.Op{Obj: ref(0, 1), Insert: true, Action: ct.Set}.SetText("")).Encode())
	add("map in a live text", "only inserted characters", first(text, ct.Op{Obj: ref(0, 1), Insert: true, Action: ct.MakeMap}).Encode())
	add("character overwritten", "only inserted characters", first(append([]ct.Op{text}, append(typed(ref(0, 1), "a"),
		ct.Op{Obj: ref(0, 1), Elem: ref(0, 2), Action: ct.Set, Preds: []ct.Ref{ref(0, 2)}}.SetText("b"))...)...).Encode())
	add("nested too deep", "nested deeper", first(nested(MaxDepth+1)...).Encode())
}
