package doc

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// opID names an operation in a document.
type opID struct {
	actor [16]byte
	ctr   uint64
}

// target is where an operation stands: a key of a map or an element of a sequence.
type target struct {
	obj  opID
	key  string
	elem opID // the inserting operation
}

// known is what later operations may need to know of one.
type known struct {
	at     target
	action action
	insert bool
	depth  int    // of the object it makes
	chars  uint64 // of the live text it stands for, until it is deleted
}

// refs are the operations of a document, or of one chunk, that others refer to.
// It knows no values: only whether an object, element or predecessor exists and
// stands where it is said to.
type refs struct {
	ops    map[opID]known
	writes map[target]int // operations at a key or element, without the one that inserted it
	text   uint64         // characters in live texts
	undo   []undo         // since the last commit
}

// undo takes one step back: id was added, or lost its characters.
type undo struct {
	id    opID
	chars uint64
	added bool
}

func newRefs() *refs { return &refs{ops: make(map[opID]known), writes: make(map[target]int)} }

var errTarget = errors.New("predecessor stands elsewhere")

// apply checks that what o refers to exists and adds o. With open, it checks
// what chunk c knows of itself and takes everything else for granted.
func (t *refs) apply(c *Chunk, o *op, open bool) error {
	id := opID{c.Actor, o.ctr}
	k := known{action: o.action, insert: o.insert, depth: 1}
	unknown := func(ref opRef) bool { return open && (ref.actor != 0 || ref.ctr < c.StartOp) }

	kind, typed := makeMap, true
	switch {
	case o.obj == opRef{}:
	case unknown(o.obj):
		typed = false
	default:
		obj, ok := t.ops[c.id(o.obj)]
		if !ok || !obj.action.makes() {
			return fmt.Errorf("object does not exist")
		}
		kind, k.depth = obj.action, obj.depth+1
	}
	if o.action.makes() && k.depth > MaxDepth {
		return fmt.Errorf("nested deeper than %d", MaxDepth)
	}
	k.at.obj = c.id(o.obj)
	if typed && o.isKey != (kind == makeMap) {
		return fmt.Errorf("key does not fit the object")
	}
	if typed && kind == makeText {
		if err := checkText(o, &k); err != nil {
			return err
		}
	}
	if err := t.place(c, o, &k, id, unknown); err != nil {
		return err
	}
	for _, p := range o.preds {
		if unknown(p) {
			continue
		}
		old, ok := t.ops[c.id(p)]
		if !ok || old.action == del || old.at != k.at {
			return errTarget
		}
	}
	if !open && t.writes[k.at] == MaxWrites {
		return fmt.Errorf("one place written more than %d times", MaxWrites)
	}
	if o.action == del {
		for _, p := range o.preds {
			t.drop(c.id(p))
		}
	}
	t.add(id, k)
	return nil
}

// checkText lets a live text contain characters alone: inserted and deleted.
func checkText(o *op, k *known) error {
	if o.action == del {
		return nil
	}
	if !o.insert || o.kind != kindText || len(o.value) == 0 {
		return fmt.Errorf("a live text holds only inserted characters")
	}
	k.chars = uint64(utf8.RuneCount(o.value))
	return nil
}

// place fills in where o stands.
func (t *refs) place(c *Chunk, o *op, k *known, id opID, unknown func(opRef) bool) error {
	if o.isKey {
		k.at.key = string(o.key)
		return nil
	}
	k.at.elem = c.id(o.elem)
	if o.elem != (opRef{}) && !unknown(o.elem) {
		e, ok := t.ops[k.at.elem]
		if !ok || !e.insert || e.at.obj != k.at.obj {
			return fmt.Errorf("element does not exist")
		}
	}
	if o.insert {
		k.at.elem = id
	}
	return nil
}

func (t *refs) add(id opID, k known) {
	t.ops[id] = k
	if !k.insert {
		t.writes[k.at]++
	}
	t.text += k.chars
	t.undo = append(t.undo, undo{id: id, added: true})
}

// drop takes the characters of id from the live text, once.
func (t *refs) drop(id opID) {
	k, ok := t.ops[id]
	if !ok || k.chars == 0 {
		return
	}
	t.undo = append(t.undo, undo{id: id, chars: k.chars})
	t.text -= k.chars
	k.chars = 0
	t.ops[id] = k
}

// commit keeps what was applied since the last commit.
func (t *refs) commit() { t.undo = t.undo[:0] }

// rollback forgets what was applied since the last commit.
func (t *refs) rollback() {
	for i := len(t.undo) - 1; i >= 0; i-- {
		u := t.undo[i]
		k := t.ops[u.id]
		if u.added {
			t.text -= k.chars
			if !k.insert {
				t.writes[k.at]--
			}
			delete(t.ops, u.id)
			continue
		}
		k.chars = u.chars
		t.text += u.chars
		t.ops[u.id] = k
	}
	t.undo = t.undo[:0]
}

// id is the document-wide name of ref; the root and the head keep the zero name.
func (c *Chunk) id(ref opRef) opID {
	if ref == (opRef{}) {
		return opID{}
	}
	return opID{c.actor(ref.actor), ref.ctr}
}
