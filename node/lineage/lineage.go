// Package lineage decides whether a home is the one that goes on from everything
// its keys have signed. A home that was restored from a backup or copied, and one
// whose store is gone, may lack the newest changes of its own chains; to sign
// there would fork them, and a fork cannot be undone by anybody else.
//
// [Open] examines a home by the file INSTANCE in it and begins a [Doubt] about
// every key of the vault where it finds such a thing. [Book.May] then refuses what
// those keys would sign, until [Book.Settle] says that a peer that knows a key was
// compared with. Keys made later are free: nobody else can have used them.
//
// What no file of a home shows is not seen here: a virtual machine that is set
// back, or `cp -a` of an older copy over the home. Whoever does that says so
// (`meshd run --restored`).
package lineage

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/store"
)

// File is the name of the file in a home, and of the mark in its store. Neither
// belongs into a backup.
const File = "INSTANCE"

// Why is what made a home doubtful.
type Why string

// The reasons of a doubt.
const (
	Restored  Why = "restored"   // from a backup
	Copied    Why = "copied"     // the home lies elsewhere than it did, or was written over
	StoreLost Why = "store_lost" // the log is gone, or shorter than it was
)

// Text is the reason in words, after "this home …".
func (w Why) Text() string {
	switch w {
	case Restored:
		return "was restored from a backup"
	case Copied:
		return "was copied from another place"
	case StoreLost:
		return "has lost its store, or a part of it"
	}
	return "is in doubt (" + string(w) + ")"
}

// Doubt is about keys that may have signed more than is here.
type Doubt struct {
	Why     Why       `json:"why"`
	Since   time.Time `json:"since"`
	Keys    []string  `json:"keys"`    // did:key; all that the vault contained then
	Settled []string  `json:"settled"` // of these, whose public chains were compared
	Teams   []string  `json:"teams"`   // sets of private teams that were compared
	// Alone is when the owner said that no peer has more; zero before.
	Alone time.Time `json:"alone,omitzero"`
}

// instance is the content of the file.
type instance struct {
	ID    string `json:"id"`  // also in the store
	Seq   uint64 `json:"seq"` // a local sequence that the log had reached
	Place Place  `json:"place"`
	Fresh bool   `json:"fresh,omitempty"` // written by a restore and not opened since
	Doubt *Doubt `json:"doubt,omitempty"`
}

// Config is what Open goes by.
type Config struct {
	Home *store.Home // locked
	// Store is the folder of the log, "" when the log is not kept in files.
	Store string
	// Volatile says that the log begins empty at each start.
	Volatile bool
	Keys     []did.Key // of the vault that write changes
	Seq      uint64    // the newest local sequence of the log
	Now      func() time.Time
}

// Book is what is known of one open home. It is safe for concurrent use.
type Book struct {
	cfg   Config
	doubt atomic.Pointer[Doubt] // never changed in place

	mu sync.Mutex // guards what follows, and the files
	in instance
}

// Open examines a home and writes down where it lies now. A home whose vault has
// no such keys is in no doubt.
func Open(cfg Config) (*Book, error) {
	b := &Book{cfg: cfg}
	in, moved, err := read(cfg.Home.Path(File))
	kept := cfg.Store == "" || marked(cfg.Store, in.ID)
	var why Why
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// Homes of earlier releases have no such file.
		if cfg.Seq == 0 && !cfg.Home.Fresh() {
			why = StoreLost
		}
	case errors.Is(err, errUnreadable):
		why = Copied
	case err != nil:
		return nil, err
	case in.Fresh:
	case !kept || cfg.Volatile || cfg.Seq < in.Seq:
		why = StoreLost
	case moved:
		why = Copied
	}
	if why != "" || in.ID == "" || moved {
		if in.ID, err = newID(); err != nil {
			return nil, err
		}
	}
	in.Fresh = false
	b.in = in
	if why != "" && len(cfg.Keys) > 0 {
		b.in.Doubt = newDoubt(why, texts(cfg.Keys), cfg.Now())
	}
	b.doubt.Store(b.in.Doubt)
	b.in.Seq = cfg.Seq
	if err := b.write(); err != nil {
		return nil, err
	}
	if cfg.Store == "" {
		return b, nil
	}
	if err := store.AtomicWrite(filepath.Join(cfg.Store, File), []byte(b.in.ID+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("mark the store: %w", err)
	}
	return b, nil
}

// MarkRestored begins, in a home that is not open, a doubt about keys as after a
// restore. Without keys the next Open does not doubt.
func MarkRestored(dir string, keys []string, now time.Time) error {
	id, err := newID()
	if err != nil {
		return err
	}
	in := instance{ID: id, Fresh: true}
	if len(keys) > 0 {
		in.Doubt = newDoubt(Restored, keys, now)
	}
	return writeAt(filepath.Join(dir, File), in)
}

func newDoubt(why Why, keys []string, now time.Time) *Doubt {
	keys = slices.Clone(keys)
	slices.Sort(keys)
	return &Doubt{Why: why, Since: now.UTC().Truncate(time.Second), Keys: keys, Settled: []string{}, Teams: []string{}}
}

