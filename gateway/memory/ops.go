package memory

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
)

// How the types lie in a document, so that what several write at once merges:
//
//	v:<key>               the value of a last-writer-wins register
//	s:<key>:<hash>:<tag>  one addition of an element to a set; adding writes it under a new tag, removing deletes
//	                      the tags that the remover saw, so an addition that it did not see stands
//	l:<key>:<place>-<tag> one item of a list; places sort, and there is room between any two
//	t:<key>               a live text
const (
	ofValue = "v:"
	ofSet   = "s:"
	ofList  = "l:"
	ofText  = "t:"
)

// memoryOp is one operation on a document.
type memoryOp struct {
	Type   string          `json:"type"`
	Key    string          `json:"key"`
	Action string          `json:"action"`
	Index  *int            `json:"index"`
	Length int             `json:"length"`
	Text   string          `json:"text"`
	Value  json.RawMessage `json:"value"`

	value any
}

// memoryActions are what each type takes; lww takes none.
var memoryActions = map[string][]string{"lww": {""}, "or-set": {"add", "remove"}, "list": {"insert", "set", "delete"}, "text": {"insert", "delete"}}

// readOps reads operations and refuses all that are wrong together.
func readOps(r MemoryOpsRequest) ([]memoryOp, error) {
	var raws []json.RawMessage
	if raw := r.Ops; raw == nil || json.Unmarshal(raw, &raws) != nil || len(raws) == 0 {
		return nil, reason.Refuse(reason.MissingField, "ops must be a list of at least one operation").With(map[string]any{"field": "ops"})
	}
	ops := make([]memoryOp, len(raws))
	var bad []call.Problem
	for i, raw := range raws {
		if why := ops[i].read(raw); why != "" {
			bad = append(bad, call.Fault(fmt.Sprintf("ops[%d]", i), "%s", why))
		}
	}
	return ops, call.Invalid(bad...)
}

// read says what is wrong with an operation, "" for nothing.
func (o *memoryOp) read(raw json.RawMessage) string {
	if json.Unmarshal(raw, o) != nil {
		return "must be an object of type, key, action, index, length, text and value"
	}
	allowed, ok := memoryActions[o.Type]
	switch {
	case !ok:
		return "type must be lww, or-set, list or text"
	case len(o.Key) < 1 || len(o.Key) > maxMemoryKey || strings.ContainsFunc(o.Key, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r))
	}):
		return fmt.Sprintf("key must have 1 to %d of a-z, A-Z, 0-9, . _ and -", maxMemoryKey)
	case !slices.Contains(allowed, o.Action):
		return "action must be " + cmp.Or(strings.Join(allowed, " or "), "absent")
	case o.Index != nil && *o.Index < 0 || o.Length < 0:
		return "index and length must not be negative"
	case o.Index == nil && (o.Action == "delete" || o.Action == "set"):
		return "index is needed"
	case o.Type == "text" && o.Action == "insert" && o.Text == "", o.Type == "text" && o.Action == "delete" && o.Length == 0:
		return "text to insert, or a length to delete, is needed"
	case len(o.Text) > maxMemoryText:
		return "text is over 4 KiB"
	}
	o.Text = norm.NFC.String(o.Text)
	if o.Type == "text" || o.Action == "delete" {
		return ""
	}
	if len(o.Value) == 0 || string(o.Value) == "null" {
		if o.Type == "lww" && len(o.Value) > 0 {
			return "" // deletes
		}
		return "value is needed"
	}
	d := json.NewDecoder(bytes.NewReader(o.Value))
	d.UseNumber()
	var err error
	if err = d.Decode(&o.value); err == nil {
		o.value, err = memoryValue(o.value, 0)
	}
	if err != nil {
		return "value: " + err.Error()
	}
	return ""
}

