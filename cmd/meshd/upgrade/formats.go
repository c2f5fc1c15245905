package upgrade

import (
	"context"
	"fmt"

	"github.com/meshd/meshd/cmd/meshd/instance"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/state/schema"
	"github.com/meshd/meshd/node/store"
)

// formats are what a program reads and writes, as meshd version --json says.
type formats struct {
	Home  int   `json:"home_format"`
	State int64 `json:"state_schema"` // 0: a program before 0.1.0, which does not say
}

func formatsOfThis() formats { return formats{store.CurrentFormat(), schema.Newest()} }

// homeReport is what a home is, beside what this program makes of it.
type homeReport struct {
	Dir    string `json:"dir"`
	Format int    `json:"format"`
	State  int64  `json:"state_schema"` // 0: no database in the home
	Does   string `json:"does"`         // what this program does with it

	postgres string // where the state lies instead
}

// survey reads the formats of a home, nil for none, without opening it.
func survey(ctx context.Context, s *session.Session, dir string, mine formats) (*homeReport, error) {
	home, err := exists(dir)
	if home == nil || err != nil {
		return nil, err
	}
	format, err := home.Format()
	if err != nil {
		return nil, err
	}
	h := &homeReport{Dir: dir, Format: format, postgres: instance.StatePlace(home)}
	tables, err := schema.ReadSQLite(ctx, home.Path(store.StateFile))
	if err != nil {
		return nil, err
	}
	h.State = tables.Found
	switch {
	case h.refused(mine) != nil:
		h.Does = "this program does not open it"
	case format < mine.Home:
		h.Does = fmt.Sprintf("this program brings it to format %d when it opens it; then the one before opens it no more", mine.Home)
	case tables.Found > 0 && tables.Missing > 0:
		h.Does = fmt.Sprintf("this program adds %s to its database when it opens it; then a program without them opens it no more", plural.Count(tables.Missing, "table change"))
	default:
		h.Does = "this program opens it as it is"
	}
	return h, nil
}

func (h *homeReport) text() string {
	switch {
	case h.postgres != "":
		return fmt.Sprintf("format %d, state in Postgres at %s, whose schema a node compares when it starts", h.Format, h.postgres)
	case h.State == 0:
		return fmt.Sprintf("format %d, no database yet", h.Format)
	}
	return fmt.Sprintf("format %d, database schema %d", h.Format, h.State)
}

// refused is why a program of some formats must not have the home, nil for no reason.
func (h *homeReport) refused(f formats) error {
	switch {
	case h == nil:
		return nil
	case h.Format > f.Home:
		return &store.FormatError{Dir: h.Dir, Found: h.Format, Current: f.Home}
	case h.State > f.State && f.State > 0:
		return fmt.Errorf("%w: schema %d, program %d", state.ErrNewer, h.State, f.State)
	case h.State > 0 && f.State == 0:
		return fmt.Errorf("%w: schema %d, and the program does not say which it reads", state.ErrNewer, h.State)
	}
	return nil
}

// under says what a program of other formats would do with the home.
func (h *homeReport) under(f formats) string {
	switch {
	case h.Format < f.Home:
		return fmt.Sprintf("it would bring the home from format %d to %d, and this program would open it no more: meshd backup first", h.Format, f.Home)
	case h.State > 0 && h.State < f.State:
		return fmt.Sprintf("it would bring the database from schema %d to %d, and this program would open it no more: meshd backup first", h.State, f.State)
	}
	return "it opens the home as it is, and this program could still open it after"
}