// May refuses with home_unsure what a key would sign in a space while its chains
// there may go on elsewhere.
func (b *Book) May(key did.Key, space change.Space) error {
	d := b.doubt.Load()
	if d == nil || !d.covers(key.String(), space) {
		return nil
	}
	return Refusal(d.Why, space)
}

// Unsure reports whether what key wrote in a space may go on elsewhere.
func (b *Book) Unsure(key did.Key, space change.Space) bool { return b.May(key, space) != nil }

func (d *Doubt) covers(key string, space change.Space) bool {
	if !slices.Contains(d.Keys, key) {
		return false
	}
	if space.Area() == change.AreaTeam {
		return !slices.Contains(d.Teams, string(space))
	}
	return !slices.Contains(d.Settled, key)
}

// Refusal is the one of a write in a space that waits for a peer.
func Refusal(why Why, space change.Space) error {
	if space.Area() == change.AreaTeam {
		refusal := reason.Refuse(reason.HomeUnsure, "this home %s: nothing is signed in %s until its own chains there were compared with the node of another member", why.Text(), space)
		refusal.Hint = "run the node while such a node runs; when there is none, meshd id rotate (--as for another agent) goes on under a new key"
		return refusal
	}
	refusal := reason.Refuse(reason.HomeUnsure, "this home %s: nothing is signed until its own chains were compared with a peer that knows them", why.Text())
	refusal.Hint = "run the node with a peer that knew it (network.bootstrap); when there is none any more, stop it and run meshd run --alone, which goes on under a new key"
	return refusal
}

// Doubt is what is in doubt about this home; false when nothing is.
func (b *Book) Doubt() (Doubt, bool) {
	d := b.doubt.Load()
	if d == nil {
		return Doubt{}, false
	}
	return *d, true
}

// Suspect begins a doubt about all keys of the vault, since the owner or a part of
// the node knows what Open could not see. A doubt that is there already stays.
func (b *Book) Suspect(why Why, keys []did.Key) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.in.Doubt != nil && len(keys) <= len(b.in.Doubt.Keys)-len(b.in.Doubt.Settled) {
		return nil
	}
	b.in.Doubt = newDoubt(why, texts(keys), b.cfg.Now())
	b.doubt.Store(b.in.Doubt)
	return b.write()
}

// Settle says that a peer that knows these keys was compared with in all public
// sets, and one that knows them in these sets of private teams. It reports whether
// that is news.
func (b *Book) Settle(keys []did.Key, teams []string) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.in.Doubt
	if old == nil {
		return false, nil
	}
	d := *old
	d.Settled, d.Teams = union(old.Settled, texts(keys)), union(old.Teams, teams)
	if len(d.Settled) == len(old.Settled) && len(d.Teams) == len(old.Teams) {
		return false, nil
	}
	b.in.Doubt = &d
	if err := b.write(); err != nil {
		b.in.Doubt = old
		return false, err
	}
	b.doubt.Store(&d)
	return true, nil
}

// WentAlone notes that the keys in doubt were given up at the owner's word.
func (b *Book) WentAlone() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.in.Doubt == nil {
		return nil
	}
	d := *b.in.Doubt
	d.Alone = b.cfg.Now().UTC()
	b.in.Doubt = &d
	b.doubt.Store(&d)
	return b.write()
}

// Reached notes how far the log has come, so that a shorter one is found out.
func (b *Book) Reached(seq uint64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if seq == b.in.Seq {
		return nil
	}
	b.in.Seq = seq
	return b.write()
}

// write is for the holder of b.mu.
func (b *Book) write() error { return writeAt(b.cfg.Home.Path(File), b.in) }

var errUnreadable = errors.New("the file " + File + " is not what this program writes")

// read returns the content of the file and whether it lies where it was written.
func read(path string) (in instance, moved bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return in, false, err
	}
	defer f.Close()
	place, modified, changed, err := placeOf(f, path)
	if err != nil {
		return in, false, fmt.Errorf("read %s: %w", File, err)
	}
	dec := json.NewDecoder(f)
	if err := dec.Decode(&in); err != nil || in.ID == "" {
		return instance{}, false, errUnreadable
	}
	return in, in.Place.moved(place, modified, changed), nil
}

// writeAt replaces the file, whose content names the inode it will have.
func writeAt(path string, in instance) (err error) {
	tmp := path + ".tmp"
	if err := os.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write %s: %w", File, err)
	}
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write %s: %w", File, err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp) // the first error counts
			err = fmt.Errorf("write %s: %w", File, err)
		}
	}()
	if in.Place, _, _, err = placeOf(f, path); err != nil {
		return errors.Join(err, f.Close())
	}
	// The system's own time: it is compared with times of the file.
	stamped := time.Now()
	in.Place.Stamped = stamped.UnixMilli()
	text, err := json.MarshalIndent(in, "", "  ")
	if err != nil {
		return errors.Join(err, f.Close())
	}
	if _, err := f.Write(append(text, '\n')); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Chtimes(tmp, stamped, stamped); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// marked reports whether the store is the one that the home was used with.
func marked(dir, id string) bool {
	text, err := os.ReadFile(filepath.Join(dir, File))
	return err == nil && string(text) == id+"\n"
}

func newID() (string, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("name an instance: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

func texts(keys []did.Key) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = k.String()
	}
	return out
}

func union(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}
