package keys

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const grace = int64(Grace / time.Millisecond)

// mustSet makes a set of n keys hybrid(1), hybrid(3)… an hour apart from 1000.
func mustSet(t testing.TB, n int) *KeySet {
	t.Helper()
	s, err := NewKeySet("root:test", hybrid(1), 1000)
	for i := 1; err == nil && i < n; i++ {
		s, err = s.Rotate(hybrid(byte(2*i-1)), hybrid(byte(2*i+1)), at(i))
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// at is the position at which version i+1 of mustSet begins.
func at(i int) int64 { return 1000 + int64(i)*time.Hour.Milliseconds() }

func mustSign(t testing.TB, h *HybridSigner, purpose, payload string) Signatures {
	t.Helper()
	sigs, err := h.SignEnvelope(purpose, []byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	return sigs
}

func TestKeyIsChosenByPosition(t *testing.T) {
	t.Parallel()
	s := mustSet(t, 3)
	old, mid, last := mustSign(t, hybrid(1), "x", "p"), mustSign(t, hybrid(3), "x", "p"), mustSign(t, hybrid(5), "x", "p")
	cases := []struct {
		name string
		at   int64
		sigs Signatures
		want error
	}{
		{"before the first", 999, old, ErrKeyTime},
		{"at the first", 1000, old, nil},
		{"successor too early", at(1) - 1, mid, ErrKeyTime},
		{"successor at its start", at(1), mid, nil},
		{"old in the grace", at(1) + grace - 1, old, nil},
		{"old after the grace", at(1) + grace, old, ErrKeyTime},
		{"first at the time of the third", at(2), old, ErrKeyTime},
		{"second in the grace of the third", at(2) + grace - 1, mid, nil},
		{"second after it", at(2) + grace, mid, ErrKeyTime},
		{"last for ever", 1 << 52, last, nil},
		{"stranger", at(1), mustSign(t, hybrid(9), "x", "p"), ErrKeyUnknown},
		{"other purpose", at(1), mustSign(t, hybrid(3), "y", "p"), ErrSignature},
		{"other payload", at(1), mustSign(t, hybrid(3), "x", "q"), ErrSignature},
	}
	for _, c := range cases {
		if err := s.Verify(c.at, "x", []byte("p"), c.sigs); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	for _, c := range []struct {
		at   int64
		want string
	}{{999, "[]"}, {1000, "[1]"}, {at(1) - 1, "[1]"}, {at(1), "[2 1]"}, {at(1) + grace, "[2]"}, {at(2), "[3 2]"}, {1 << 60, "[3]"}} {
		seqs := []uint64{}
		for _, v := range s.ValidAt(c.at) {
			seqs = append(seqs, v.Seq)
		}
		if fmt.Sprint(seqs) != c.want {
			t.Errorf("valid at %d: %v, want %s", c.at, seqs, c.want)
		}
		v, ok := s.At(c.at)
		if ok != (len(seqs) > 0) || ok && v.Seq != seqs[0] {
			t.Errorf("key at %d: %d, %v", c.at, v.Seq, ok)
		}
	}
}

// Signers go on while the root rotates: some have received it, some have not,
// and a verifier with the new set refuses none of them.
func TestRotationWithoutDowntime(t *testing.T) {
	t.Parallel()
	before := mustSet(t, 1)
	var current atomic.Pointer[HybridSigner]
	var set atomic.Pointer[KeySet]
	var now atomic.Int64
	current.Store(hybrid(1))
	set.Store(before)
	now.Store(at(1) - 5)

	type signed struct {
		at   int64
		sigs Signatures
	}
	var wg sync.WaitGroup
	results := make(chan signed, 200)
	halfway := make(chan struct{})
	for range 4 {
		wg.Go(func() {
			for i := range 50 {
				if i == 25 {
					<-halfway // half of the work lies on either side of the rotation
				}
				h := current.Load()
				ms := now.Add(1)
				if sigs, err := h.SignEnvelope("manifest", []byte("m")); err == nil {
					results <- signed{ms, sigs}
				}
			}
		})
	}
	next, err := before.Rotate(hybrid(1), hybrid(3), at(1))
	if err != nil {
		t.Fatal(err)
	}
	set.Store(next)
	now.Store(at(1) + 1) // the new key's time begins, the old one still signs
	close(halfway)
	current.Store(hybrid(3))
	wg.Wait()
	close(results)
	count := 0
	for r := range results {
		count++
		if err := set.Load().Verify(r.at, "manifest", []byte("m"), r.sigs); err != nil {
			t.Errorf("signature at %d: %v", r.at, err)
		}
		if err := before.Verify(r.at, "manifest", []byte("m"), r.sigs); err != nil && !errors.Is(err, ErrKeyUnknown) {
			t.Errorf("a verifier that has not received the rotation gives up instead of asking: %v", err)
		}
	}
	if count != 200 {
		t.Errorf("%d signatures, want 200", count)
	}
}

func TestRotateRefuses(t *testing.T) {
	t.Parallel()
	s := mustSet(t, 2)
	cases := map[string]struct {
		now, next *HybridSigner
		from      int64
	}{
		"not the newest key":       {hybrid(1), hybrid(7), at(2)},
		"a stranger":               {hybrid(9), hybrid(7), at(2)},
		"the same key":             {hybrid(3), hybrid(3), at(2)},
		"an old key":               {hybrid(3), hybrid(1), at(2)},
		"half of an old key":       {hybrid(3), NewHybridSigner(signer(1), [32]byte{7}), at(2)},
		"the other half of one":    {hybrid(3), NewHybridSigner(signer(7), [32]byte(bytes.Repeat([]byte{2}, 32))), at(2)},
		"backwards":                {hybrid(3), hybrid(7), 0},
		"less than a grace later":  {hybrid(3), hybrid(7), at(1) + grace - 1},
		"negative":                 {hybrid(3), hybrid(7), -1},
		"beyond every JSON reader": {hybrid(3), hybrid(7), maxPosition + 1},
	}
	for name, c := range cases {
		if _, err := s.Rotate(c.now, c.next, c.from); !errors.Is(err, ErrKeySet) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Rotate(hybrid(3), hybrid(7), at(1)+grace); err != nil {
		t.Errorf("a grace later: %v", err)
	}
	for _, name := range []string{"", "a b", "é", "a\n", strings.Repeat("x", MaxKeySetName+1)} {
		if _, err := NewKeySet(name, hybrid(1), 0); !errors.Is(err, ErrKeySet) {
			t.Errorf("name %q: %v", name, err)
		}
	}
	if _, err := NewKeySet(strings.Repeat("x", MaxKeySetName), hybrid(1), 0); err != nil {
		t.Errorf("longest name: %v", err)
	}
}

func TestVersionsHaveALimit(t *testing.T) {
	t.Parallel()
	s := mustSet(t, MaxKeyVersions)
	text, err := s.Encode()
	if err != nil || len(text) > MaxKeySet {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	if _, err := ParseKeySet(text); err != nil {
		t.Errorf("the largest set: %v", err)
	}
	n := byte(2*MaxKeyVersions - 1)
	if _, err := s.Rotate(hybrid(n), NewHybridSigner(signer(0), [32]byte{1, 2, 3}), at(MaxKeyVersions)); !errors.Is(err, ErrKeySet) {
		t.Errorf("one more: %v", err)
	}
	if _, err := ParseKeySet(append(text, bytes.Repeat([]byte(" "), MaxKeySet)...)); !errors.Is(err, ErrKeySet) {
		t.Errorf("a text too long: %v", err)
	}
}

func TestContinues(t *testing.T) {
	t.Parallel()
	one, two, three := mustSet(t, 1), mustSet(t, 2), mustSet(t, 3)
	fork, err := one.Rotate(hybrid(1), hybrid(11), at(1))
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewKeySet("root:other", hybrid(1), 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name       string
		set, known *KeySet
		want       error
	}{
		{"itself", two, two, nil}, {"the next", two, one, nil}, {"two further", three, one, nil},
		{"rollback", one, two, ErrRollback}, {"fork", fork, two, ErrRollback}, {"shorter fork", fork, three, ErrRollback},
		{"longer than a fork", three, fork, ErrRollback}, {"another name", other, one, ErrRollback},
	} {
		if err := c.set.Continues(c.known); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestKeySetText(t *testing.T) {
	t.Parallel()
	s := mustSet(t, 3)
	text, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParseKeySet(text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.Encode()
	if err != nil || !bytes.Equal(text, again) || back.Seq() != 3 || back.Name() != "root:test" {
		t.Errorf("read back differently: %v", err)
	}
	if back.Continues(s) != nil || s.Continues(back) != nil {
		t.Error("what was read back is another set")
	}
}

// Whatever is changed in the text, the set is refused.
func TestKeySetTextRefuses(t *testing.T) {
	t.Parallel()
	text, err := mustSet(t, 3).Encode()
	if err != nil {
		t.Fatal(err)
	}
	edit := func(f func(set map[string]any, versions []any)) []byte {
		var set map[string]any
		if err := json.Unmarshal(text, &set); err != nil {
			t.Fatal(err)
		}
		f(set, set["versions"].([]any))
		out, err := json.Marshal(set)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	v := func(versions []any, i int) map[string]any { return versions[i].(map[string]any) }
	cases := map[string][]byte{
		"another name":      edit(func(s map[string]any, _ []any) { s["name"] = "root:mine" }),
		"no versions":       edit(func(s map[string]any, _ []any) { s["versions"] = []any{} }),
		"first left out":    edit(func(s map[string]any, vs []any) { s["versions"] = vs[1:] }),
		"middle left out":   edit(func(s map[string]any, vs []any) { s["versions"] = []any{vs[0], vs[2]} }),
		"swapped":           edit(func(s map[string]any, vs []any) { vs[1], vs[2] = vs[2], vs[1] }),
		"later start":       edit(func(_ map[string]any, vs []any) { v(vs, 1)["from"] = 7_000_000 }),
		"other number":      edit(func(_ map[string]any, vs []any) { v(vs, 2)["seq"] = 4 }),
		"no cross signing":  edit(func(_ map[string]any, vs []any) { delete(v(vs, 1), "prev") }),
		"first cross-signs": edit(func(_ map[string]any, vs []any) { v(vs, 0)["prev"] = v(vs, 0)["own"] }),
		"signed by itself":  edit(func(_ map[string]any, vs []any) { v(vs, 1)["prev"] = v(vs, 1)["own"] }),
		"not by itself":     edit(func(_ map[string]any, vs []any) { v(vs, 1)["own"] = v(vs, 1)["prev"] }),
		"one signature":     edit(func(_ map[string]any, vs []any) { v(vs, 1)["own"] = v(vs, 1)["own"].([]any)[:1] }),
		"one twice": edit(func(_ map[string]any, vs []any) {
			own := v(vs, 1)["own"].([]any)
			own[1] = own[0]
		}),
		"a third": edit(func(_ map[string]any, vs []any) {
			own := v(vs, 1)["own"].([]any)
			v(vs, 1)["own"] = append(own, own[0])
		}),
		"other order": edit(func(_ map[string]any, vs []any) {
			own := v(vs, 1)["own"].([]any)
			own[0], own[1] = own[1], own[0]
		}),
		"two key ids": edit(func(_ map[string]any, vs []any) {
			v(vs, 1)["own"].([]any)[1].(map[string]any)["kid"] = v(vs, 1)["prev"].([]any)[0].(map[string]any)["kid"]
		}),
		"unknown algorithm": edit(func(_ map[string]any, vs []any) { v(vs, 1)["own"].([]any)[1].(map[string]any)["alg"] = "ML-DSA-44" }),
		"post-quantum key of another": edit(func(_ map[string]any, vs []any) {
			v(vs, 1)["pq"] = v(vs, 0)["pq"]
		}),
		"padded":         bytes.Replace(text, []byte(`"pq":"`), []byte(`"pq":"=`), 1),
		"unknown member": bytes.Replace(text, []byte(`"seq":1`), []byte(`"seq":1,"note":"x"`), 1),
		"trailing":       append(bytes.Clone(text), '1'),
		"empty":          nil,
	}
	for name, in := range cases {
		if bytes.Equal(in, text) {
			t.Errorf("%s: the case changes nothing", name)
		}
		if _, err := ParseKeySet(in); !errors.Is(err, ErrKeySet) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestKeySetBitFlips(t *testing.T) {
	t.Parallel()
	text, err := mustSet(t, 2).Encode()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		flipped := bytes.Clone(text)
		flipped[rapid.IntRange(0, len(text)-1).Draw(t, "byte")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if _, err := ParseKeySet(flipped); err == nil {
			t.Fatal("a changed set is accepted")
		}
	})
}

func TestEnvelopeNeedsBothSizes(t *testing.T) {
	t.Parallel()
	if _, err := json.Marshal(Signatures{}); err == nil {
		t.Error("an envelope without ML-DSA-65 was written")
	}
	if err := mustSet(t, 1).Verify(1000, "x", nil, Signatures{Key: hybrid(1).Key().ID()}); !errors.Is(err, ErrSignature) {
		t.Errorf("an empty envelope: %v", err)
	}
}

func FuzzParseKeySet(f *testing.F) {
	f.Add([]byte(`{"name":"x","versions":[]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		s, err := ParseKeySet(in)
		if err != nil {
			if !errors.Is(err, ErrKeySet) {
				t.Fatalf("error without its kind: %v", err)
			}
			return
		}
		text, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseKeySet(text)
		if err != nil || back.Continues(s) != nil {
			t.Fatalf("does not read itself: %v", err)
		}
	})
}

func BenchmarkParseKeySet(b *testing.B) {
	text, err := mustSet(b, 12).Encode()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := ParseKeySet(text); err != nil {
			b.Fatal(err)
		}
	}
}
