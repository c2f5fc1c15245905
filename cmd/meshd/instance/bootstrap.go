package instance

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
)

// bootstrapKey is the setting that names the peers to ask first.
const bootstrapKey = "network.bootstrap"

// bootstrap changes the peers to ask first, in the file of the settings and in force.
// What the environment or a flag has set is not a command's to change.
func (in *Instance) bootstrap(change func(now []string) ([]string, error)) error {
	in.editing.Lock()
	defer in.editing.Unlock()
	fixed := func(text string) error {
		refusal := reason.Refuse(reason.Forbidden, "%s", text)
		refusal.Hint = "set network.bootstrap in meshd.yaml"
		return refusal
	}
	if in.File == "" || in.Reload == nil {
		return fixed("the settings of this node are fixed")
	}
	for _, from := range []string{"env:", "flag:"} {
		if o := in.Settings.Origin(bootstrapKey); strings.HasPrefix(o, from) {
			return fixed(bootstrapKey + " is set by " + o + ", which goes before the file")
		}
	}
	changed := false
	err := store.Alone(filepath.Dir(in.File), func() error {
		written, err := config.Written(in.File, bootstrapKey)
		if err != nil {
			return fmt.Errorf("read settings: %w", err)
		}
		now := slices.DeleteFunc(strings.Split(written, ","), func(a string) bool { return a == "" })
		next, err := change(now)
		if err != nil || slices.Equal(now, next) {
			return err
		}
		text, err := config.EditFile(in.File, bootstrapKey, strings.Join(next, ","))
		if err != nil {
			return fmt.Errorf("change %s of %s: %w", bootstrapKey, in.File, err)
		}
		if err := store.AtomicWrite(in.File, text, 0o600); err != nil {
			return fmt.Errorf("write settings: %w", err)
		}
		changed = true
		return nil
	})
	if err == nil && changed {
		_, _, err = in.Reload()
	}
	return err
}
