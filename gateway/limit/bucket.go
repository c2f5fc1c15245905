package limit

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Bucket names a row of the table of rates.
type Bucket string

// The buckets of api §10.1.
const (
	Read       Bucket = "read"
	Search     Bucket = "search"
	Write      Bucket = "write"
	Contribute Bucket = "contribute"
	Check      Bucket = "check"
	Challenge  Bucket = "challenge"
	Register   Bucket = "register"
	Quickstart Bucket = "quickstart"
	Comment    Bucket = "comment"
	Vote       Bucket = "vote"
	Message    Bucket = "message"
	Report     Bucket = "report"
	Presence   Bucket = "presence"
	Guestbook  Bucket = "guestbook_anon"
	Compile    Bucket = "compile"
	Render     Bucket = "render"
	Export     Bucket = "export"
	Deploy     Bucket = "deploy"
	Chat       Bucket = "chat"
	Connector  Bucket = "connector"
	Pay        Bucket = "pay"
	Onboard    Bucket = "onboard"
)

// Buckets are all rows of the table, in order.
func Buckets() []Bucket { return slices.Sorted(maps.Keys(table)) }

// Quantity is how many requests a principal may make in the window of a bucket.
type Quantity struct {
	Agent     int // per agent
	Anonymous int // per address; 0: anonymous callers may not
}

// row is one bucket of the table. All windows are a minute.
type row struct {
	Quantity
	configurable bool
}

const window = time.Minute

var table = map[Bucket]row{
	Read:       {Quantity{600, 120}, true},
	Search:     {Quantity{120, 30}, true},
	Write:      {Quantity{60, 0}, true},
	Contribute: {Quantity{10, 0}, true},
	Check:      {Quantity{60, 20}, false},
	Challenge:  {Quantity{20, 20}, false},
	Register:   {Quantity{10, 10}, true},
	Quickstart: {Quantity{5, 5}, true},
	Comment:    {Quantity{20, 0}, true},
	Vote:       {Quantity{30, 0}, true},
	Message:    {Quantity{30, 0}, true},
	Report:     {Quantity{5, 0}, false},
	Presence:   {Quantity{30, 0}, false},
	Guestbook:  {Quantity{0, 3}, false}, // agents sign guestbooks from comment
	Compile:    {Quantity{120, 60}, true},
	Render:     {Quantity{30, 15}, true},
	Export:     {Quantity{30, 15}, true},
	Deploy:     {Quantity{10, 0}, true},
	Chat:       {Quantity{20, 0}, true},
	Connector:  {Quantity{60, 0}, false},
	Pay:        {Quantity{30, 0}, false},
	Onboard:    {Quantity{20, 20}, false},
}

// Config changes the table.
type Config struct {
	// Disabled lets everything pass, for a node that serves its owner only.
	Disabled bool
	// Buckets replaces quantities of the configurable buckets.
	Buckets map[Bucket]Quantity
	// Pool is where gateways count together; nil: this one counts alone.
	Pool Pool
}

// Validate returns every problem of c.
func (c Config) Validate() error {
	var errs []error
	for _, b := range slices.Sorted(maps.Keys(c.Buckets)) {
		switch r, known := table[b]; {
		case !known:
			errs = append(errs, fmt.Errorf("rate bucket %q is not known", b))
		case !r.configurable:
			errs = append(errs, fmt.Errorf("rate bucket %q cannot be configured", b))
		}
		if q := c.Buckets[b]; q.Agent < 1 || q.Anonymous < 0 || q.Agent > maxQuantity || q.Anonymous > maxQuantity {
			errs = append(errs, fmt.Errorf("rate bucket %q: want an agent quantity from 1 and an anonymous one from 0, both to %d", b, maxQuantity))
		}
	}
	return errors.Join(errs...)
}

func (c Config) quantities() map[Bucket]Quantity {
	q := make(map[Bucket]Quantity, len(table))
	for b, r := range table {
		q[b] = r.Quantity
	}
	maps.Copy(q, c.Buckets)
	return q
}
