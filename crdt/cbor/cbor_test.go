package cbor_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/meshd/meshd/crdt/cbor"
	"pgregory.net/rapid"
)

func TestDecodeRefusesEveryBreachOfTheCanonicalForm(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{
		"empty":                       "",
		"integer not shortest, 1":     "1817",
		"integer not shortest, 2":     "1900ff",
		"integer not shortest, 4":     "1a0000ffff",
		"integer not shortest, 8":     "1b00000000ffffffff",
		"integer beyond 2^53-1":       "1b0020000000000000",
		"negative beyond 2^53-1":      "3b001fffffffffffff",
		"text length not shortest":    "7801" + "61",
		"indefinite text":             "7f6161ff",
		"indefinite array":            "9f01ff",
		"indefinite map":              "bf616101ff",
		"tag":                         "c001",
		"half float":                  "f90000",
		"double":                      "fb0000000000000000",
		"undefined":                   "f7",
		"simple value in two bytes":   "f820",
		"keys out of order by length": "a2" + "626161" + "01" + "6162" + "01",
		"keys out of order by bytes":  "a2" + "6162" + "01" + "6161" + "01",
		"key twice":                   "a2" + "6161" + "01" + "6161" + "01",
		"integer key":                 "a10101",
		"text not UTF-8":              "61ff",
		"text not NFC":                "63" + "65cc81",
		"text with U+0000":            "6100",
		"trailing byte":               "0100",
		"array beyond the end":        "9b00000000ffffffff",
		"bytes beyond the end":        "5b00000000ffffffff",
		"deeper than 8":               "818181818181818181" + "01",
		"cut in the middle of a map":  "a1" + "6161",
		"reserved additional info":    "1c",
		"break outside of indefinite": "ff",
	} {
		b, err := hex.DecodeString(in)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := cbor.Decode(b); !errors.Is(err, cbor.ErrEncoding) {
			t.Errorf("%s: Decode(%s) = %v, %v; want ErrEncoding", name, in, v, err)
		}
	}
}

func TestDecodeAcceptsTheEdges(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"00", "17", "1818", "1b001fffffffffffff", "20", "3b001ffffffffffffe", "40", "60", "80", "a0", "f4", "f5", "f6",
		"8181818181818181" + "01", "a2" + "6162" + "01" + "626161" + "01",
	} {
		b, _ := hex.DecodeString(in)
		v, err := cbor.Decode(b)
		if err != nil {
			t.Errorf("Decode(%s): %v", in, err)
			continue
		}
		if out, err := cbor.Encode(v); err != nil || !bytes.Equal(out, b) {
			t.Errorf("Encode(Decode(%s)) = %x, %v", in, out, err)
		}
	}
}

// value draws anything the encoding can express.
func value(depth int) *rapid.Generator[any] {
	gens := []*rapid.Generator[any]{
		rapid.Int64Range(-cbor.MaxInt, cbor.MaxInt).AsAny(),
		rapid.SliceOfN(rapid.Byte(), 0, 40).AsAny(),
		rapid.StringMatching(`[a-zäöü☃]{0,12}`).AsAny(),
		rapid.Bool().AsAny(),
		rapid.Just[any](nil),
	}
	if depth < cbor.MaxDepth {
		gens = append(gens,
			rapid.Custom(func(t *rapid.T) any {
				return rapid.SliceOfN(value(depth+1), 0, 4).Draw(t, "array")
			}),
			rapid.Custom(func(t *rapid.T) any {
				return rapid.MapOfN(rapid.StringMatching(`[a-z]{0,4}`), value(depth+1), 0, 4).Draw(t, "map")
			}))
	}
	return rapid.OneOf(gens...)
}

func TestDecodeThenEncodeGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b, err := cbor.Encode(value(0).Draw(t, "value"))
		if err != nil {
			t.Fatalf("encode: %v", err)
		}
		v, err := cbor.Decode(b)
		if err != nil {
			t.Fatalf("decode %x: %v", b, err)
		}
		if again, err := cbor.Encode(v); err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%x became %x, %v", b, again, err)
		}
	})
}

func TestEncodeRefusesWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	deep := any(int64(1))
	for range cbor.MaxDepth + 1 {
		deep = []any{deep}
	}
	for name, v := range map[string]any{
		"float": 1.5, "not NFC": "e\u0301", "too large": uint64(cbor.MaxInt + 1), "too small": int64(-cbor.MaxInt - 1),
		"too deep": deep, "key not NFC": cbor.Map{"e\u0301": 1}, "NUL": "a\x00",
	} {
		if b, err := cbor.Encode(v); err == nil {
			t.Errorf("%s: encoded as %x", name, b)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"a26161016162f6", "83010243616263", "1b001fffffffffffff", "818181818181818101"} {
		b, _ := hex.DecodeString(s)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := cbor.Decode(b)
		if err != nil {
			return
		}
		out, err := cbor.Encode(v)
		if err != nil || !bytes.Equal(out, b) {
			t.Fatalf("accepted %x but encodes %x, %v", b, out, err)
		}
	})
}
