package change_test

import (
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/internal/vectortest"
	"github.com/meshd/meshd/crdt/reason"
)

type headOut struct {
	ID vectortest.Hex `json:"id"`
}

// TestHeadForms: heads at and beyond each limit of the table, judged by their
// bytes alone.
func TestHeadForms(t *testing.T) {
	t.Parallel()
	var made []vectortest.Vector[bytesIn, headOut]
	add := func(field, name string, ok bool, fields cbor.Map) {
		t.Helper()
		h := vectortest.Hex(altered(t, fields))
		v := vectortest.Vector[bytesIn, headOut]{Name: field + ", " + name, Rule: strings.TrimSpace("4.2 " + field)}
		if v.In.Change = (vectortest.Change{&h, nil}); !ok {
			v.Code = reason.BadEncoding
		} else if c, err := change.Decode(h, nil); err != nil {
			t.Fatalf("%s, %s: %v", field, name, err)
		} else {
			v.Out = &headOut{c.ID[:]}
		}
		made = append(made, v)
	}
	first := cbor.Map{"seq": 1, "prev": []byte{}}
	types := map[string]any{"text": "x", "bytes": filled(1, 16), "int": 1, "list": []any{}, "map": cbor.Map{}, "bool": true}
	is := map[string]string{
		"v": "int", "bh": "bytes", "hlc": "int", "net": "bytes", "seq": "int", "sig": "bytes", "deps": "list", "kind": "text", "prev": "bytes",
		"size": "int", "proof": "list", "space": "text", "author": "bytes", "sig2": "bytes",
	}
	for _, field := range []string{"v", "bh", "hlc", "net", "seq", "sig", "deps", "kind", "prev", "sig2", "size", "proof", "space", "author"} {
		for _, typ := range []string{"text", "bytes", "int", "list", "map", "bool"} {
			if is[field] != typ {
				add(field, "is "+typ, false, cbor.Map{field: types[typ]})
			}
		}
	}
	for _, field := range []string{"bh", "net", "sig"} {
		size := map[string]int{"bh": 32, "net": 16, "sig": 64}[field]
		add(field, "one byte less", false, cbor.Map{field: filled(1, size-1)})
		add(field, "one byte more", false, cbor.Map{field: filled(1, size+1)})
	}
	add("deps", "8", true, cbor.Map{"deps": ids(8)})
	add("deps", "9", false, cbor.Map{"deps": append(ids(8), filled(0xaa, 32))})
	add("proof", "4", true, cbor.Map{"proof": ids(4)})
	add("proof", "5", false, cbor.Map{"proof": ids(5)})
	add("proof", "one twice", true, cbor.Map{"proof": append(ids(1), ids(1)...)})
	add("deps", "an item of 31 bytes", false, cbor.Map{"deps": []any{filled(1, 31)}})
	add("proof", "an item of 33 bytes", false, cbor.Map{"proof": []any{filled(1, 33)}})
	add("prev", "of 31 bytes at seq 2", false, cbor.Map{"prev": filled(9, 31)})
	add("prev", "of 33 bytes at seq 2", false, cbor.Map{"prev": filled(9, 33)})
	add("prev", "of 1 byte at seq 1", false, cbor.Map{"seq": 1, "prev": filled(9, 1)})
	add("prev", "of 1 byte at seq 2", false, cbor.Map{"prev": filled(9, 1)})
	add("prev", "empty at seq 1", true, first)
	add("prev", "32 zero bytes at seq 1", false, cbor.Map{"seq": 1, "prev": make([]byte, 32)})
	add("prev", "32 zero bytes at seq 2", false, cbor.Map{"prev": make([]byte, 32)})
	add("prev", "an id at seq 1", false, cbor.Map{"seq": 1})
	add("prev", "empty at seq 2", false, cbor.Map{"prev": []byte{}})
	add("kind", "24 bytes", true, cbor.Map{"kind": strings.Repeat("a", 24)})
	add("kind", "25 bytes", false, cbor.Map{"kind": strings.Repeat("a", 25)})
	for _, kind := range []string{"", ".", "a.", ".a", "a.b.c", "A", "a1", "a-b", "a..b", "é"} {
		add("kind", "\""+kind+"\"", false, cbor.Map{"kind": kind})
	}
	add("sig2", "on a control kind", true, cbor.Map{"kind": "grant", "sig2": filled(1, 3309)})
	add("sig2", "of one byte less", false, cbor.Map{"kind": "grant", "sig2": filled(1, 3308)})
	add("sig2", "of one byte more", false, cbor.Map{"kind": "grant", "sig2": filled(1, 3310)})
	add("sig2", "on a content kind", false, cbor.Map{"sig2": filled(1, 3309)})
	add("sig2", "on an unknown kind", false, cbor.Map{"kind": "zeta", "sig2": filled(1, 3309)})
	add("", "an unknown key in place of one that is absent", false, cbor.Map{"proof": nil, "extra": []any{}})
	add("", "an unknown key in place of sig2", false, cbor.Map{"extra": 1})
	add("author", "of 33 bytes", false, cbor.Map{"author": filled(0xed, 33)})
	add("author", "multicodec of X25519", false, cbor.Map{"author": append([]byte{0xec, 1}, filled(1, 32)...)})
	add("author", "unsound, which is judged with its signature", true, cbor.Map{"author": append([]byte{0xed, 1, 1}, make([]byte, 31)...)})
	for _, space := range []string{"net", "commons/a", "commons/" + strings.Repeat("z", 64), "commons/az09:_-"} {
		add("space", space, true, cbor.Map{"space": space})
	}
	id := strings.Repeat("a", 52)
	for _, space := range []string{"", "net/", "commons", "commons/", "commons/" + strings.Repeat("z", 65), "commons/A", "commons/a.b", "commons/a/b", "attic/a", "agent/", "agent/" + id[1:], "agent/" + id + "a", "agent/" + strings.ToUpper(id), "agent/" + id[1:] + "1", "agent/" + id[1:] + "b"} {
		add("space", "\""+space+"\"", false, cbor.Map{"space": space})
	}
	for _, area := range []string{"agent", "guild", "team"} {
		add("space", area, true, cbor.Map{"space": area + "/" + id})
	}
	for _, v := range vectortest.Golden(t, "change/heads.json", made) {
		c, err := v.In.Change.Decode()
		if got := reason.Of(err); got != v.Code || v.Code == "" && c.ID != change.ID(v.Out.ID) {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
}
