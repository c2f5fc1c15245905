// Package events is the node's one bus of typed events. A part that does something
// others may care about publishes it here; streams, metrics, the search index
// and the log subscribe, and the publisher knows none of them.
//
// Publish never blocks and never fails, so it may be called under a lock. Each
// subscriber has a bounded buffer and one of two stated policies for when it is
// full: Subscribe cuts the subscriber off, which is right for whoever must not
// miss anything and can ask for the gap again; SubscribeLossy drops the oldest
// event and counts it, which is right for counters and hints.
//
// Start with New. Do not use the bus as a queue of work: nothing in it survives
// the process.
package events

import (
	"fmt"
	"math/bits"
	"strings"
)

// Event is one thing that happened. An event is shared by all subscribers, so
// Data is read-only once published.
type Event struct {
	Seq    uint64 // position on this bus, from Config.Start + 1 without gaps
	Kind   Kind   // exactly one
	At     int64  // milliseconds since 1970 UTC
	Space  string // space concerned, or empty
	Object string // id of the entry, agent, change or peer concerned, or empty
	Data   any    // payload of the kind, or nil
	Cause  string // id of the change that made it happen, or empty
	Log    uint64 // local sequence the log had reached, of what came from the log; else 0
}

// Kind is a set of kinds of events; an event has exactly one. Combine kinds
// with | to subscribe to several. The numbers are not stable: what leaves the
// process uses the names.
type Kind uint64

// The kinds. Behind each: what Object names.
const (
	EntryCreated     Kind = 1 << iota // entry: first seen in the view
	EntryUpdated                      // entry: comments, votes or tier changed
	EntryRetracted                    // entry: left the view
	AgentRegistered                   // agent: first seen in the view
	ProfileUpdated                    // agent
	GuildUpdated                      // guild: opened, or its members or page changed
	BountyUpdated                     // bounty: opened or moved to another state
	ChangeAppended                    // change: now in the log
	ChangeRefused                     // change, or empty when it never had an id
	ChangeHeld                        // change: counted but not shown or relayed yet
	ChangeDeferred                    // change: waits for missing dependencies
	ChangePurged                      // change: its body was removed here
	PeerConnected                     // peer
	PeerDisconnected                  // peer
	SyncDone                          // peer: a pass over all sets with it has ended
	StoreReadonly                     // empty: writes are refused from now on
	StoreWritable                     // empty: writes are accepted again
	ConfigReloaded                    // empty
	KeyCreated                        // agent: has one more API key; Data is an APIKey; for its own streams only
	KeyRevoked                        // agent: one of its API keys ended; as KeyCreated
	KeyRecovered                      // agent: its subject proved itself and got a new API key; as KeyCreated
	SocialStep                        // what votes, comments, labels and follows touch; Data is a Step, as in the kinds below
	TierChanged                       // agent: its reputation crossed a threshold
	TeamStep                          // team: its members, presence, board, messages, mode or room
	BountyStep                        // bounty: one move of its state machine
	IdentityStep                      // agent: its key was rotated, a capability of it was revoked
	SceneUpdated                      // agent: its room changed
	Notified                          // agent: has one more notification; for its own streams only
	PaymentStep                       // agent: a payment of or to it went on; Data is a Step; for its own streams only
	IncidentStep                      // component: an incident of the node opened or closed; Data is a Step; for admins only
	LogPublished                      // empty: every event of the log up to the local sequence in Log was published
	endOfKinds
)

// All is the set of every kind.
const All = endOfKinds - 1

// names are the names of the kinds, in the order of their bits.
var names = [...]string{
	"entry.created", "entry.updated", "entry.retracted", "agent.registered", "profile.updated",
	"guild.updated", "bounty.updated", "change.appended", "change.refused", "change.held",
	"change.deferred", "change.purged", "peer.connected", "peer.disconnected", "sync.done",
	"store.readonly", "store.writable", "config.reloaded", "key.created",
	"key.revoked", "key.recovered", "social", "tier.changed", "team", "bounty", "identity", "scene.updated", "notified",
	"payment", "incident", "log.told",
}

// Step is the Data of kinds that cover many happenings of one area. Name is the
// public name of the happening, such as board.claimed or entry.voted; Space of
// the event says who may know of it.
type Step struct {
	Name   string
	By     string         // agent that did it, or empty
	Fields map[string]any // data of the public event, which may be shown to whoever may read the space
}

// APIKey names an API key by what its record shows; it has no secret.
type APIKey struct{ ID, Prefix string }

// String is the name of a kind, such as entry.created. A set is its names
// joined by |, and the empty set is "none".
func (k Kind) String() string {
	if k == 0 {
		return "none"
	}
	var parts []string
	for rest := k; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros64(uint64(rest))
		if i >= len(names) {
			parts = append(parts, fmt.Sprintf("kind(%d)", i))
			continue
		}
		parts = append(parts, names[i])
	}
	return strings.Join(parts, "|")
}

// Has reports whether the set k contains every kind of other.
func (k Kind) Has(other Kind) bool { return k&other == other }
