package admission

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"
)

// ID names a change.
type ID = [32]byte

// Verdict is what becomes of a member that is new here.
type Verdict uint8

// The verdicts.
const (
	Take Verdict = iota // kept, shown and passed on
	Hold                // kept with its body, neither shown nor passed on until Release names it
	Stub                // its head is kept alone; the body may be fetched when there is room
)

// String is the verdict in one lower-case word.
func (v Verdict) String() string { return [...]string{"take", "hold", "stub"}[v] }

// Decision is a verdict and which limit made it, "" for Take: author, tree,
// strangers, guild, home, or held when no more can wait.
type Decision struct {
	Verdict Verdict
	By      string
}

// Change is what is asked of a change whose signature was verified. Its strings
// are kept while it is held.
type Change struct {
	ID     ID
	Author string // the agent, whichever key of it signed
	Tree   string // root of its sponsors, "" when nobody answers for it
	Guild  string // the guild, of what only its members may write there
	Home   string // the home that answers for the author; a home that is only claimed is none
	Bytes  int    // of the body

	Newborn  bool // this node has known the author for less than NewbornFor
	Stranger bool // a newborn for whom nobody answers who is not a newborn too
	Control  bool // a control kind: it is delayed at most
	Past     bool // older than this node's following of the network: rates are not asked
}

// holder is whose share of the queue the change takes.
func (c *Change) holder() string {
	switch {
	case c.Stranger:
		return "strangers"
	case c.Tree != "":
		return "tree " + c.Tree
	}
	return "author " + c.Author
}

// Config sets a Desk up. A zero field means its default.
type Config struct {
	AuthorPerMinute    int   // changes of one author
	TreePerMinute      int   // of all whom one sponsor brought, directly or not
	GuildPerMinute     int   // of members in one guild's space
	HomePerMinute      int   // of all for whom one home answers
	StrangersPerMinute int   // of all newborns for whom nobody answers, together; when they write more, a hundredth of it
	GiverPerSecond     int   // new changes that one peer gives; four times that for its network prefix
	AuthorBodies       int   // bodies of one author that are kept
	AuthorBytes        int64 // bytes of them
	TreeBodies         int   // the same of one tree; strangers together get a tenth of it each day
	TreeBytes          int64
	MaxHeld            int // changes that wait; more are kept as stubs

	Now func() time.Time // nil: time.Now
}

// Validate reports all problems of c, joined.
func (c Config) Validate() error {
	var errs []error
	for _, f := range []struct {
		name string
		n    int64
	}{
		{"author per minute", int64(c.AuthorPerMinute)}, {"tree per minute", int64(c.TreePerMinute)}, {"guild per minute", int64(c.GuildPerMinute)},
		{"home per minute", int64(c.HomePerMinute)}, {"strangers per minute", int64(c.StrangersPerMinute)}, {"giver per second", int64(c.GiverPerSecond)},
		{"author bodies", int64(c.AuthorBodies)}, {"author bytes", c.AuthorBytes}, {"tree bodies", int64(c.TreeBodies)}, {"tree bytes", c.TreeBytes},
		{"held", int64(c.MaxHeld)},
	} {
		if f.n < 0 {
			errs = append(errs, fmt.Errorf("%s: %d is negative", f.name, f.n))
		}
	}
	return errors.Join(errs...)
}

func orDefault[N int | int64](n *N, def N) {
	if *n == 0 {
		*n = def
	}
}

