package keys

import (
	"bytes"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"filippo.io/edwards25519"
	"github.com/hdevalence/ed25519consensus"

	"github.com/meshd/meshd/identity/did"
)

var update = flag.Bool("update", false, "write the vectors anew; they may only grow")

const vectorFile = "../../crdt/testdata/vectors/ed25519/zip215.json"

// A vector is one signature. Good is the answer of Verify and of a batch that
// contains it among good ones; Sound says whether the key passes before that.
type vector struct {
	Name string    `json:"name"`
	In   vectorIn  `json:"in"`
	Out  vectorOut `json:"out"`
}

type vectorIn struct {
	Key string `json:"key"` // 34 bytes
	Msg string `json:"msg"`
	Sig string `json:"sig"`
}

type vectorOut struct {
	Sound bool `json:"sound"`
	Good  bool `json:"good"`
}

// torsion returns the canonical encodings of the eight points of small order,
// the k-th being k times a point of order eight.
func torsion(t testing.TB) []*edwards25519.Point {
	t.Helper()
	b, err := hex.DecodeString("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
	if err != nil {
		t.Fatal(err)
	}
	step, err := new(edwards25519.Point).SetBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	points := []*edwards25519.Point{edwards25519.NewIdentityPoint()}
	for range 7 {
		points = append(points, new(edwards25519.Point).Add(points[len(points)-1], step))
	}
	return points
}

// smallOrderEncodings returns all fourteen encodings of points of small order
// that a decoder by ZIP-215 accepts: eight canonical ones and six others.
func smallOrderEncodings(t testing.TB) [][]byte {
	t.Helper()
	var all [][]byte
	for _, p := range torsion(t) {
		all = append(all, p.Bytes())
	}
	add := func(y0, fill, y31 byte) {
		b := bytes.Repeat([]byte{fill}, 32)
		b[0], b[31] = y0, y31
		all = append(all, b)
	}
	add(0x01, 0x00, 0x80) // y = 1 with a sign
	add(0xec, 0xff, 0xff) // y = -1 with a sign
	add(0xed, 0xff, 0x7f) // y = p, that is 0
	add(0xed, 0xff, 0xff)
	add(0xee, 0xff, 0x7f) // y = p+1, that is 1
	add(0xee, 0xff, 0xff)
	return all
}

// forge signs msg with a chosen secret, torsion in the key and in R, so that the
// cofactored equation holds: A = aB + ta, R = rB + tr, S = r + H(R,A,M)a. When
// encoded is not nil it stands for R.
func forge(t testing.TB, ta, tr *edwards25519.Point, encoded []byte, msg []byte) (pub, sig []byte) {
	t.Helper()
	scalar := func(label string) *edwards25519.Scalar {
		h := sha512.Sum512([]byte(label))
		s, err := new(edwards25519.Scalar).SetUniformBytes(h[:])
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	a, r := scalar("key"), scalar("nonce")
	pub = new(edwards25519.Point).Add(new(edwards25519.Point).ScalarBaseMult(a), ta).Bytes()
	R := new(edwards25519.Point).Add(new(edwards25519.Point).ScalarBaseMult(r), tr).Bytes()
	if encoded != nil {
		R, r = encoded, edwards25519.NewScalar()
	}
	h := sha512.New()
	h.Write(R)
	h.Write(pub)
	h.Write(msg)
	k, err := new(edwards25519.Scalar).SetUniformBytes(h.Sum(nil))
	if err != nil {
		t.Fatal(err)
	}
	S := new(edwards25519.Scalar).MultiplyAdd(k, a, r)
	return pub, append(bytes.Clone(R), S.Bytes()...)
}

func makeVectors(t testing.TB) []vector {
	t.Helper()
	var out []vector
	add := func(name string, pub, msg, sig []byte, sound, good bool) {
		key := append([]byte{0xed, 0x01}, pub...)
		out = append(out, vector{
			Name: name,
			In:   vectorIn{hex.EncodeToString(key), hex.EncodeToString(msg), hex.EncodeToString(sig)},
			Out:  vectorOut{sound, good},
		})
	}
	msg := []byte("Zcash")
	points, small := torsion(t), smallOrderEncodings(t)
	for i := range points {
		for j := range points {
			pub, sig := forge(t, points[i], points[j], nil, msg)
			add(fmt.Sprintf("key with torsion %d, R with torsion %d", i, j), pub, msg, sig, true, true)
		}
	}
	for i := range points {
		for j, R := range small {
			pub, sig := forge(t, points[i], points[0], R, msg)
			add(fmt.Sprintf("key with torsion %d, R of small order, encoding %d", i, j), pub, msg, sig, true, true)
		}
	}
	for i, A := range small {
		for j, R := range small {
			add(fmt.Sprintf("key of small order %d, R of small order %d, S zero", i, j), A, msg,
				append(bytes.Clone(R), make([]byte, 32)...), false, false)
		}
	}

	good := FromSeed([32]byte(bytes.Repeat([]byte{0x11}, 32)))
	pub := good.Key().Public()
	sign := func() []byte { s := good.Sign(msg); return s[:] }
	add("plain", pub, msg, sign(), true, true)
	empty := good.Sign(nil)
	add("plain, empty message", pub, nil, empty[:], true, true)
	add("S plus the group order", pub, msg, plusOrder(sign()), true, false)
	high := sign()
	high[63] |= 0x80
	add("S with its top bit", pub, msg, high, true, false)
	add("another message", pub, []byte("zcash"), sign(), true, false)
	flipped := sign()
	flipped[0] ^= 1
	add("R with a flipped bit", pub, msg, flipped, true, false)
	offCurve := sign()
	copy(offCurve, append([]byte{2}, make([]byte, 31)...))
	add("R is no point", pub, msg, offCurve, true, false)
	add("all zero", pub, msg, make([]byte, 64), true, false)
	other := FromSeed([32]byte(bytes.Repeat([]byte{0x22}, 32)))
	add("another key", other.Key().Public(), msg, sign(), true, false)
	add("key is no point", append([]byte{2}, make([]byte, 31)...), msg, sign(), false, false)
	nonCanonical := bytes.Repeat([]byte{0xff}, 32)
	nonCanonical[0], nonCanonical[31] = 0xf0, 0x7f // y = p+3, a point of large order
	add("key is non-canonical", nonCanonical, msg, sign(), false, false)
	return out
}

// plusOrder adds the group order to S, little-endian.
func plusOrder(sig []byte) []byte {
	order, _ := hex.DecodeString("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
	carry := 0
	for i, b := range order {
		carry += int(sig[32+i]) + int(b)
		sig[32+i] = byte(carry)
		carry >>= 8
	}
	return sig
}

func readVectors(t testing.TB) []vector {
	t.Helper()
	data, err := os.ReadFile(vectorFile)
	if err != nil {
		t.Fatal(err)
	}
	var vs []vector
	if err := json.Unmarshal(data, &vs); err != nil {
		t.Fatal(err)
	}
	return vs
}

func TestVectorsAreThoseWeMake(t *testing.T) {
	made := makeVectors(t)
	if *update {
		data, err := json.MarshalIndent(made, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(vectorFile), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(vectorFile, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept := readVectors(t)
	if len(kept) != len(made) {
		t.Fatalf("%d vectors in the file, %d made", len(kept), len(made))
	}
	for i := range made {
		if made[i] != kept[i] {
			t.Errorf("vector %q changed", made[i].Name)
		}
	}
}

func TestVectorsAloneAndBatched(t *testing.T) {
	t.Parallel()
	good := FromSeed([32]byte(bytes.Repeat([]byte{0x33}, 32)))
	goodSig := good.Sign([]byte("filler"))
	for _, v := range readVectors(t) {
		key, msg, sig := did.Key(unhex(t, v.In.Key)), unhex(t, v.In.Msg), unhex(t, v.In.Sig)
		if sound := key.Check() == nil; sound != v.Out.Sound {
			t.Errorf("%s: sound %v", v.Name, sound)
		}
		if got := Verify(key, msg, sig); got != v.Out.Good {
			t.Errorf("%s: alone %v", v.Name, got)
		}
		var b Batch
		b.Add(good.Key(), []byte("filler"), goodSig[:])
		b.Add(key, msg, sig)
		b.Add(good.Key(), []byte("filler"), goodSig[:])
		if got := b.Verify(); got != v.Out.Good {
			t.Errorf("%s: batched %v", v.Name, got)
		}
	}
}

// The 196 signatures of small order set ZIP-215 apart from other rules. Our
// keys never reach them, so this pins the library beneath: if it changed its
// rules, so would the edge cases of sound keys.
func TestLibraryFollowsZIP215(t *testing.T) {
	t.Parallel()
	count := 0
	for _, A := range smallOrderEncodings(t) {
		for _, R := range smallOrderEncodings(t) {
			sig := append(bytes.Clone(R), make([]byte, 32)...)
			if !ed25519consensus.Verify(A, []byte("Zcash"), sig) {
				t.Errorf("A %x R %x is refused", A, R)
			}
			count++
		}
	}
	if count != 196 {
		t.Errorf("%d cases, want 196", count)
	}
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
