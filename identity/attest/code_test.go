package attest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/meshd/meshd/identity/keys"
)

// files are added files whose content is their path.
func files(paths ...string) []File {
	var out []File
	for _, p := range paths {
		out = append(out, File{p, Added, sha256.Sum256([]byte(p))})
	}
	return out
}

// The digest that a shell makes of the same lines:
//
//	printf 'b.txt:deleted:e3b0…\na.txt:added:ca97…\n' | LC_ALL=C sort | sha256sum
func TestDigestIsTheShells(t *testing.T) {
	t.Parallel()
	got, err := Digest([]File{
		{"b.txt", Deleted, sha256.Sum256(nil)},
		{"a.txt", Added, sha256.Sum256([]byte("a"))},
		{"a:b c.txt", ModifiedExecutable, sha256.Sum256([]byte("é"))},
	})
	if err != nil {
		t.Fatal(err)
	}
	lines := "a.txt:added:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb\n" +
		"a:b c.txt:modified-executable:4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c\n" +
		"b.txt:deleted:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n"
	if want := sha256.Sum256([]byte(lines)); got != want {
		t.Errorf("digest %x, want %x", got, want)
	}
	none, err := Digest(nil)
	if err != nil || none != sha256.Sum256(nil) {
		t.Errorf("no files: %x, %v", none, err)
	}
}

func TestDigestRefuses(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte("x"))
	long := strings.Repeat("p", MaxPath)
	if _, err := Digest([]File{{long, Added, sum}}); err != nil {
		t.Errorf("longest path: %v", err)
	}
	for name, list := range map[string][]File{
		"empty path":           {{"", Added, sum}},
		"long path":            {{long + "p", Added, sum}},
		"absolute":             {{"/etc/passwd", Added, sum}},
		"upwards":              {{"../x", Added, sum}},
		"upwards inside":       {{"a/../x", Added, sum}},
		"here":                 {{"./x", Added, sum}},
		"double slash":         {{"a//x", Added, sum}},
		"folder":               {{"a/", Added, sum}},
		"line feed":            {{"a:added:00\nb", Added, sum}},
		"control":              {{"a\x7f", Added, sum}},
		"control of latin 1":   {{"a\u0085b", Added, sum}},
		"not UTF-8":            {{"a\xff", Added, sum}},
		"unknown change":       {{"a", "renamed", sum}},
		"no change":            {{"a", "", sum}},
		"deleted with content": {{"a", Deleted, sum}},
		"twice":                {{"a", Added, sum}, {"a", Added, sum}},
		"twice, differently":   {{"a", Added, sum}, {"a", Deleted, sha256.Sum256(nil)}},
	} {
		if _, err := Digest(list); !errors.Is(err, ErrFiles) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := SignCode(Code{Files: list}, signer(1)); !errors.Is(err, ErrFiles) {
			t.Errorf("%s, signed: %v", name, err)
		}
	}
}

func TestFilesHaveALimit(t *testing.T) {
	t.Parallel()
	list := make([]File, MaxFiles)
	for i := range list {
		list[i] = File{fmt.Sprintf("%0150d", i), ModifiedSubmodule, sha256.Sum256(nil)}
	}
	e, err := SignCode(Code{Files: list}, signer(1))
	if err != nil {
		t.Fatal(err)
	}
	text, err := e.Encode()
	if err != nil || len(text) > MaxEnvelope {
		t.Fatalf("the largest attestation has %d bytes, %v", len(text), err)
	}
	if e, err = ParseEnvelope(text); err != nil {
		t.Fatal(err)
	}
	if c, err := OpenCode(e); err != nil || len(c.Files) != MaxFiles {
		t.Errorf("the largest attestation: %v", err)
	}
	if _, err := Digest(append(list, files("one-more")...)); !errors.Is(err, ErrFiles) {
		t.Errorf("one more: %v", err)
	}
}