func (c Config) filled() Config {
	orDefault(&c.AuthorPerMinute, DefaultAuthorPerMinute)
	orDefault(&c.TreePerMinute, DefaultTreePerMinute)
	orDefault(&c.GuildPerMinute, DefaultGuildPerMinute)
	orDefault(&c.HomePerMinute, DefaultHomePerMinute)
	orDefault(&c.StrangersPerMinute, DefaultStrangersPerMinute)
	orDefault(&c.GiverPerSecond, DefaultGiverPerSecond)
	orDefault(&c.AuthorBodies, DefaultAuthorBodies)
	orDefault(&c.AuthorBytes, DefaultAuthorBytes)
	orDefault(&c.TreeBodies, DefaultTreeBodies)
	orDefault(&c.TreeBytes, DefaultTreeBytes)
	orDefault(&c.MaxHeld, DefaultMaxHeld)
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// Desk is where what comes from outside is admitted. It is safe for concurrent
// use.
type Desk struct {
	mu          sync.Mutex // guards all below
	cfg         Config
	authors     *table
	trees       *table
	strangers   pool
	flood       *table // of strangers while they are too many
	guilds      *table
	homes       *table
	givers      *table
	nets        *table
	control     *table // of authors and trees, for control kinds
	use         accounts
	held        *queue
	credit      time.Duration // of the last absence
	creditUntil time.Time
	tick        time.Time // of the last Release
}

// New makes a Desk. The error lists all problems of cfg.
func New(cfg Config) (*Desk, error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("configure admission: %w", err)
	}
	d := &Desk{
		authors: newTable(0, burstFor, maxAuthors), trees: newTable(0, burstFor, maxTrees), flood: newTable(0, burstFor, 1),
		guilds: newTable(0, burstFor, maxGuilds), homes: newTable(0, burstFor, maxHomes),
		givers: newTable(0, giverBurst, maxGivers), nets: newTable(0, giverBurst, maxGivers), control: newTable(0, burstFor, maxAuthors),
		use: accounts{max: maxAccounts, byKey: map[string]Usage{}}, held: newQueue(),
	}
	d.set(cfg.filled())
	d.tick = d.cfg.Now()
	return d, nil
}

