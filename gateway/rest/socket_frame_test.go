package rest

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/crdt/reason"
)

// FuzzFrame: a frame that is taken is bounded, and reads the same when it is
// written again.
func FuzzFrame(f *testing.F) {
	f.Add([]byte(`{"id":"1","type":"offer","payload":{"sdp":"x"},"senderId":"","targetId":["a","b"],"timestamp":5,"channel":"c","delivery":"unreliable"}`))
	f.Add([]byte(`{"type":"ping","targetId":"host"}`))
	f.Add([]byte(`{"type":"rpc","payload":{"method":"get-api-mesh-me","params":{}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := readFrame(raw)
		if err != nil {
			return
		}
		if len(raw) > maxFrame || got.Type == "" || len(got.TargetID) == 0 || len(got.TargetID) > maxTargets || got.Delivery == "" {
			t.Fatalf("taken: %+v", got)
		}
		for _, text := range append([]string{got.ID, got.Type, got.SenderID, got.Channel}, got.TargetID...) {
			if len(text) > maxFrameText {
				t.Fatalf("a text of %d bytes was taken", len(text))
			}
		}
		again, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if len(again) > maxFrame {
			return // escapes made it longer than what is read
		}
		back, err := readFrame(again)
		if err != nil {
			t.Fatalf("%v when read again: %s", err, again)
		}
		got.Payload, back.Payload = nil, nil // the encoder may write it shorter
		if !reflect.DeepEqual(got, back) {
			t.Fatalf("%+v became %+v", got, back)
		}
	})
}

func TestDepthOfAFrame(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		strings.Repeat("[", 3) + strings.Repeat("]", 3): false, strings.Repeat("[", 4): true, `"[[[[["`: false, `["\"[[[["]`: false,
		`[][][][]`: false, `{"a":{"b":{"c":{}}}}`: true, ``: false, `"\`: false,
	} {
		if deep([]byte(text), 3) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

func TestCloseCodes(t *testing.T) {
	t.Parallel()
	for code, want := range map[reason.Code]int{
		reason.KeyRevoked: 4401, reason.AuthRequired: 4401, reason.NotAMember: 4403, reason.TeamNotFound: 4403, reason.RateLimited: 4429,
		reason.NotReady: 4503, reason.InvalidParam: 4400, reason.SlowConsumer: 4429, reason.Internal: 1011, reason.Reset: 1011,
	} {
		if got := closeCode(code); got != want {
			t.Errorf("%s closes with %d, want %d", code, got, want)
		}
	}
}

func TestAllowanceOfFrames(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	a := newAllowance(now)
	for i := range frameBurst {
		if !a.take(now) {
			t.Fatalf("frame %d at once was refused", i)
		}
	}
	if a.take(now) || !a.take(now.Add(time.Second/frameRate)) || a.take(now.Add(time.Second/frameRate)) {
		t.Error("the allowance does not grow by its rate")
	}
	if a.take(now.Add(-time.Hour)) {
		t.Error("a clock that steps back gives frames")
	}
}
