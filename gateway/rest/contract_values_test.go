package rest_test

import (
	"encoding/json"
	"iter"
	"maps"
	"math"
	"strings"
)

// badTexts are what no parameter should be.
var badTexts = []string{
	"", " ", "0", "-1", "true", "null", "x", "é", "e\u0301", "日本語", "مرحبا", "\u202eevil", "\u200b\u200d", "👩‍🚀", "\ufeff", "a\x00b", "a\nb", "%", "%s%n",
	"../../etc/passwd", "..", ".", "a/b", "' OR 1=1 --", "<script>", "{{.}}", "${x}", strings.Repeat("a", 129), strings.Repeat("ü", 5000), "ent_", "agt_", "gld_",
	"ent_" + strings.Repeat("a", 52), "agt_" + strings.Repeat("7", 52), "did:key:z6Mk", "9223372036854775808", "1e999", "NaN", "2026-13-45T99:99:99Z",
}

// brokenBodies are no request at all.
var brokenBodies = []string{
	"", "{", "[]", "null", "1", `"x"`, "{}{}", "{'a':1}", `{"a":NaN}`, `{"a":1e999}`, "{\"a\":\"\xff\"}", `{"a":"\ud800"}`, `{"\u0000":1}`,
	strings.Repeat("[", 40) + strings.Repeat("]", 40), `{"a":` + strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 41),
	`{"x":"` + strings.Repeat("y", 300<<10) + `"}`, "{" + strings.Repeat(`"k":0,`, 3) + `"k":1}`, manyKeys(),
}

// brokenBytes are no request in CBOR, or a hollow one.
var brokenBytes = []string{
	"\x80", "\x81", "\x81\x80", "\x81\x82\x40\x40", "\x81\x82\x40\xf6", "\x81\x82\x41\x00\x41\x00", "\x81\x83\x40\x40\x40", "\x81\x82\x00\x00", "\x80\x80", "\x9f\xff",
	"\x98\x01\x82\x40\x40", "\xf6", "\xa0", "\x9b\xff\xff\xff\xff\xff\xff\xff\xff", "\x81\x82\x5b\x7f\xff\xff\xff\xff\xff\xff\xff\x00", "\x98\x41" + strings.Repeat("\x82\x40\x40", 65),
	strings.Repeat("\x81", 100), "\x81\x82\x58\xff" + strings.Repeat("\xa1", 255) + "\x40",
}

func manyKeys() string {
	m := map[string]int{}
	for i := range 300 {
		m[strings.Repeat("k", i+1)] = i
	}
	return mustJSON(m)
}

var badHeaders = [][2]string{
	{"Authorization", "Bearer"}, {"Authorization", "Bearer mesh_sk_" + strings.Repeat("A", 43)}, {"Authorization", "Basic eDp5"},
	{"Authorization", "Bearer eyJhbGciOiJub25lIn0.e30."}, {"X-API-Key", "mesh_sk_short"}, {"If-Match", `"7"`}, {"If-Match", "none"}, {"If-Match", "W/\"x\", \"y\""},
	{"If-None-Match", "*"}, {"Idempotency-Key", ""}, {"Idempotency-Key", strings.Repeat("k", 129)}, {"Idempotency-Key", "schlüssel"}, {"Accept", "nothing/known"},
	{"Accept", ";;;q=,"}, {"X-Request-Id", "../x"}, {"ucans", "a,b,c,d,e,f,g,h,i,j"}, {"Last-Event-ID", "x"}, {"Range", "bytes=5-1"}, {"Content-Encoding", "gzip"},
	{"Host", "evil.example"}, {"Origin", "https://evil.example"}, {"Origin", "null"}, {"X-Forwarded-For", "1.2.3.4, x"},
}

// anyValues are a value of each type, and those at the edge of numbers.
var anyValues = []any{
	nil, true, false, 0, -1, 1, 1.5, math.MaxInt64, -math.MaxFloat64, "", "x", "\u0000", "\u202e", "日本語のテキスト", []any{}, []any{nil}, []any{1, "a", map[string]any{}},
	[]any{[]any{[]any{}}}, map[string]any{}, map[string]any{"a": map[string]any{"b": []any{nil}}}, map[string]any{"": ""}, strings.Repeat("long ", 2000),
}

// badValues are those, and what lies at the bounds of a schema.
func badValues(schema map[string]any) []any {
	out := append([]any{}, anyValues...)
	for _, v := range valuesOf(schema) {
		out = append(out, v)
	}
	for _, key := range []string{"minimum", "maximum"} {
		if n, ok := number(schema[key]); ok {
			out = append(out, n, n-1, n+1, n+0.5)
		}
	}
	items, _ := schema["items"].(map[string]any)
	if most, ok := number(schema["maxItems"]); ok {
		list := make([]any, int(most)+1)
		for i := range list {
			list[i] = "x"
		}
		out = append(out, list, list[:len(list)-1])
	}
	if items != nil {
		for _, v := range valuesOf(items) {
			out = append(out, []any{v}, []any{v, v})
		}
		objects := []any{}
		for _, v := range anyValues {
			objects = append(objects, map[string]any{"title": v, "name": v, "id": v, "content": v, "url": v, "label": v, "path": v})
		}
		for _, o := range objects {
			out = append(out, []any{o})
		}
	}
	for _, s := range badTexts {
		out = append(out, s)
	}
	if schema["type"] == "object" {
		for _, v := range anyValues {
			out = append(out, map[string]any{"type": v, "content": v, "name": v, "access": v, "source": v, "value": v})
		}
	}
	return out
}

// valuesOf are texts at the bounds of a schema: at, below and above each length,
// every allowed value and one that is not.
func valuesOf(schema map[string]any) []string {
	var out []string
	for _, key := range []string{"minLength", "maxLength"} {
		if n, ok := number(schema[key]); ok {
			for _, size := range []int{int(n) - 1, int(n), int(n) + 1} {
				out = append(out, strings.Repeat("a", max(0, size)), strings.Repeat("ß", max(0, size)))
			}
		}
	}
	list, _ := schema["enum"].([]any)
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s, strings.ToUpper(s), s+" ")
		}
	}
	for _, key := range []string{"minimum", "maximum"} {
		if n, ok := number(schema[key]); ok {
			for _, v := range []float64{n - 1, n, n + 1, n + 0.5} {
				out = append(out, mustJSON(v))
			}
		}
	}
	return out
}

func number(v any) (float64, bool) {
	switch n := v.(type) {
	case json.Number:
		f, err := n.Float64()
		return f, err == nil
	case float64:
		return n, true
	}
	return 0, false
}

func changed(m map[string]any, key string, v any) map[string]any {
	out := maps.Clone(m)
	out[key] = v
	return out
}

func without(m map[string]any, key string) map[string]any {
	out := maps.Clone(m)
	delete(out, key)
	return out
}

func mustJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // values of this file
	}
	return string(raw)
}

func mapKeys[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }
