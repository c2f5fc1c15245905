package direct

import (
	"fmt"
	"strings"

	"github.com/meshd/meshd/lang/run"
	"github.com/meshd/meshd/lang/run/table"
)

func operands(op int) int { return len(table.Ops[op].Args) }

// entitle gives every function a name within its script, and says what begins it.
func (p *planner) entitle() {
	c := p.c.Program
	wish := map[int]string{}
	say := func(fn int, name, about string) {
		if fn < 0 {
			return
		}
		if _, there := wish[fn]; !there && name != "" {
			wish[fn] = name
		}
		if p.about[fn] != "" {
			about = p.about[fn] + "; " + about
		}
		p.about[fn] = about
	}
	for _, h := range c.Handlers {
		say(h.Fn, "on_"+h.Event, fmt.Sprintf("on %q", h.Event))
	}
	for _, h := range c.Subscriptions {
		say(h.Fn, "on_"+h.Event+"_of_"+p.called(h.From), fmt.Sprintf("on %q of %s", h.Event, p.called(h.From)))
	}
	for _, w := range c.Wires {
		name := ""
		if c.Functions[w.Fn].Name == "wire" {
			name = "from_" + p.called(w.From) + "_" + w.Event
		}
		say(w.Fn, name, fmt.Sprintf("connected to %q of %s", w.Event, p.called(w.From)))
	}
	for _, s := range c.Schedules {
		about := "once, after " + seconds(s.After)
		switch {
		case s.Forever:
			about = "in every step"
		case s.Every > 0:
			about = "every " + seconds(s.Every)
			if s.After > 0 {
				about += ", first after " + seconds(s.After)
			}
		}
		name := ""
		if c.Functions[s.Fn].Name == "execute" {
			name = "execute"
		}
		say(s.Fn, name, about)
	}
	for _, t := range c.Timelines {
		for _, s := range t.Steps {
			say(int(s[1]), fmt.Sprintf("%s_at_%v", t.ID, s[0]), fmt.Sprintf("at %s of the timeline %s", seconds(s[0]), t.ID))
		}
	}
	for _, w := range c.Watches {
		say(w.Fn, "", fmt.Sprintf("when %s changes", c.State[w.State].Key))
	}
	for _, b := range c.Binds {
		say(b.Fn, b.Property+"_now", "is the property "+b.Property)
	}
	for _, x := range c.Computed {
		say(x.Fn, x.Key+"_now", "is the computed value "+x.Key)
	}
	for _, m := range c.Machines {
		for _, s := range m.States {
			say(s.Entry, "enter_"+s.Name, "on entry to "+s.Name)
			say(s.Exit, "leave_"+s.Name, "on exit of "+s.Name)
			for _, t := range s.On {
				say(t.Guard, "may_"+t.Event+"_from_"+s.Name, fmt.Sprintf("whether %q leads from %s to %s", t.Event, s.Name, m.States[t.To].Name))
				say(t.Action, "do_"+t.Event+"_from_"+s.Name, fmt.Sprintf("when %q leads from %s to %s", t.Event, s.Name, m.States[t.To].Name))
			}
		}
	}
	taken := map[[2]string]int{}
	for i, f := range c.Functions {
		name := wish[i]
		if name == "" {
			name = f.Name
		}
		base := Identifier(strings.ReplaceAll(name, " ", "_"))
		name = base
		for n := 2; taken[[2]string{f.Owner, name}] > 0; n++ {
			name = fmt.Sprintf("%s_%d", base, n)
		}
		taken[[2]string{f.Owner, name}]++
		p.titles[i] = name
	}
}

// called is the name of an owner.
func (p *planner) called(owner string) string {
	if n := p.things[owner]; n != nil {
		return Identifier(n.Name)
	}
	if owner == run.SceneOwner {
		return "the_scene"
	}
	return Identifier(strings.TrimPrefix(owner, "module:"))
}

func seconds(s float64) string { return fmt.Sprintf("%v s", s) }
