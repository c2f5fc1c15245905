package admission_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/meshd/meshd/node/admission"
)

// desk is a Desk with its own clock.
type desk struct {
	*admission.Desk
	now  time.Time
	made uint64
}

func newDesk(t testing.TB, cfg admission.Config) *desk {
	t.Helper()
	d := &desk{now: time.Unix(1_800_000_000, 0)}
	cfg.Now = func() time.Time { return d.now }
	var err error
	if d.Desk, err = admission.New(cfg); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *desk) change(author string, set ...func(*admission.Change)) admission.Change {
	d.made++
	c := admission.Change{Author: author, Bytes: 100}
	binary.BigEndian.PutUint64(c.ID[:], d.made)
	for _, f := range set {
		f(&c)
	}
	return c
}

// judge judges n changes of an author and counts the verdicts.
func (d *desk) judge(n int, author string, set ...func(*admission.Change)) (count [3]int) {
	for range n {
		count[d.Judge(d.change(author, set...)).Verdict]++
	}
	return count
}

func stranger(c *admission.Change) { c.Newborn, c.Stranger = true, true }
func newborn(c *admission.Change)  { c.Newborn = true }
func past(c *admission.Change)     { c.Past = true }
func control(c *admission.Change)  { c.Control = true }

func in(tree, guild, home string) func(*admission.Change) {
	return func(c *admission.Change) { c.Tree, c.Guild, c.Home = tree, guild, home }
}

func bytes(n int) func(*admission.Change) { return func(c *admission.Change) { c.Bytes = n } }

// A minute's limit of 6 is a burst of 60.
func TestLimits(t *testing.T) {
	t.Parallel()
	roomy := admission.Config{AuthorPerMinute: 1e6, TreePerMinute: 1e6, GuildPerMinute: 1e6, HomePerMinute: 1e6, StrangersPerMinute: 1e6}
	with := func(f func(*admission.Config)) admission.Config { c := roomy; f(&c); return c }
	for name, test := range map[string]struct {
		cfg  admission.Config
		n    int
		set  []func(*admission.Change)
		each bool // by an author of its own
		want [3]int
		by   string // of one more
	}{
		"an author":                  {cfg: with(func(c *admission.Config) { c.AuthorPerMinute = 6 }), n: 70, want: [3]int{60, 10, 0}, by: "author"},
		"a newborn":                  {cfg: with(func(c *admission.Config) { c.AuthorPerMinute = 6 }), set: []func(*admission.Change){newborn}, n: 10, want: [3]int{6, 4, 0}, by: "author"},
		"few strangers":              {cfg: with(func(c *admission.Config) { c.StrangersPerMinute = 100 }), set: []func(*admission.Change){stranger}, each: true, n: 99, want: [3]int{99, 0, 0}},
		"a flood of strangers":       {cfg: with(func(c *admission.Config) { c.StrangersPerMinute = 100 }), set: []func(*admission.Change){stranger}, each: true, n: 130, want: [3]int{110, 20, 0}, by: "strangers"},
		"a tree":                     {cfg: with(func(c *admission.Config) { c.TreePerMinute = 1 }), set: []func(*admission.Change){in("t", "", "")}, each: true, n: 12, want: [3]int{10, 2, 0}, by: "tree"},
		"a guild":                    {cfg: with(func(c *admission.Config) { c.GuildPerMinute = 1 }), set: []func(*admission.Change){in("", "g", "")}, each: true, n: 12, want: [3]int{10, 2, 0}, by: "guild"},
		"a home":                     {cfg: with(func(c *admission.Config) { c.HomePerMinute = 1 }), set: []func(*admission.Change){in("", "", "h")}, each: true, n: 12, want: [3]int{10, 2, 0}, by: "home"},
		"control is never a stub":    {cfg: with(func(c *admission.Config) { c.AuthorPerMinute, c.AuthorBodies, c.MaxHeld = 6, 1, 1 }), set: []func(*admission.Change){control}, n: 70, want: [3]int{60, 10, 0}, by: "author"},
		"the past":                   {cfg: admission.Config{}, set: []func(*admission.Change){past, stranger}, n: 5000, want: [3]int{5000, 0, 0}},
		"the past has a quota":       {cfg: admission.Config{AuthorBodies: 30}, set: []func(*admission.Change){past}, n: 40, want: [3]int{30, 0, 10}, by: "author"},
		"bodies of an author":        {cfg: with(func(c *admission.Config) { c.AuthorBodies = 8 }), n: 10, want: [3]int{8, 0, 2}, by: "author"},
		"bytes of an author":         {cfg: with(func(c *admission.Config) { c.AuthorBytes = 850 }), n: 10, want: [3]int{8, 0, 2}, by: "author"},
		"bodies of a newborn":        {cfg: with(func(c *admission.Config) { c.AuthorBodies = 80 }), set: []func(*admission.Change){newborn}, n: 10, want: [3]int{8, 0, 2}, by: "author"},
		"bodies of a tree":           {cfg: with(func(c *admission.Config) { c.TreeBodies = 8 }), set: []func(*admission.Change){in("t", "", "")}, each: true, n: 10, want: [3]int{8, 0, 2}, by: "tree"},
		"bytes of a tree":            {cfg: with(func(c *admission.Config) { c.TreeBytes = 850 }), set: []func(*admission.Change){in("t", "", "")}, each: true, n: 10, want: [3]int{8, 0, 2}, by: "tree"},
		"bytes of strangers":         {cfg: with(func(c *admission.Config) { c.TreeBytes = 8500 }), set: []func(*admission.Change){stranger}, each: true, n: 10, want: [3]int{8, 0, 2}, by: "strangers"},
		"held by one author":         {cfg: admission.Config{AuthorPerMinute: 1, MaxHeld: 160}, n: 30, want: [3]int{10, 10, 10}, by: "held"},
		"held by a tree":             {cfg: with(func(c *admission.Config) { c.TreePerMinute, c.MaxHeld = 1, 160 }), set: []func(*admission.Change){in("t", "", "")}, each: true, n: 40, want: [3]int{10, 20, 10}, by: "held"},
		"held by strangers together": {cfg: admission.Config{StrangersPerMinute: 10, MaxHeld: 160}, set: []func(*admission.Change){stranger}, each: true, n: 61, want: [3]int{11, 40, 10}, by: "held"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, test.cfg)
			var got [3]int
			for i := range test.n {
				author := "ada"
				if test.each {
					author = fmt.Sprint("author ", i)
				}
				got[d.Judge(d.change(author, test.set...)).Verdict]++
			}
			if got != test.want {
				t.Errorf("taken, held, stubs: %v, want %v", got, test.want)
			}
			author := "ada"
			if test.each {
				author = "one more"
			}
			if by := d.Judge(d.change(author, test.set...)).By; by != test.by {
				t.Errorf("one more is stopped by %q, want %q", by, test.by)
			}
		})
	}
}

