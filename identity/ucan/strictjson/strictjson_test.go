package strictjson_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/meshd/meshd/identity/ucan/strictjson"
)

func TestParse(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	cases := []struct {
		name, in string
		want     error
	}{
		{"object", ` { "a" : [ 1 , -0.5e+3 , true , false , null , "x" ] } `, nil},
		{"empty", ``, strictjson.ErrSyntax},
		{"white space", " \n", strictjson.ErrSyntax},
		{"two values", `1 2`, strictjson.ErrSyntax},
		{"trailing comma", `[1,]`, strictjson.ErrSyntax},
		{"leading comma", `[,1]`, strictjson.ErrSyntax},
		{"no comma", `[1 2]`, strictjson.ErrSyntax},
		{"wrong bracket", `[1}`, strictjson.ErrSyntax},
		{"open", `{"a":`, strictjson.ErrSyntax},
		{"open name", `{"a`, strictjson.ErrSyntax},
		{"name without value", `{"a"}`, strictjson.ErrSyntax},
		{"name of a number", `{1:2}`, strictjson.ErrSyntax},
		{"comment", `/**/1`, strictjson.ErrSyntax},
		{"byte order mark", "\ufeff1", strictjson.ErrSyntax},
		{"vertical tab", "\v1", strictjson.ErrSyntax},
		{"no-break space", "\u00a01", strictjson.ErrSyntax},
		{"NaN", `NaN`, strictjson.ErrSyntax},
		{"half a word", `tru`, strictjson.ErrSyntax},
		{"word in upper case", `True`, strictjson.ErrSyntax},
		{"leading zero", `01`, strictjson.ErrSyntax},
		{"plus", `+1`, strictjson.ErrSyntax},
		{"point first", `.5`, strictjson.ErrSyntax},
		{"point last", `5.`, strictjson.ErrSyntax},
		{"exponent of nothing", `5e`, strictjson.ErrSyntax},
		{"exponent of a sign", `5e-`, strictjson.ErrSyntax},
		{"minus", `-`, strictjson.ErrSyntax},
		{"minus zero", `-0`, nil},
		{"control character", "\"\x1f\"", strictjson.ErrSyntax},
		{"delete is a character", "\"\x7f\"", nil},
		{"unknown escape", `"\x41"`, strictjson.ErrSyntax},
		{"escape at the end", `"\`, strictjson.ErrSyntax},
		{"short escape", `"\u12"`, strictjson.ErrSyntax},
		{"escape with a sign", `"\u+123"`, strictjson.ErrSyntax},
		{"escapes", `"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"`, nil},
		{"lone high surrogate", `"\ud83d"`, strictjson.ErrText},
		{"lone low surrogate", `"\ude00"`, strictjson.ErrText},
		{"surrogates swapped", `"\ude00\ud83d"`, strictjson.ErrText},
		{"high, then a letter", `"\ud83dx"`, strictjson.ErrText},
		{"high, then half an escape", `"\ud83d\u12"`, strictjson.ErrSyntax},
		{"surrogate in UTF-8", "\"\xed\xa0\x80\"", strictjson.ErrText},
		{"overlong", "\"\xc0\xaf\"", strictjson.ErrText},
		{"half a character", "\"\xc3\"", strictjson.ErrText},
		{"replacement character", "\"\ufffd\"", nil},
		{"twice", `{"a":1,"a":1}`, strictjson.ErrDuplicate},
		{"twice, escaped", `{"a":1,"\u0061":1}`, strictjson.ErrDuplicate},
		{"twice, deeper", `[{"b":{"a":1,"a":1}}]`, strictjson.ErrDuplicate},
		{"twice, in another case", `{"a":1,"A":1}`, nil},
		{"as deep as may be", deep(strictjson.MaxDepth), nil},
		{"too deep", deep(strictjson.MaxDepth + 1), strictjson.ErrDepth},
		{"far too deep", strings.Repeat("[", 1<<20), strictjson.ErrDepth},
		{"too deep in objects", strings.Repeat(`{"a":`, 33) + "1" + strings.Repeat("}", 33), strictjson.ErrDepth},
		{"wide is not deep", "[" + strings.Repeat("[],", 99) + "[]]", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := strictjson.Parse([]byte(c.in))
			if !errors.Is(err, c.want) {
				t.Fatalf("%v, want %v", err, c.want)
			}
			if err == nil {
				sameAsStandard(t, c.in, got)
			}
		})
	}
}

// sameAsStandard compares with what encoding/json reads.
func sameAsStandard(t *testing.T, in string, got any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(in))
	d.UseNumber()
	var want any
	if err := d.Decode(&want); err != nil {
		t.Fatalf("encoding/json refuses %q: %v", in, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%#v, want %#v", got, want)
	}
}

func TestObject(t *testing.T) {
	t.Parallel()
	if o, err := strictjson.Object([]byte(`{"a":null}`)); err != nil || len(o) != 1 {
		t.Errorf("%v, %v", o, err)
	}
	for _, in := range []string{"[]", "null", `"{}"`, "{"} {
		if o, err := strictjson.Object([]byte(in)); !errors.Is(err, strictjson.ErrSyntax) || o != nil {
			t.Errorf("%s: %v, %v", in, o, err)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	v := map[string]any{"b": []any{json.Number("1.0"), nil, true}, "a": "<&>é", "": map[string]any{}}
	if got, err := strictjson.Text(v); err != nil || string(got) != `{"":{},"a":"<&>é","b":[1.0,null,true]}` {
		t.Errorf("%s, %v", got, err)
	}
	var deep any = "x"
	for range strictjson.MaxDepth {
		deep = []any{deep}
	}
	if got, err := strictjson.Text(deep); err != nil {
		t.Error(err)
	} else if _, err := strictjson.Parse(got); err != nil {
		t.Errorf("what is written is not read: %v", err)
	}
	for name, c := range map[string]struct {
		v    any
		want error
	}{
		"text":   {[]any{"\xff"}, strictjson.ErrText},
		"name":   {map[string]any{"\xff": 1}, strictjson.ErrText},
		"depth":  {[]any{deep}, strictjson.ErrDepth},
		"object": {map[string]any{"a": deep}, strictjson.ErrDepth},
	} {
		if _, err := strictjson.Text(c.v); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := strictjson.Text(func() {}); err == nil {
		t.Error("wrote a function")
	}
}

// What is read is what encoding/json reads, and is written so that it is read
// the same.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"a":[1,-0.5e+3,true,null,"\u00e9\ud83d\ude00"]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := strictjson.Parse(data)
		if err != nil {
			return
		}
		sameAsStandard(t, string(data), v)
		out, err := strictjson.Text(v)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := strictjson.Parse(out); err != nil || !reflect.DeepEqual(again, v) {
			t.Fatalf("%v: %#v, want %#v", err, again, v)
		}
	})
}
