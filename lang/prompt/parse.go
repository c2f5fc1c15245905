package prompt

import (
	"slices"
	"strings"
)

// phrase names something: a red ball, the table, it.
type phrase struct {
	count    int
	counted  bool
	vague    string // the word for a count that stands for a number
	definite bool
	every    bool
	pronoun  string
	color    string // #rrggbb
	hue      string // the word for it
	material string
	size     float64
	tall     [3]float64 // metres wide, tall and long; 0 is not said
	noun     *noun
	said     string // the word for it, singular
	stretch  vec    // tall, wide, long without a number
	plural   bool
	text     string
	name     string
	does     []string
	click    []effect
}

// effect is what a click does.
type effect struct{ what, arg string }

// relation is a place next to something.
type relation struct {
	kind string
	to   []phrase
}

// layout arranges several.
type layout struct {
	kind string // row, circle, grid, stack, scattered
	n, m int
}

// command is one thing to do.
type command struct {
	verb    string
	what    phrase
	rel     *relation
	layout  *layout
	by      vec     // move: metres
	degrees float64 // turn
	factor  vec     // scale
	set     string  // surroundings
	name    string
}

// parser reads a prompt. What it cannot read it notes and passes.
type parser struct {
	words   []word
	pos     int
	unknown []string
	out     []command
}

func parsePrompt(prompt string) ([]command, []string) {
	p := &parser{words: split(prompt)}
	for p.pos < len(p.words) {
		start := p.pos
		p.clause()
		if p.pos == start {
			p.pos++
		}
	}
	return p.out, p.unknown
}

func (p *parser) at(k int) word {
	if i := p.pos + k; i >= 0 && i < len(p.words) {
		return p.words[i]
	}
	return word{mark: true, text: "."}
}

func (p *parser) is(k int, texts ...string) bool {
	w := p.at(k)
	return !w.quoted && slices.Contains(texts, w.text)
}

func (p *parser) take(texts ...string) bool {
	if p.is(0, texts...) {
		p.pos++
		return true
	}
	return false
}

// takes passes several words in a row.
func (p *parser) takes(text string) bool {
	list := strings.Fields(text)
	for k, w := range list {
		if !p.is(k, w) {
			return false
		}
	}
	p.pos += len(list)
	return true
}

func (p *parser) note(w word) {
	text := w.text
	if !slices.Contains(p.unknown, text) && len(p.unknown) < MaxUnknown {
		p.unknown = append(p.unknown, text)
	}
}

// clause reads what begins here: a command, a thing, surroundings, or a word
// that says nothing.
func (p *parser) clause() {
	w := p.at(0)
	switch {
	case w.mark, w.text == "and" || w.text == "then":
		p.pos++
	case p.surrounding():
	case verbs[w.text] != "" && !w.quoted && p.verb(verbs[w.text]):
	case p.thing():
	case w.quoted, !fillers[w.text]:
		p.note(w)
		p.pos++
	default:
		p.pos++
	}
}

// surrounding reads night, foggy, the gravity of the moon.
func (p *parser) surrounding() bool {
	start := p.pos
	for p.is(0, "it", "make", "set", "at", "in", "the", "a", "on", "with", "with", "it's", "by", "very") && !p.is(0, "make") || p.is(0, "make") && p.is(1, "it") {
		p.pos++
	}
	set := surroundings[p.at(0).text]
	if p.at(0).quoted || set == "" || (p.is(0, "dark") || p.is(0, "bright") || p.is(0, "light")) && colors[p.at(1).text] != "" || p.is(0, "moon") && !p.gravityBefore() {
		p.pos = start
		if p.is(0, "gravity") && p.is(1, "of") {
			p.pos += 2
			p.take("the")
			if p.take("moon") {
				p.out = append(p.out, command{verb: "surround", set: "moon"})
				return true
			}
			p.pos = start
		}
		if p.is(0, "moon") && p.is(1, "gravity") {
			p.pos += 2
			p.out = append(p.out, command{verb: "surround", set: "moon"})
			return true
		}
		return false
	}
	p.pos++
	p.take("ground", "floor", "scene", "time")
	p.out = append(p.out, command{verb: "surround", set: set})
	return true
}

func (p *parser) gravityBefore() bool { return p.is(-1, "of", "the") && p.is(-2, "gravity", "of") }

// arrangement reads a row of, before the things themselves.
func (p *parser) arrangement() *layout {
	start := p.pos
	p.take("a", "one")
	kind := map[string]string{"row": "row", "line": "row", "circle": "circle", "ring": "circle", "grid": "grid", "stack": "stack"}[p.at(0).text]
	if kind == "" || !p.is(1, "of") {
		p.pos = start
		return nil
	}
	p.pos += 2
	unknown := p.unknown
	if ph, ok := p.np(); ok && (ph.plural || ph.counted && ph.count > 1) {
		p.pos, p.unknown = start, unknown
		p.take("a", "one")
		p.pos += 2
		return &layout{kind: kind}
	}
	p.pos, p.unknown = start, unknown
	return nil
}

