package jcs_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/meshd/meshd/identity/jcs"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		` { "b" : 1 , "a" : [ true , null ] } `: `{"a":[true,null],"b":1}`,
		// RFC 8785 §3.2.2 and §3.2.3
		`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`:                                        `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
		`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`: "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}",
		// RFC 8785 appendix B
		`[-0, 1e21, 1e20, 123456789012345680000, 9007199254740993, 5e-324, 1.7976931348623157e308, 1e-6, 1e-7, 1424953923781206.2]`: `[0,1e+21,100000000000000000000,123456789012345680000,9007199254740992,5e-324,1.7976931348623157e+308,0.000001,1e-7,1424953923781206.2]`,
		`"\ud83d\ude00\\ud83d"`: `"😀\\ud83d"`,
	} {
		got, err := jcs.Canonical([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("Canonical(%s)\n got %s, %v\nwant %s", in, got, err, want)
		}
	}
}

func TestCanonicalRefuses(t *testing.T) {
	t.Parallel()
	deep := bytes.Repeat([]byte("["), jcs.MaxDepth+1)
	for _, in := range []string{
		``, `{`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `1 2`, `NaN`, `01`, `1e400`, `"\ud800"`, `"\ud800\u0041"`, `"\udc00"`, "\"\xff\"", `{"a"}`, `[1,]`,
		string(deep),
	} {
		if out, err := jcs.Canonical([]byte(in)); !errors.Is(err, jcs.ErrInvalid) {
			t.Errorf("Canonical(%q) = %s, %v; want ErrInvalid", in, out, err)
		}
	}
	if _, _, err := jcs.CanonicalObject([]byte(`[]`)); err == nil {
		t.Error("an array passed as an object")
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add([]byte(`{"a":[1.5,"\u20ac",null],"b":{"c":-0}}`))
	f.Add([]byte(`"\ud83d\ude00"`))
	f.Fuzz(func(t *testing.T, in []byte) {
		out, err := jcs.Canonical(in)
		if err != nil {
			return
		}
		again, err := jcs.Canonical(out)
		if err != nil || !bytes.Equal(again, out) {
			t.Fatalf("not a fixed point: %s became %s, %v", out, again, err)
		}
	})
}