// Set puts other limits in force. The clock stays.
func (d *Desk) Set(cfg Config) error {
	if err := cfg.Validate(); err != nil {
		return fmt.Errorf("configure admission: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	cfg.Now = d.cfg.Now
	d.set(cfg.filled())
	return nil
}

func (d *Desk) set(cfg Config) {
	d.cfg = cfg
	const minute = 60
	d.authors.set(float64(cfg.AuthorPerMinute)/minute, burstFor)
	d.trees.set(float64(cfg.TreePerMinute)/minute, burstFor)
	d.strangers.set(float64(cfg.StrangersPerMinute) / minute)
	d.flood.set(float64(cfg.StrangersPerMinute)/minute/floodShare, burstFor)
	d.guilds.set(float64(cfg.GuildPerMinute)/minute, burstFor)
	d.homes.set(float64(cfg.HomePerMinute)/minute, burstFor)
	d.givers.set(float64(cfg.GiverPerSecond), giverBurst)
	d.nets.set(netGivers*float64(cfg.GiverPerSecond), giverBurst)
	d.control.set(float64(cfg.AuthorPerMinute)/minute, burstFor)
}

// Flooded is when strangers last wrote more than they may together; zero when they
// never did since the Desk was made.
func (d *Desk) Flooded() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.strangers.flooded
}

// Giver says whether n changes of a peer, none of which was verified, are looked
// at. net is the network prefix it is connected from, "" for one that is not
// counted. Nobody else's bucket is touched. What is turned away comes again by
// reconciliation.
func (d *Desk) Giver(peer, net string, n int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.cfg.Now()
	one := d.givers.bucket(peer, 1, now, d.creditAt(now))
	if one.tokens < 1 {
		return false
	}
	if net != "" {
		all := d.nets.bucket(net, 1, now, d.creditAt(now))
		if all.tokens < 1 {
			return false
		}
		all.tokens -= float64(n)
	}
	one.tokens -= float64(n) // may become a debt, so that a large frame is not stuck for ever
	return true
}

// Judge says what becomes of a change whose signature was verified. A change that
// it withholds is kept in mind until Release or Drop; one that has its body here counts
// towards the quotas. For a control kind Hold means only that it is not passed on
// now; nothing is kept in mind, and it is never a Stub.
func (d *Desk) Judge(c Change) Decision {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.cfg.Now()
	if c.Control {
		if by := d.charge(&c, false, now); by != "" {
			return Decision{Hold, by}
		}
		return Decision{}
	}
	if by := d.overQuota(&c, now); by != "" {
		return Decision{Stub, by}
	}
	by := ""
	if !c.Past {
		flood := c.Stranger && d.strangers.count(now)
		// What came earlier of the same author goes first.
		if d.held.behind(&c) {
			by = "author"
		} else {
			by = d.charge(&c, flood, now)
		}
	}
	if by != "" && d.crowded(&c) {
		return Decision{Stub, "held"}
	}
	d.keep(&c, now)
	if by != "" {
		d.held.push(c)
		return Decision{Hold, by}
	}
	return Decision{}
}

// charge is one bucket that a change is paid from.
type charge struct {
	by    string
	table *table
	key   string
	share float64
}

func (d *Desk) charges(c *Change, flood bool) []charge {
	share := 1.0
	if c.Newborn {
		share = 1.0 / newbornShare
	}
	if c.Control {
		out := []charge{{"author", d.control, "author " + c.Author, share}}
		if h := c.holder(); h != out[0].key {
			out = append(out, charge{"tree", d.control, h, 1})
		}
		return out
	}
	out := []charge{{"author", d.authors, c.Author, share}}
	switch {
	case flood:
		out = append(out, charge{"strangers", d.flood, "", 1})
	case c.Stranger:
	case c.Tree != "":
		out = append(out, charge{"tree", d.trees, c.Tree, 1})
	}
	if c.Guild != "" {
		out = append(out, charge{"guild", d.guilds, c.Guild, 1})
	}
	if c.Home != "" {
		out = append(out, charge{"home", d.homes, c.Home, 1})
	}
	return out
}

// charge pays from every bucket of c or from none, and names the one that lacks.
// In a flood strangers have one more.
func (d *Desk) charge(c *Change, flood bool, now time.Time) (by string) {
	all := d.charges(c, flood)
	found := make([]*bucket, len(all))
	for i, x := range all {
		found[i] = x.table.bucket(x.key, x.share, now, d.creditAt(now))
		if found[i].tokens < 1 {
			return x.by
		}
	}
	for _, b := range found {
		b.tokens--
	}
	return ""
}

func (d *Desk) creditAt(now time.Time) time.Duration {
	if now.Before(d.creditUntil) {
		return d.credit
	}
	return 0
}

// quota is an account and what it may use.
type quota struct {
	by, key string
	bodies  int
	bytes   int64
}

func (d *Desk) quotas(c *Change, now time.Time) []quota {
	part := 1
	if c.Newborn {
		part = newbornShare
	}
	out := []quota{{"author", "author " + c.Author, max(1, d.cfg.AuthorBodies/part), d.cfg.AuthorBytes / int64(part)}}
	switch {
	case c.Stranger:
		day := strconv.FormatInt(now.Unix()/int64(24*time.Hour/time.Second), 10)
		out = append(out, quota{"strangers", "strangers " + day, max(1, d.cfg.TreeBodies/newbornShare), d.cfg.TreeBytes / newbornShare})
	case c.Tree != "":
		out = append(out, quota{"tree", "tree " + c.Tree, d.cfg.TreeBodies, d.cfg.TreeBytes})
	}
	return out
}

func (d *Desk) overQuota(c *Change, now time.Time) (by string) {
	for _, q := range d.quotas(c, now) {
		u := d.use.byKey[q.key]
		u.Bodies++
		u.Bytes += int64(c.Bytes)
		if u.over(q.bodies, q.bytes) {
			return q.by
		}
	}
	return ""
}

func (d *Desk) keep(c *Change, now time.Time) {
	for _, q := range d.quotas(c, now) {
		d.use.add(q.key, c.Bytes)
	}
}

// crowded reports whether c has to be a stub because no more may wait.
func (d *Desk) crowded(c *Change) bool {
	all := d.cfg.MaxHeld
	if len(d.held.byID) >= all {
		return true
	}
	if d.held.byAuthor[c.Author] >= max(1, all/authorHeld) {
		return true
	}
	part := authorHeld
	switch {
	case c.Stranger:
		part = poolHeld
	case c.Tree != "":
		part = treeHeld
	}
	return d.held.byHolder[c.holder()] >= max(1, all/part)
}