// phrases reads one phrase or several whose last one brings the noun: a red and
// a blue ball.
func (p *parser) phrases() ([]phrase, bool) {
	start, unknown := p.pos, p.unknown
	var open []phrase
	for {
		if ph, ok := p.np(); ok {
			for i := range open {
				open[i].noun, open[i].said = ph.noun, ph.said
			}
			return append(open, ph), true
		}
		ph := phrase{}
		for counts[p.at(0).text] != 0 || p.adjective(&ph) {
			if n := counts[p.at(0).text]; n != 0 {
				ph.count, ph.counted = n, true
				p.pos++
			}
		}
		if ph.color == "" && ph.material == "" && ph.size == 0 || !p.take("and", ",") {
			p.pos, p.unknown = start, unknown
			return nil, false
		}
		p.take("and")
		open = append(open, ph)
	}
}

// tails reads what follows a phrase: relations, layouts, behaviours, a name.
func (p *parser) tails(c *command) {
	for {
		start := p.pos
		w := p.at(0)
		switch {
		case p.layout(c), p.relation(c), p.behaviour(&c.what), p.dimension(&c.what):
		case p.take("named", "called"):
			if p.at(0).mark {
				return
			}
			c.what.name = p.at(0).raw
			p.pos++
		case (w.text == "saying" || w.text == "reading" || w.text == "says" || w.text == "reads") && p.at(1).quoted:
			c.what.text = p.at(1).text
			p.pos += 2
		case w.text == "with" && p.is(1, "text", "the") && (p.at(2).quoted || p.at(3).quoted):
			for !p.at(0).quoted {
				p.pos++
			}
			c.what.text = p.at(0).text
			p.pos++
		case (w.text == "made" && p.is(1, "of", "from") || w.text == "of" || w.text == "in" || w.text == "is" || w.text == "are") && p.adjectiveAfter(&c.what):
		case w.text == "that" || w.text == "which" || w.text == "who" || w.text == "it" || w.text == "they" || w.text == "and" || w.text == "," || w.text == "should" || w.text == "will":
			p.pos++
			if w.text == "and" {
				p.take("it", "they", "which", "that")
			}
			if w.text == "," {
				p.take("and")
			}
			p.take("is", "are", "can")
			before := p.pos
			if !p.layout(c) && !p.behaviour(&c.what) && !(w.text == "that" || w.text == "which") || p.pos == before {
				if p.pos == before {
					p.pos = start
					return
				}
			}
		default:
			return
		}
		if p.pos == start {
			return
		}
	}
}

// layout reads in a row, in a grid of 3 by 4, stacked, scattered.
func (p *parser) layout(c *command) bool {
	start := p.pos
	p.take("arranged", "placed", "standing", "lined")
	switch {
	case p.takes("in a row"), p.takes("in a line"), p.takes("in line"), p.takes("in rows"):
		c.layout = &layout{kind: "row"}
	case p.takes("in a circle"), p.takes("in a ring"):
		c.layout = &layout{kind: "circle"}
	case p.takes("in a grid"), p.takes("in grid"):
		c.layout = &layout{kind: "grid"}
		if p.take("of") && p.at(0).digits && p.is(1, "by", "x") && p.at(2).digits {
			c.layout.n, c.layout.m = int(min(p.at(0).number, MaxCount+1)), int(min(p.at(2).number, MaxCount+1))
			p.pos += 3
		}
	case p.takes("in a stack"), p.take("stacked"), p.takes("on top of each other"):
		c.layout = &layout{kind: "stack"}
	case p.take("scattered"):
		c.layout = &layout{kind: "scattered"}
		p.take("around", "about", "randomly")
	default:
		p.pos = start
		return false
	}
	return true
}

// relation reads on the table.
func (p *parser) relation(c *command) bool {
	start, unknown := p.pos, p.unknown
	for _, r := range relations {
		p.pos = start
		if !p.takes(r.words) {
			continue
		}
		if set := surroundings[p.at(0).text]; set == "snow" || set == "grass" { // on snowy ground
			break
		}
		rel := &relation{kind: r.kind}
		ph, ok := p.np()
		if !ok {
			p.pos, p.unknown = start, unknown
			continue
		}
		if ph.noun != nil && ph.noun.kind == "text" && p.is(0, "saying", "reading") && p.at(1).quoted {
			ph.text = p.at(1).text
			p.pos += 2
		}
		rel.to = append(rel.to, ph)
		if r.kind == "between" {
			if !p.take("and") {
				if ph.plural && (ph.count == 2 || !ph.counted) {
					c.rel = rel
					return true
				}
				p.pos, p.unknown = start, unknown
				return false
			}
			second, ok := p.np()
			if !ok {
				p.pos, p.unknown = start, unknown
				return false
			}
			rel.to = append(rel.to, second)
		}
		if c.rel != nil { // one place is enough; of a second nothing is guessed
			p.pos, p.unknown = start, unknown
			return false
		}
		c.rel = rel
		return true
	}
	p.pos = start
	return false
}