func TestDigestDoesNotDependOnOrder(t *testing.T) {
	t.Parallel()
	path := rapid.StringMatching(`[a-z:é]{1,3}(/[a-z:]{1,3})?`)
	rapid.Check(t, func(t *rapid.T) {
		list := files(rapid.SliceOfNDistinct(path, 1, 20, func(s string) string { return s }).Draw(t, "paths")...)
		want, err := Digest(list)
		if err != nil {
			t.Fatal(err)
		}
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if got, err := Digest(list); err != nil || got != want {
			t.Fatalf("order changes the digest: %v", err)
		}
		list[0].SHA256[0] ^= 1
		if got, _ := Digest(list); got == want {
			t.Fatal("another content, the same digest")
		}
	})
}

func TestCode(t *testing.T) {
	t.Parallel()
	base, head := strings.Repeat("ab", 20), strings.Repeat("cd", 32)
	e, err := SignCode(Code{Base: base, Head: head, Files: files("b", "a")}, signer(1))
	if err != nil {
		t.Fatal(err)
	}
	text, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if e, err = ParseEnvelope(text); err != nil {
		t.Fatal(err)
	}
	c, err := OpenCode(e)
	if err != nil || c.Author != signer(1).Key() || c.Base != base || c.Head != head || len(c.Files) != 2 || c.Files[0].Path != "a" {
		t.Fatalf("%+v, %v", c, err)
	}
	if d := c.Compare(files("a", "b")); len(d) != 0 {
		t.Errorf("differences %v", d)
	}
	for _, bad := range [][2]string{{"", head}, {base, ""}, {"main", head}, {base, strings.ToUpper(head)}, {base, head[:10]}} {
		if _, err := SignCode(Code{Base: bad[0], Head: bad[1]}, signer(1)); !errors.Is(err, ErrStatement) {
			t.Errorf("commits %q: %v", bad, err)
		}
	}
}