func TestHeldGoInOrderAndInTurns(t *testing.T) {
	t.Parallel()
	d := newDesk(t, admission.Config{AuthorPerMinute: 1e6, TreePerMinute: 1})
	tree := in("t", "", "")
	d.judge(10, "early", tree)
	var first []admission.Change
	for range 5 {
		c := d.change("ada", tree)
		first = append(first, c)
		d.Judge(c)
	}
	d.judge(1, "bo", tree)
	if d.Waiting() != 6 || !d.Held(first[0].ID) {
		t.Fatalf("%d wait", d.Waiting())
	}
	var order []string
	var of []admission.ID
	for range 6 {
		d.now = d.now.Add(59 * time.Second) // less than a token, and no absence
		if out := d.Release(100); len(out) != 0 {
			t.Fatalf("%d go too early", len(out))
		}
		d.now = d.now.Add(time.Second)
		for _, c := range d.Release(100) {
			order = append(order, c.Author)
			if c.Author == "ada" {
				of = append(of, c.ID)
			}
		}
	}
	if want := []string{"ada", "bo", "ada", "ada", "ada", "ada"}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
	for i := range first {
		if of[i] != first[i].ID {
			t.Fatal("an author's changes go in another order than they came")
		}
	}
	if d.Waiting() != 0 {
		t.Errorf("%d still wait", d.Waiting())
	}
}

func TestLaterChangesQueueBehindEarlierOnes(t *testing.T) {
	t.Parallel()
	d := newDesk(t, admission.Config{AuthorPerMinute: 6})
	d.judge(61, "ada")
	d.now = d.now.Add(30 * time.Second) // three tokens, and one waits
	if got := d.Judge(d.change("ada")); got.Verdict != admission.Hold {
		t.Errorf("%v overtakes what waits", got)
	}
	if out := d.Release(100); len(out) != 2 {
		t.Errorf("%d go, want both", len(out))
	}
}

