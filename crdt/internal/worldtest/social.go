package worldtest

import (
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
)

const rootName = "root of the network"

// Manifest writes what a network made by NewRooted says of itself.
func (w *World) Manifest(v body.Manifest) *change.Change {
	if w.root == nil {
		w.root = w.Agent(rootName)
	}
	return w.root.Change(change.KindManifest, change.SpaceNet, encode(v), Options{NoProof: true})
}

// Vote is for or against a target.
func (a *Author) Vote(target *change.Change, value int64) *change.Change {
	return a.about(change.KindVote, target, encode(body.Vote{Target: target.ID, Value: value}))
}

// Comment says something about a target, or answers a comment about it.
func (a *Author) Comment(target, parent *change.Change, text string) *change.Change {
	v := body.Comment{Target: target.ID, Text: text}
	if parent != nil {
		v.Parent = parent.ID
	}
	return a.CommentAs(target, v)
}

// CommentAs is Comment with a body of the caller's.
func (a *Author) CommentAs(target *change.Change, v body.Comment) *change.Change {
	v.Target = target.ID
	return a.about(change.KindComment, target, encode(v))
}

// Label puts a label on a target.
func (a *Author) Label(target *change.Change, value string) *change.Change {
	return a.about(change.KindLabel, target, encode(body.Label{Target: target.ID, Value: value}))
}

func (a *Author) about(kind string, target *change.Change, b []byte) *change.Change {
	return a.Change(kind, target.Head.Space, b, Options{Deps: []change.ID{target.ID}})
}

// Served says how often a served each entry on a day.
func (a *Author) Served(day int64, rows ...body.ServedRow) *change.Change {
	return a.Change(change.KindServed, a.ID.Space(), encode(body.Served{Day: day, Rows: rows}), Options{})
}