// memoryValue makes of JSON what a document keeps.
func memoryValue(v any, depth int) (any, error) {
	if depth > maxMemoryNest {
		return nil, fmt.Errorf("nested deeper than %d", maxMemoryNest)
	}
	switch x := v.(type) {
	case json.Number:
		n, err := strconv.ParseInt(x.String(), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("numbers must be whole and have 64 bits")
		}
		return n, nil
	case string:
		if x = norm.NFC.String(x); len(x) > maxMemoryText {
			return nil, fmt.Errorf("a text is over 4 KiB")
		}
		return x, nil
	case []any:
		for i := range x {
			var err error
			if x[i], err = memoryValue(x[i], depth+1); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		out := make(map[string]any, len(x))
		for key, one := range x {
			if len(key) < 1 || len(key) > doc.MaxKey {
				return nil, fmt.Errorf("a key must have 1 to %d bytes", doc.MaxKey)
			}
			y, err := memoryValue(one, depth+1)
			if err != nil {
				return nil, err
			}
			out[norm.NFC.String(key)] = y
		}
		return out, nil
	}
	return v, nil
}

// textsOfOps are all texts that operations would write, for the detectors.
func textsOfOps(ops []memoryOp) map[string]string {
	out := map[string]string{}
	for i, o := range ops {
		name := fmt.Sprintf("ops[%d]", i)
		if o.Text != "" {
			out[name+".text"] = o.Text
		}
		n := 0
		var walk func(v any)
		walk = func(v any) {
			switch x := v.(type) {
			case string:
				out[fmt.Sprintf("%s.value %d", name, n)] = x
				n++
			case []any:
				for _, one := range x {
					walk(one)
				}
			case map[string]any:
				for key, one := range x {
					if s, ok := one.(string); ok {
						one = key + ": " + s // what a name makes a credential
					}
					walk(one)
				}
			}
		}
		walk(o.value)
	}
	return out
}

// applyOps says which fields of the root operations change.
func applyOps(now map[string]any, agent change.AgentID, ops []memoryOp) ([]doc.Field, error) {
	w := &memoryWork{fields: maps.Clone(now), texts: map[string]bool{}, changed: map[string]bool{}, tag: change.Base32(agent[:])[:8], newTag: newTag}
	if w.fields == nil {
		w.fields = map[string]any{}
	}
	for i, o := range ops {
		if err := w.apply(o); err != nil {
			return nil, call.Invalid(call.Fault(fmt.Sprintf("ops[%d]", i), "%s", err.Error()))
		}
	}
	var out []doc.Field
	for _, key := range slices.Sorted(maps.Keys(w.changed)) {
		f := doc.Field{Key: key, Value: w.fields[key]}
		if text, ok := f.Value.(string); ok && w.texts[key] {
			f.Value = doc.Text(text)
		}
		out = append(out, f)
	}
	return out, nil
}

// memoryWork is a document that operations are applied to.
type memoryWork struct {
	fields  map[string]any
	texts   map[string]bool // keys whose values are live texts
	changed map[string]bool
	tag     string        // of the agent that writes
	newTag  func() string // one that nobody else has
}

// newTag is an addition's own: two of one element meet by chance once in 2^50.
func newTag() string {
	var b [7]byte
	_, _ = rand.Read(b[:]) // never fails
	return strings.ToLower(base32.StdEncoding.EncodeToString(b[:])[:setTag])
}

func (w *memoryWork) set(key string, v any) {
	w.changed[key] = true
	if v == nil {
		delete(w.fields, key)
		return
	}
	w.fields[key] = v
}

func (w *memoryWork) apply(o memoryOp) error {
	switch o.Type {
	case "lww":
		w.set(ofValue+o.Key, o.value)
	case "or-set":
		w.orSet(o)
	case "list":
		return w.list(o)
	case "text":
		return w.text(o)
	}
	return nil
}

// orSet adds an element under a tag of its own, or removes every tag of it that is
// seen here. An element that is there already gets a new tag in the place of the
// old ones: whoever removes it at the same time has not seen that one, so an
// addition that was acknowledged stands.
func (w *memoryWork) orSet(o memoryOp) {
	element := ofSet + o.Key + ":" + elementHash(o.value)
	for _, key := range slices.Sorted(maps.Keys(w.fields)) {
		if key == element || strings.HasPrefix(key, element+":") { // without a tag: of an earlier build
			w.set(key, nil)
		}
	}
	if o.Action == "add" {
		w.set(element+":"+w.newTag(), o.value)
	}
}

// elementHash names an element of a set by its value.
func elementHash(v any) string {
	sum := sha256.Sum256(call.JSONOf(v))
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:16]))
}