func TestGiverIsAskedAloneAndPaysItsDebt(t *testing.T) {
	t.Parallel()
	d := newDesk(t, admission.Config{GiverPerSecond: 1})
	if !d.Giver("loud", "203.0.113.0/24", 300) || d.Giver("loud", "203.0.113.0/24", 1) {
		t.Error("a giver has another bucket than 100 and a debt")
	}
	if !d.Giver("quiet", "203.0.113.0/24", 99) || !d.Giver("quiet", "198.51.100.0/24", 1) || d.Giver("third", "203.0.113.0/24", 1000) != true {
		t.Error("others pay for it")
	}
	if d.Giver("fourth", "203.0.113.0/24", 1) {
		t.Error("identities of one network prefix have no bound together")
	}
	if !d.Giver("fourth", "", 1) {
		t.Error("without a prefix it has its own bucket alone")
	}
	d.now = d.now.Add(202 * time.Second)
	if !d.Giver("loud", "", 1) {
		t.Error("the debt is never paid")
	}
}

func TestForgeriesDoNotReachAnAuthorsBucket(t *testing.T) {
	t.Parallel()
	d := newDesk(t, admission.Config{AuthorPerMinute: 6})
	d.Giver("forger", "", 100_000) // names ada in each; none is verified, so none is judged
	if got := d.judge(60, "ada"); got != [3]int{60, 0, 0} {
		t.Errorf("ada's own: %v", got)
	}
}

func TestAbsenceIsCredited(t *testing.T) {
	t.Parallel()
	for name, away := range map[string]func(*desk){
		"it did not run": func(d *desk) { d.Away(time.Hour) },
		"it slept": func(d *desk) {
			d.Release(1)
			d.now = d.now.Add(time.Hour)
			d.Release(1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, admission.Config{AuthorPerMinute: 6})
			d.judge(60, "old")
			away(d)
			if got := d.judge(500, "old"); got[0] < 360 || got[0] > 420 {
				t.Errorf("an author seen before: %v", got)
			}
			if got := d.judge(500, "new"); got[0] != 420 {
				t.Errorf("one that is new here: %v", got)
			}
			d.now = d.now.Add(11 * time.Minute)
			if got := d.judge(500, "later"); got[0] != 60 {
				t.Errorf("long after: %v", got)
			}
		})
	}
}

func TestQuotaMakesRoomAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t, admission.Config{TreeBytes: 10_000, StrangersPerMinute: 1000})
	c := d.change("s", stranger, bytes(800))
	if d.Judge(c).Verdict != admission.Take || d.Judge(d.change("s", stranger, bytes(800))).Verdict != admission.Stub {
		t.Fatal("the day's quota of strangers does not bite")
	}
	if d.Room(c) {
		t.Error("there is room on the same day")
	}
	d.now = d.now.Add(24 * time.Hour)
	if !d.Room(c) {
		t.Error("there is no room the next day")
	}
	again := newDesk(t, admission.Config{AuthorBodies: 5})
	again.judge(5, "ada")
	fresh := newDesk(t, admission.Config{AuthorBodies: 5})
	fresh.SetUsage(again.Usage())
	if got := fresh.judge(1, "ada"); got[admission.Stub] != 1 {
		t.Error("a restart forgets what is kept")
	}
	if err := fresh.Set(admission.Config{AuthorBodies: 6}); err != nil || !fresh.Room(fresh.change("ada")) {
		t.Errorf("a raised quota makes no room: %v", err)
	}
}

func TestDroppedChangesDoNotCome(t *testing.T) {
	t.Parallel()
	d := newDesk(t, admission.Config{AuthorPerMinute: 1})
	d.judge(10, "ada")
	one, two := d.change("ada"), d.change("ada")
	d.Judge(one)
	d.Judge(two)
	d.Drop(one.ID)
	d.Drop(one.ID)
	d.now = d.now.Add(time.Minute)
	if out := d.Release(10); len(out) != 1 || out[0].ID != two.ID {
		t.Errorf("released %v", out)
	}
	three := d.change("ada")
	d.Restore(three)
	d.Drop(three.ID)
	d.Restore(d.change("ada"))
	d.now = d.now.Add(time.Minute)
	if out := d.Release(10); len(out) != 1 || d.Waiting() != 0 {
		t.Errorf("released %v, %d wait", out, d.Waiting())
	}
}

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	d := newDesk(t, admission.Config{MaxHeld: 1000})
	for i := range 200_000 {
		author := fmt.Sprint("author ", i)
		d.Giver(author, author, 1)
		d.Judge(d.change(author, in(author, author, author)))
		d.Judge(d.change(author, stranger))
	}
	if n := len(d.Usage()); n > 65_536+1 {
		t.Errorf("%d accounts", n)
	}
	if d.Waiting() > 1000 {
		t.Errorf("%d wait", d.Waiting())
	}
	if err := (admission.Config{AuthorBytes: -1, MaxHeld: -1}).Validate(); err == nil {
		t.Error("negative limits pass")
	}
}

