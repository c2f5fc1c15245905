package sync

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/meshd/meshd/p2p/internal/vectorfile"
)

var update = vectorfile.Update

const vectorFile = "../../crdt/testdata/vectors/session/ten_differences.json"

type vector struct {
	Name string `json:"name"`
	In   struct {
		Common    []vectorChange `json:"common"`
		Initiator []vectorChange `json:"initiator_only"`
		Responder []vectorChange `json:"responder_only"`
	} `json:"in"`
	Out []vectorFrame `json:"out"`
}

type vectorChange struct {
	Head string `json:"head"`
	Body string `json:"body"`
}

type vectorFrame struct {
	From     string `json:"from"`
	Type     byte   `json:"type"`
	Name     string `json:"name"`
	Payload  string `json:"payload"`
	Unpacked string `json:"unpacked,omitempty"`
}

// TestVectorSession plays a whole session and compares every frame.
func TestVectorSession(t *testing.T) {
	t.Parallel()
	common, left, right := span(0, 40), span(100, 105), span(200, 205)
	a := newFake("auth", open0).put(open0, common...).put(open0, left...)
	b := newFake("auth", open0).put(open0, common...).put(open0, right...)
	got := vector{Name: "ten differences, five each way, in open/0; auth is empty on both sides"}
	for _, c := range common {
		got.In.Common = append(got.In.Common, vectorChange{hex.EncodeToString(c.RawHead), hex.EncodeToString(c.Body)})
	}
	for _, c := range left {
		got.In.Initiator = append(got.In.Initiator, vectorChange{hex.EncodeToString(c.RawHead), hex.EncodeToString(c.Body)})
	}
	for _, c := range right {
		got.In.Responder = append(got.In.Responder, vectorChange{hex.EncodeToString(c.RawHead), hex.EncodeToString(c.Body)})
	}
	c := endpointOf(t, a).codec
	note := func(from string) func(k kind, payload []byte) (kind, []byte) {
		return func(k kind, payload []byte) (kind, []byte) {
			f := vectorFrame{From: from, Type: byte(k), Name: k.String(), Payload: hex.EncodeToString(payload)}
			if k == kindChanges {
				raw, err := c.unpack(payload, nil)
				if err != nil {
					t.Error(err)
				}
				f.Unpacked = hex.EncodeToString(raw)
			}
			got.Out = append(got.Out, f)
			return k, payload
		}
	}
	// Asks and answers take turns, so that the two notes do not meet.
	ours, theirs := tapBoth(t, note("responder"), note("initiator"))
	if r, _ := over(t, endpointOf(t, a), endpointOf(t, b), ours, theirs); !r.Equal() {
		t.Fatalf("report: %+v", r)
	}
	if *update {
		writeVector(t, got)
	}
	var want []vector
	text, err := os.ReadFile(vectorFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil || len(want) != 1 {
		t.Fatalf("%d vectors, %v", len(want), err)
	}
	w := want[0]
	if w.Name != got.Name || !slices.Equal(w.In.Common, got.In.Common) || !slices.Equal(w.In.Initiator, got.In.Initiator) ||
		!slices.Equal(w.In.Responder, got.In.Responder) {
		t.Error("the sets are not those of the vector")
	}
	if len(got.Out) != len(w.Out) {
		t.Fatalf("%d frames, want %d", len(got.Out), len(w.Out))
	}
	for i, f := range w.Out {
		g := got.Out[i]
		if f.Unpacked != "" {
			// Compressors differ; what the vector packed must unpack to the same.
			packed, err := hex.DecodeString(f.Payload)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := c.unpack(packed, nil)
			if err != nil || hex.EncodeToString(raw) != f.Unpacked {
				t.Errorf("frame %d does not unpack: %v", i, err)
			}
			f.Payload, g.Payload = "", ""
		}
		if f != g {
			t.Errorf("frame %d:\n got %+v\nwant %+v", i, g, f)
		}
	}
}

func writeVector(t *testing.T, v vector) {
	t.Helper()
	b, err := json.MarshalIndent([]vector{v}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(vectorFile), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(vectorFile, append(b, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