func (w *memoryWork) text(o memoryOp) error {
	key := ofText + o.Key
	now, _ := w.fields[key].(string)
	runes := []rune(now)
	at := len(runes)
	if o.Index != nil {
		at = *o.Index
	}
	if at > len(runes) {
		return fmt.Errorf("index %d is beyond the text's %d characters", at, len(runes))
	}
	w.texts[key] = true
	if o.Action == "insert" {
		w.set(key, string(runes[:at])+o.Text+string(runes[at:]))
		return nil
	}
	if o.Length > len(runes)-at {
		return fmt.Errorf("%d characters from %d on are more than there are", o.Length, at)
	}
	w.set(key, string(runes[:at])+string(runes[at+o.Length:]))
	return nil
}

func (w *memoryWork) list(o memoryOp) error {
	items := itemsOf(w.fields, o.Key)
	at := len(items)
	if o.Index != nil {
		at = *o.Index
	}
	if at > len(items) || at == len(items) && o.Action != "insert" {
		return fmt.Errorf("index %d is beyond the list's %d items", at, len(items))
	}
	switch o.Action {
	case "set":
		w.set(items[at], o.value)
	case "delete":
		w.set(items[at], nil)
	default:
		var before, after string
		if at > 0 {
			before = spotOf(items[at-1], o.Key)
		}
		if at < len(items) {
			after = spotOf(items[at], o.Key)
		}
		key := ofList + o.Key + ":" + between(before, after) + "-" + w.tag
		if len(key) > doc.MaxKey {
			return fmt.Errorf("no room is left between two items; write the list anew")
		}
		w.set(key, o.value)
	}
	return nil
}

// itemsOf are the keys of a list's items, in order.
func itemsOf(fields map[string]any, key string) []string {
	var out []string
	for k := range fields {
		if strings.HasPrefix(k, ofList+key+":") {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

func spotOf(item, key string) string {
	place, _, _ := strings.Cut(item[len(ofList+key+":"):], "-")
	return place
}

// stateOf reads a document by its types.
func stateOf(fields map[string]any) MemoryState {
	s := MemoryState{Values: map[string]any{}, Sets: map[string][]any{}, Lists: map[string][]any{}, Texts: map[string]string{}}
	last := map[string]string{} // the element of a set that was seen last
	for _, k := range slices.Sorted(maps.Keys(fields)) {
		if len(k) < 2 {
			continue
		}
		rest := k[2:]
		key, _, inner := strings.Cut(rest, ":")
		switch {
		case strings.HasPrefix(k, ofValue):
			s.Values[rest] = fields[k]
		case strings.HasPrefix(k, ofSet) && inner:
			// Its tags stand together, as keys are sorted.
			element, _, _ := strings.Cut(strings.TrimPrefix(rest, key+":"), ":")
			if last[key] != element {
				s.Sets[key], last[key] = append(s.Sets[key], fields[k]), element
			}
		case strings.HasPrefix(k, ofList) && inner:
			s.Lists[key] = append(s.Lists[key], fields[k])
		case strings.HasPrefix(k, ofText):
			if text, ok := fields[k].(string); ok {
				s.Texts[rest] = text
			}
		}
	}
	for _, set := range s.Sets {
		call.SortedJSON(set)
	}
	return s
}