func TestFloodEndsAndItsHeldGoSlowly(t *testing.T) {
	t.Parallel()
	d := newDesk(t, admission.Config{AuthorPerMinute: 1e6, StrangersPerMinute: 600, MaxHeld: 40_000})
	spam := func(n int) (got [3]int) {
		for i := range n {
			got[d.Judge(d.change(fmt.Sprint("key ", i), stranger)).Verdict]++
		}
		return got
	}
	spam(100_000)
	d.now = d.now.Add(time.Second)
	if got := spam(10); got[admission.Take] != 0 {
		t.Errorf("in the flood: %v", got)
	}
	released := func(span time.Duration) (n int) {
		for range int(span / time.Second) {
			d.now = d.now.Add(time.Second)
			n += len(d.Release(100))
		}
		return n
	}
	if n := released(5 * time.Minute); n > 31 {
		t.Errorf("%d go in five minutes of the flood, 6 a minute are meant to", n)
	}
	released(6 * time.Minute)
	if n := released(time.Minute); n < 500 || n > 700 {
		t.Errorf("%d go in a minute after it, 600 are meant to", n)
	}
	if got := d.judge(1, "newcomer", stranger); got[admission.Take] != 1 {
		t.Errorf("a newcomer after the flood: %v", got)
	}
}

// What members write in a guild that others of its members flood waits there, and
// nothing that they write elsewhere waits behind it; what an author is over its own
// rate with delays all that it writes later.
func TestFloodedGuildDelaysNothingElsewhere(t *testing.T) {
	t.Parallel()
	d := newDesk(t, admission.Config{AuthorPerMinute: 60, GuildPerMinute: 1})
	if got := d.judge(10, "loud", in("", "g", "")); got != [3]int{10, 0, 0} {
		t.Fatalf("%v", got)
	}
	if got := d.judge(2, "ada", in("", "g", "")); got != [3]int{0, 2, 0} {
		t.Errorf("in the guild: %v, want both held", got)
	}
	if got := d.judge(3, "ada"); got != [3]int{3, 0, 0} {
		t.Errorf("in the commons: %v", got)
	}
	if got := d.judge(3, "ada", in("", "other", "")); got != [3]int{3, 0, 0} {
		t.Errorf("in another guild: %v", got)
	}
	d.judge(700, "bo") // a hundred over the author's burst
	if got := d.judge(1, "bo", in("", "other", "")); got != [3]int{0, 1, 0} {
		t.Errorf("%v overtakes what waits of its author", got)
	}
	d.now = d.now.Add(61 * time.Minute)
	for range 4000 {
		d.now = d.now.Add(time.Second)
		d.Release(1000)
	}
	if d.Waiting() != 0 {
		t.Errorf("%d wait for ever", d.Waiting())
	}
}

// A page asks whether changes wait while the turns of thousands are gone through, and
// does not wait for their end.
func TestHeldDoesNotWaitForTurns(t *testing.T) {
	now, busy := time.Unix(1_800_000_000, 0), false
	var d *admission.Desk
	var id admission.ID
	asked := make(chan bool, 1)
	d, err := admission.New(admission.Config{AuthorPerMinute: 1, Now: func() time.Time {
		if busy { // Release has begun
			go func() { asked <- d.Held(id) }()
			select {
			case held := <-asked:
				if !held {
					t.Error("what waits is not held")
				}
			case <-time.After(10 * time.Second):
				t.Error("waited for the turns")
			}
		}
		return now
	}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		c := admission.Change{Author: "a", Bytes: 100}
		binary.BigEndian.PutUint64(c.ID[:], uint64(i))
		if d.Judge(c).Verdict == admission.Hold {
			id = c.ID
		}
	}
	busy = true
	if got := d.Release(1); len(got) != 0 || d.Waiting() == 0 {
		t.Errorf("%d let go, %d wait", len(got), d.Waiting())
	}
}