func TestCompareNamesFiles(t *testing.T) {
	t.Parallel()
	e, err := SignCode(Code{Files: files("same", "gone", "other", "mode")}, signer(1))
	if err != nil {
		t.Fatal(err)
	}
	c, err := OpenCode(e)
	if err != nil {
		t.Fatal(err)
	}
	found := files("same", "other", "mode", "new")
	found[1].SHA256[0] ^= 1
	found[2].Change = AddedExecutable
	got := fmt.Sprint(c.Compare(found))
	want := "[{gone was attested as added and has not changed} {mode was attested as added and is added-executable} " +
		"{new is added but was not attested} {other has another content than attested}]"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// Someone who changes the payload must sign anew, and is then the one named.
func TestOpenCodeRefuses(t *testing.T) {
	t.Parallel()
	list := files("a", "b")
	sum, err := Digest(list)
	if err != nil {
		t.Fatal(err)
	}
	key := signer(1)
	predicate := func(edit func(*codePredicate)) codePredicate {
		p := codePredicate{Author: key.Key().String(), Files: []fileJSON{}}
		for _, f := range list {
			p.Files = append(p.Files, fileJSON{f.Path, f.Change, f.SHA256})
		}
		edit(&p)
		return p
	}
	sealed := func(name string, sum [32]byte, kind string, p any, by keys.Signer) Envelope {
		e, err := seal(name, sum, kind, p, by)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	nothing := func(*codePredicate) {}
	if _, err := OpenCode(sealed(subjectCode, sum, PredicateCode, predicate(nothing), key)); err != nil {
		t.Fatalf("the base of this table does not open: %v", err)
	}
	otherType := sealed(subjectCode, sum, PredicateCode, predicate(nothing), key)
	otherType.PayloadType = "application/json"
	resigned := Seal("application/json", otherType.Payload, key)
	cases := map[string]struct {
		e    Envelope
		want error
	}{
		"signed by another":   {sealed(subjectCode, sum, PredicateCode, predicate(nothing), signer(2)), ErrSignature},
		"other type":          {otherType, ErrStatement},
		"other type, signed":  {resigned, ErrStatement},
		"other predicate":     {sealed(subjectCode, sum, PredicatePlay, predicate(nothing), key), ErrStatement},
		"other subject":       {sealed("tree", sum, PredicateCode, predicate(nothing), key), ErrStatement},
		"other digest":        {sealed(subjectCode, [32]byte{}, PredicateCode, predicate(nothing), key), ErrMismatch},
		"author is no key":    {sealed(subjectCode, sum, PredicateCode, predicate(func(p *codePredicate) { p.Author = "did:web:x" }), key), ErrStatement},
		"a file left out":     {sealed(subjectCode, sum, PredicateCode, predicate(func(p *codePredicate) { p.Files = p.Files[1:] }), key), ErrMismatch},
		"a file twice":        {sealed(subjectCode, sum, PredicateCode, predicate(func(p *codePredicate) { p.Files = append(p.Files, p.Files[0]) }), key), ErrFiles},
		"half of the commits": {sealed(subjectCode, sum, PredicateCode, predicate(func(p *codePredicate) { p.Base = strings.Repeat("a", 40) }), key), ErrStatement},
		"more in predicate":   {sealed(subjectCode, sum, PredicateCode, map[string]any{"author": key.Key().String(), "files": []any{}, "x": 1}, key), ErrStatement},
		"no statement":        {Seal(PayloadStatement, []byte("{}"), key), ErrStatement},
	}
	for name, c := range cases {
		if _, err := OpenCode(c.e); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestTrailers(t *testing.T) {
	t.Parallel()
	list := files("a", "b")
	made, err := SignTrailers(list, signer(1))
	if err != nil {
		t.Fatal(err)
	}
	message := "subject: a change\n\nBody with a: colon.\n\nSigned-off-by: X <x@example.org>\n" + made.String()
	got, err := ParseTrailers(message)
	if err != nil || got != made {
		t.Fatalf("%v, %v", got, err)
	}
	if got, err := ParseTrailers(strings.ReplaceAll(message, "\n", "\r\n")); err != nil || got != made {
		t.Errorf("with carriage returns: %v", err)
	}
	if err := got.Verify(files("b", "a")); err != nil {
		t.Error(err)
	}
	if err := got.Verify(files("a")); !errors.Is(err, ErrMismatch) {
		t.Errorf("other files: %v", err)
	}
	if err := got.Verify(files("a", "a")); !errors.Is(err, ErrFiles) {
		t.Errorf("bad files: %v", err)
	}
	forged := got
	forged.Author = signer(2).Key()
	if err := forged.Verify(list); !errors.Is(err, ErrSignature) {
		t.Errorf("another author: %v", err)
	}
	if _, err := SignTrailers(files("a", "a"), signer(1)); !errors.Is(err, ErrFiles) {
		t.Errorf("bad files signed: %v", err)
	}
	lines := strings.SplitAfter(made.String(), "\n")
	for name, in := range map[string]string{
		"nothing":        "",
		"no digest":      lines[1] + lines[2],
		"no author":      lines[0] + lines[2],
		"no signature":   lines[0] + lines[1],
		"digest twice":   made.String() + lines[0],
		"author twice":   made.String() + lines[1],
		"no algorithm":   strings.Replace(made.String(), "sha256:", "", 1),
		"upper case hex": lines[0][:len(lines[0])-2] + "F\n" + lines[1] + lines[2],
		"padded":         strings.TrimSuffix(made.String(), "\n") + "==\n",
		"cut":            made.String()[:len(made.String())-3],
		"too long":       made.String() + strings.Repeat("x", MaxTrailers),
	} {
		if _, err := ParseTrailers(in); !errors.Is(err, ErrTrailers) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParseTrailers(f *testing.F) {
	made, err := SignTrailers(files("a"), signer(1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add("subject\n\n" + made.String())
	f.Fuzz(func(t *testing.T, in string) {
		got, err := ParseTrailers(in)
		if err != nil {
			if !errors.Is(err, ErrTrailers) {
				t.Fatal(err)
			}
			return
		}
		if again, err := ParseTrailers(got.String()); err != nil || again != got {
			t.Fatalf("does not read itself: %v", err)
		}
	})
}
