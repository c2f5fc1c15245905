package memory

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/zone"
	"github.com/meshd/meshd/node/view"
)

// MemoryOpsRequest changes a document.
type MemoryOpsRequest struct {
	call.Request
	Ops json.RawMessage `field:"ops"`
}

// MemoryOpsForm reads a MemoryOpsRequest.
var MemoryOpsForm = call.Define[MemoryOpsRequest](call.Form{{Name: "ops", Kind: call.Objects, Items: maxMemoryOps, Required: true,
	Help: "Applied in order as one change: {type: lww, key, value}, null deletes · {type: or-set, key, action: add or remove, value} · {type: list, key, action: insert, set or delete, index, value} · {type: text, key, action: insert or delete, index, text or length}. A key is a word of a-z, A-Z, 0-9, . _ and -; a value is null, true, false, a whole number, a text, or a list or object of such."}})

// MemoryStateRequest reads a document.
type MemoryStateRequest struct {
	call.Request
	Since call.Opt[string] `field:"since"`
	Keys  []string         `field:"keys"`
}

// MemoryStateForm reads a MemoryStateRequest.
var MemoryStateForm = call.Define[MemoryStateRequest](call.Form{
	{Name: "since", Max: maxMemoryVector, Help: "The version vector of an earlier reply: the edits that it lacks come too. Empty: all edits."},
	{Name: "keys", Kind: call.Texts, Items: maxMemoryOps, Max: maxMemoryKey, Help: "Only what is under these keys; all when absent."},
})

// MemoryState is what a document says, by the type of what is in it.
type MemoryState struct {
	Values map[string]any    `json:"values" doc:"of lww"`
	Sets   map[string][]any  `json:"sets" doc:"of or-set, each in the order of its elements' JSON"`
	Lists  map[string][]any  `json:"lists"`
	Texts  map[string]string `json:"texts"`
}

// MemoryEdit is one edit of a document.
type MemoryEdit struct {
	Change string `json:"change"`
	Actor  string `json:"actor" doc:"hex; one for each author's key and document"`
	Seq    uint64 `json:"seq"`
	At     string `json:"at"`
	Chunk  string `json:"chunk" doc:"base64 of one Automerge change chunk"`
}

// MemoryReply is a document.
type MemoryReply struct {
	Success bool         `json:"success"`
	Doc     string       `json:"doc"`
	Version int          `json:"version" doc:"edits with effect"`
	Vector  string       `json:"vector" doc:"what it contains: actor:seq, with commas"`
	State   MemoryState  `json:"state"`
	Change  *string      `json:"change" doc:"that was written; null when nothing was"`
	Edits   []MemoryEdit `json:"edits,omitempty" doc:"that the vector in since lacks"`
	Left    []string     `json:"left,omitempty" doc:"keys that a tool left out, as the document is long; ask for them with keys"`
}

// Memory reads a document.
func (s *Service) Memory(ctx context.Context, c call.Caller, id string, r MemoryStateRequest) (*MemoryReply, error) {
	p, _, err := s.Place(ctx, c, id, zone.Read)
	if err != nil {
		return nil, err
	}
	m, err := s.mesh.Memory(ctx, p.Space, p.Name)
	if err != nil {
		return nil, err
	}
	reply := memoryReply(p, m)
	if len(r.Keys) > 0 {
		reply.State.keep(func(key string) bool { return slices.Contains(r.Keys, key) })
	}
	if r.Since.Given {
		since, err := readVector(r.Since.Value)
		if err != nil {
			return nil, err
		}
		reply.Edits = []MemoryEdit{}
		for _, e := range m.Edits {
			if e.Seq > since[e.Actor] {
				reply.Edits = append(reply.Edits, MemoryEdit{e.ID.Text(change.PrefixChange), hex.EncodeToString(e.Actor[:]), e.Seq, call.Stamp(e.At),
					base64.StdEncoding.EncodeToString(e.Chunk)})
			}
		}
	}
	return reply, nil
}

// EditMemory applies operations to a document as one change.
func (s *Service) EditMemory(ctx context.Context, c call.Caller, id string, r MemoryOpsRequest, ifVersion int) (*MemoryReply, error) {
	// What an operation does depends on what is there, and the answer says it.
	p, agent, err := s.Place(ctx, c, id, zone.Read, zone.Write)
	if err != nil {
		return nil, err
	}
	ops, err := readOps(r)
	if err != nil {
		return nil, err
	}
	if err := s.access.RefuseSecrets(textsOfOps(ops)); err != nil {
		return nil, err
	}
	m, written, err := s.mesh.EditMemory(ctx, agent, p.Space, p.Name, ifVersion, func(now map[string]any) ([]doc.Field, error) {
		return applyOps(now, agent, ops)
	})
	if err != nil {
		return nil, err
	}
	reply := memoryReply(p, m)
	if !written.IsZero() {
		reply.Change = call.TextOrNil(written.Text(change.PrefixChange))
	}
	return reply, nil
}

func memoryReply(p Place, m view.Memory) *MemoryReply {
	return &MemoryReply{Success: true, Doc: p.ID, Version: m.Version, Vector: vectorOf(m.Edits), State: stateOf(m.Fields)}
}

// vectorOf is the version vector of edits.
func vectorOf(edits []view.MemoryEdit) string {
	last := map[[16]byte]uint64{}
	var actors [][16]byte
	for _, e := range edits {
		if last[e.Actor] == 0 {
			actors = append(actors, e.Actor)
		}
		last[e.Actor] = max(last[e.Actor], e.Seq)
	}
	slices.SortFunc(actors, func(a, b [16]byte) int { return bytes.Compare(a[:], b[:]) })
	parts := make([]string, len(actors))
	for i, a := range actors {
		parts[i] = hex.EncodeToString(a[:]) + ":" + strconv.FormatUint(last[a], 10)
	}
	return strings.Join(parts, ",")
}

// readVector reads what vectorOf wrote. An actor that this document does not have
// is one of another generation, and says nothing of this one.
func readVector(text string) (map[[16]byte]uint64, error) {
	out := map[[16]byte]uint64{}
	if text == "" {
		return out, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		actor, seq, ok := strings.Cut(part, ":")
		raw, err := hex.DecodeString(actor)
		n, bad := strconv.ParseUint(seq, 10, 63)
		if !ok || err != nil || len(raw) != 16 || bad != nil {
			return nil, call.BadParam("since", "must be the vector of an earlier reply")
		}
		out[[16]byte(raw)] = n
	}
	return out, nil
}
