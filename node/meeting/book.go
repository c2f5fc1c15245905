package meeting

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/p2p/invite"
)

// Made is an invitation of this node, as its owner sees it.
type Made struct {
	ID     string    `json:"id"`
	Guild  string    `json:"guild,omitempty"`
	Device bool      `json:"device,omitempty"`
	Uses   int       `json:"uses"` // newcomers it is for
	At     time.Time `json:"made_at"`
	Until  time.Time `json:"expires_at"`
	Taken  []Taken   `json:"taken"`
}

// Taken is a node that has shown an invitation.
type Taken struct {
	Peer  string    `json:"peer"`
	At    time.Time `json:"at"`
	Label string    `json:"label,omitempty"` // by which a device calls itself
	Key   string    `json:"key,omitempty"`   // did:key of a device
	State string    `json:"state,omitempty"` // of a device: one of the states below
}

// The states of a device.
const (
	Waiting  = "waiting"
	Approved = "approved"
	Refused  = "refused"
)

// book keeps what this node has made, in a file. It is safe for concurrent use.
type book struct {
	path string

	mu   sync.Mutex
	made []Made // oldest first
}

func openBook(path string) (*book, error) {
	b := &book{path: path}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return b, nil
	case err != nil:
		return nil, fmt.Errorf("read invitations: %w", err)
	case len(text) > maxBook:
		return nil, fmt.Errorf("read invitations: %s has more than %d bytes", path, maxBook)
	}
	if err := json.Unmarshal(text, &b.made); err != nil {
		return nil, fmt.Errorf("read invitations: %s: %w", path, err)
	}
	return b, nil
}

// change has do work on a copy, which replaces the list once it is on disk. What has
// ended long ago is dropped first.
func (b *book) change(now time.Time, do func(made *[]Made) error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := copied(b.made)
	next = slices.DeleteFunc(next, func(m Made) bool { return now.After(m.Until.Add(keepEnded)) })
	if err := do(&next); err != nil {
		return err
	}
	if reflect.DeepEqual(next, b.made) { // who comes again costs no write
		return nil
	}
	text, err := json.MarshalIndent(next, "", " ")
	if err != nil {
		return fmt.Errorf("write invitations: %w", err)
	}
	if err := store.AtomicWrite(b.path, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write invitations: %w", err)
	}
	b.made = next
	return nil
}

func copied(made []Made) []Made {
	out := slices.Clone(made)
	for i := range out {
		out[i].Taken = append([]Taken{}, out[i].Taken...)
	}
	return out
}

func (b *book) add(m Made, now time.Time) error {
	return b.change(now, func(made *[]Made) error {
		if len(*made) >= maxMade {
			return reason.Refuse(reason.LimitReached, "a node has at most %d invitations", maxMade)
		}
		*made = append(*made, m)
		return nil
	})
}

// list are those whose term is not over, newest first.
func (b *book) list(now time.Time) []Made {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := slices.DeleteFunc(copied(b.made), func(m Made) bool { return !now.Before(m.Until) && !m.Device })
	slices.Reverse(out)
	return out
}

// drop takes an invitation back: who shows it then is refused.
func (b *book) drop(id string, now time.Time) error {
	return b.change(now, func(made *[]Made) error {
		n := len(*made)
		*made = slices.DeleteFunc(*made, func(m Made) bool { return m.ID == id })
		if len(*made) == n {
			return reason.Refuse(reason.NotFound, "this node has no such invitation")
		}
		return nil
	})
}

// take counts a newcomer, who counts once however often it comes. It returns what the
// book says of it.
func (b *book) take(id invite.ID, by Taken, now time.Time) (out Taken, err error) {
	err = b.change(now, func(made *[]Made) error {
		i := slices.IndexFunc(*made, func(m Made) bool { return m.ID == id.String() })
		if i < 0 {
			return reason.Refuse(reason.InviteInvalid, "this node has not made the invitation, or has taken it back")
		}
		m := &(*made)[i]
		at := slices.IndexFunc(m.Taken, func(t Taken) bool { return t.Peer == by.Peer && t.Key == by.Key })
		switch {
		case at >= 0:
			out = m.Taken[at]
			return nil
		case !now.Before(m.Until):
			return reason.Refuse(reason.InviteExpired, "the invitation was good until %s", m.Until.Format(time.RFC3339))
		case m.Device != (by.Key != ""):
			return reason.Refuse(reason.Forbidden, "the invitation is for a device, or is not")
		case len(m.Taken) >= m.Uses:
			return reason.Refuse(reason.InviteUsed, "the invitation was for %d", m.Uses)
		}
		m.Taken = append(m.Taken, by)
		out = by
		return nil
	})
	return out, err
}

// decide writes down what the owner says of a device.
func (b *book) decide(key, state string, now time.Time) (out Taken, err error) {
	err = b.change(now, func(made *[]Made) error {
		for i := range *made {
			for k := range (*made)[i].Taken {
				if t := &(*made)[i].Taken[k]; key != "" && t.Key == key {
					t.State = state
					out = *t
					return nil
				}
			}
		}
		return reason.Refuse(reason.NotFound, "no device with this key has asked here")
	})
	return out, err
}
