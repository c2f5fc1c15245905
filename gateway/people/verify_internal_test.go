package people

import (
	"encoding/hex"
	"encoding/json"
	"testing"
)

func FuzzPlaceOf(f *testing.F) {
	f.Add([]byte(`{"index":1,"proof":["00000000000000000000000000000000000000000000000000000000000000ab"]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		at, err := placeOf(in)
		if err != nil {
			return
		}
		if in == nil {
			if at != nil {
				t.Fatal("a place of nothing")
			}
			return
		}
		if at.Index < 0 || len(at.Proof) > maxPlaceProof {
			t.Fatalf("%+v", at)
		}
		proof := []string{}
		for _, h := range at.Proof {
			proof = append(proof, hex.EncodeToString(h[:]))
		}
		text, err := json.Marshal(PassportPlace{at.Index, proof})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := placeOf(text); err != nil || again.Index != at.Index || len(again.Proof) != len(at.Proof) {
			t.Fatalf("%s: %v", text, err)
		}
	})
}
