package index

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"reflect"
	"slices"
	"testing"
)

// FuzzSegment gives decodeSegment bytes with a fitting checksum and works with what it
// accepts: nothing may panic, and damage has one name.
func FuzzSegment(f *testing.F) {
	_, good := history(f)
	for name, b := range good {
		if name != manifestName {
			f.Add(b[:len(b)-4])
		}
	}
	f.Fuzz(workWithSegment)
}

// TestForgedSegments changes each byte of good segments in several ways.
func TestForgedSegments(t *testing.T) {
	t.Parallel()
	_, good := history(t)
	for name, b := range good {
		if name == manifestName {
			continue
		}
		for at := range b[:len(b)-4] {
			for _, mask := range []byte{0x01, 0x10, 0x80, 0xff} {
				forged := slices.Clone(b[:len(b)-4])
				forged[at] ^= mask
				workWithSegment(t, forged)
			}
		}
	}
}

// workWithSegment decodes b, which lacks its checksum, and uses what comes out.
func workWithSegment(t *testing.T, b []byte) {
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	ix := mustOpen(t, "")
	s, err := decodeSegment(b, len(ix.cfg.Fields))
	if err != nil {
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("error %v, want %v", err, ErrCorrupt)
		}
		return
	}
	ix.segments = []*segment{s}
	for space := range s.parts {
		for _, q := range []Query{{}, {Text: "first second"}, {Text: "first", FieldsOnly: []string{"title"}, After: &Mark{Score: 1, Key: "b"}}} {
			if _, err := ix.Search(space, q); err != nil && !errors.Is(err, ErrCorrupt) {
				t.Errorf("search: %v", err)
			}
		}
		mustPut(t, ix, space, entry("a", "third", ""))
		if err := ix.Delete(space, "d"); err != nil {
			t.Error(err)
		}
	}
	if _, err := encodeSegment([]map[string]*part{s.parts, ix.mem.spaces}, len(ix.cfg.Fields)); err != nil && !errors.Is(err, ErrCorrupt) {
		t.Errorf("merge: %v", err)
	}
}

// FuzzManifest does the same for the manifest.
func FuzzManifest(f *testing.F) {
	first, second := history(f)
	for _, files := range []map[string][]byte{first, second} {
		b := files[manifestName]
		f.Add(b[:len(b)-4])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
		if _, err := decodeManifest(b, Knowledge().print()); err != nil && !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrStale) {
			t.Errorf("error %v", err)
		}
	})
}

// FuzzSearchText compares the answers to any text with the linear scan's.
func FuzzSearchText(f *testing.F) {
	docs := []Document{
		entry("a", "ParseQuery of the network", "reads a query, then parses it"),
		entry("b", "東京都", "検索 of straße and HTTPServer's URLs"),
		entry("c", "query", ""),
	}
	ix := mustOpen(f, "")
	tw := make(twin)
	tw.put("s", docs...)
	mustPut(f, ix, "s", docs[0], docs[1])
	mustCommit(f, ix, 1)
	mustPut(f, ix, "s", docs[2])
	for _, text := range []string{"parse_query", "東京 検索", "the urls' server", "", "\xff\x00\x01kind"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxQueryText || len(queryTerms(text)) == maxQueryTerms {
			return
		}
		q := Query{Text: text}
		if got, want := mustSearch(t, ix, "s", q), tw.search("s", Knowledge(), q); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	})
}
