package rules_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/meshd/meshd/crdt/cbor"
	"github.com/meshd/meshd/crdt/reason"
)

// A fieldCase is one value of a key and what the row says of a body with it.
type fieldCase struct {
	name  string
	value any
	code  reason.Code // "" when the row is valid
}

// gone stands for no value: the key is left out.
type gone struct{}

const badForm = reason.BadEncoding

func filled(n int) []byte { return bytes.Repeat([]byte{1}, n) }

func wide(n int) string { return strings.Repeat("é", n) }

func repeat(n int, v any) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// otherTypes are values of every type but those of the names in but.
func otherTypes(but ...string) (out []fieldCase) {
	for _, c := range []fieldCase{
		{"text", "x", badForm}, {"bytes", filled(32), badForm}, {"int", 1, badForm}, {"list", []any{}, badForm},
		{"map", cbor.Map{}, badForm}, {"bool", true, badForm}, {"null", nil, badForm},
	} {
		skip := false
		for _, b := range but {
			skip = skip || b == c.name
		}
		if !skip {
			c.name = "is " + c.name
			out = append(out, c)
		}
	}
	return out
}

// textForm is text of least…most characters.
func textForm(least, most int) []fieldCase {
	out := append(otherTypes("text"),
		fieldCase{fmt.Sprintf("%d characters", most), wide(most), ""}, fieldCase{fmt.Sprintf("%d characters", most+1), wide(most + 1), badForm},
		fieldCase{fmt.Sprintf("%d characters", least), wide(least), ""})
	if least > 0 {
		out = append(out, fieldCase{fmt.Sprintf("%d characters", least-1), wide(least - 1), badForm})
	}
	return append(out, fieldCase{"not in NFC", "e\u0301 and more", badForm}, fieldCase{"with U+0000", "ab\x00", badForm})
}

// wordForm is one of some words.
func wordForm(words ...string) []fieldCase {
	out := otherTypes("text")
	for _, w := range words {
		out = append(out, fieldCase{w, w, ""})
	}
	return append(out, fieldCase{"another word", "zeta", badForm}, fieldCase{"upper case", strings.ToUpper(words[0][:1]) + words[0][1:], badForm},
		fieldCase{"empty", "", badForm}, fieldCase{"17 characters", strings.Repeat("z", 17), badForm})
}

// intForm is least…most.
func intForm(least, most int64) []fieldCase {
	out := append(otherTypes("int"), fieldCase{fmt.Sprint(least), least, ""}, fieldCase{fmt.Sprint(most), most, ""}, fieldCase{fmt.Sprint(least - 1), least - 1, badForm})
	if least > 0 {
		out = append(out, fieldCase{"-1", -1, badForm})
	}
	if most < cbor.MaxInt {
		out = append(out, fieldCase{fmt.Sprint(most + 1), most + 1, badForm})
	}
	return out
}

// bytesForm is least…most bytes.
func bytesForm(least, most int) []fieldCase {
	out := append(otherTypes("bytes"), fieldCase{fmt.Sprintf("%d bytes", most), filled(most), ""}, fieldCase{fmt.Sprintf("%d bytes", most+1), filled(most + 1), badForm})
	if least > 0 {
		return append(out, fieldCase{fmt.Sprintf("%d bytes", least), filled(least), ""}, fieldCase{fmt.Sprintf("%d bytes", least-1), filled(least - 1), badForm})
	}
	return append(out, fieldCase{"no bytes", []byte{}, ""})
}

// fixedForm is exactly size bytes.
func fixedForm(size int, good []byte) []fieldCase {
	return append(otherTypes("bytes"), fieldCase{fmt.Sprintf("%d bytes", size), good, ""},
		fieldCase{fmt.Sprintf("%d bytes", size-1), good[:size-1], badForm}, fieldCase{fmt.Sprintf("%d bytes", size+1), append(bytes.Clone(good), 1), badForm},
		fieldCase{"no bytes", []byte{}, badForm})
}

// idForm is an id or agent id.
func idForm() []fieldCase {
	return append(fixedForm(32, filled(32)), fieldCase{"32 zero bytes", make([]byte, 32), badForm})
}

// keyForm is an Ed25519 key.
func keyForm(good []byte) []fieldCase {
	other := bytes.Clone(good)
	other[0] = 0xec
	return append(fixedForm(34, good), fieldCase{"multicodec of X25519", other, badForm},
		fieldCase{"of small order", append([]byte{0xed, 1, 1}, make([]byte, 31)...), badForm},
		fieldCase{"not canonical", append([]byte{0xed, 1}, bytes.Repeat([]byte{0xff}, 32)...), badForm})
}

// listForm is at most most items, each of which is good; bad ones spoil a list
// that has a good one before them.
func listForm(most int, good any, bad ...fieldCase) []fieldCase {
	out := append(otherTypes("list"), fieldCase{"empty", []any{}, ""},
		fieldCase{fmt.Sprintf("%d items", most), repeat(most, good), ""}, fieldCase{fmt.Sprintf("%d items", most+1), repeat(most+1, good), badForm})
	for _, c := range bad {
		out = append(out, fieldCase{"an item " + c.name, []any{good, c.value}, c.code})
	}
	return out
}

func textsForm(most, length int) []fieldCase {
	return append(listForm(most, "a", otherTypes("text")...),
		fieldCase{fmt.Sprintf("an item of %d characters", length), []any{wide(length)}, ""}, fieldCase{fmt.Sprintf("an item of %d characters", length+1), []any{wide(length + 1)}, badForm})
}

func idsForm(most int) []fieldCase {
	return listForm(most, filled(32), append(otherTypes("bytes"), fieldCase{"of 31 bytes", filled(31), badForm}, fieldCase{"of 33 bytes", filled(33), badForm})...)
}

// mapForm is a map of fields, each case of which is put in place of the good one.
func mapForm(good cbor.Map, fields map[string][]fieldCase, order []string, need ...string) []fieldCase {
	out := otherTypes("map")
	for _, key := range need {
		out = append(out, fieldCase{"no " + key, drop(good, key), badForm})
	}
	for _, key := range order {
		for _, c := range fields[key] {
			out = append(out, fieldCase{key + " " + c.name, put(good, key, c.value), c.code})
		}
	}
	return append(out, fieldCase{"with a key of a later release", put(good, "zzz", 1), ""})
}

func put(m cbor.Map, key string, v any) cbor.Map {
	out := cbor.Map{}
	for k, old := range m {
		out[k] = old
	}
	if out[key] = v; v == (any)(gone{}) {
		delete(out, key)
	}
	return out
}

func drop(m cbor.Map, key string) cbor.Map { return put(m, key, gone{}) }
