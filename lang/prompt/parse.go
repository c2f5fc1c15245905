package prompt

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// word is a token of a prompt.
type word struct {
	text   string // lower case; of a quoted text as written
	raw    string
	quoted bool
	number float64
	digits bool
	mark   bool // , ; . : ! ? and line ends
}

// split cuts a prompt into words.
func split(prompt string) []word {
	var out []word
	rs := []rune(prompt)
	for i := 0; i < len(rs); {
		r := rs[i]
		switch {
		case strings.ContainsRune("\"“”«»", r):
			end := i + 1
			for end < len(rs) && !strings.ContainsRune("\"“”«»", rs[end]) {
				end++
			}
			text := string(rs[i+1 : min(end, len(rs))])
			out = append(out, word{text: text, raw: text, quoted: true})
			i = end + 1
		case r == '#' && i+1 < len(rs) && isHex(rs[i+1]):
			end := i + 1
			for end < len(rs) && isHex(rs[end]) {
				end++
			}
			out = append(out, word{text: strings.ToLower(string(rs[i:end])), raw: string(rs[i:end])})
			i = end
		case r >= '0' && r <= '9':
			end := i
			for end < len(rs) && (rs[end] >= '0' && rs[end] <= '9' || rs[end] == '.' && end+1 < len(rs) && rs[end+1] >= '0' && rs[end+1] <= '9') {
				end++
			}
			n, err := strconv.ParseFloat(string(rs[i:end]), 64)
			if err != nil {
				n = 1e9
			}
			out = append(out, word{text: string(rs[i:end]), raw: string(rs[i:end]), number: n, digits: true})
			i = end
		case unicode.IsLetter(r) || r == '_':
			end := i
			for end < len(rs) && (unicode.IsLetter(rs[end]) || unicode.IsDigit(rs[end]) || rs[end] == '_' || (rs[end] == '\'' || rs[end] == '’') && end+1 < len(rs) && unicode.IsLetter(rs[end+1])) {
				end++
			}
			text := string(rs[i:end])
			out = append(out, word{text: strings.ReplaceAll(strings.ToLower(text), "’", "'"), raw: text})
			i = end
		case strings.ContainsRune(".,;:!?\n", r):
			out = append(out, word{text: string(r), mark: true})
			i++
		default:
			i++
		}
	}
	return out
}

func isHex(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F'
}

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

// unit reads a length and its unit: 2 m, 50 cm.
func (p *parser) length() (float64, bool) {
	if !p.at(0).digits {
		return 0, false
	}
	factor := 0.0
	switch u := p.at(1).text; u {
	case "m", "metre", "metres", "meter", "meters":
		factor = 1
	case "cm", "centimetre", "centimetres", "centimeter", "centimeters":
		factor = 0.01
	}
	if factor == 0 || p.at(1).quoted {
		return 0, false
	}
	n := p.at(0).number * factor
	p.pos += 2
	return n, true
}

// dimension reads 2 m tall.
func (p *parser) dimension(ph *phrase) bool {
	start := p.pos
	n, ok := p.length()
	if !ok {
		return false
	}
	switch {
	case p.take("wide"):
		ph.tall[0] = n
	case p.take("tall", "high"):
		ph.tall[1] = n
	case p.take("long", "deep"):
		ph.tall[2] = n
	default:
		p.pos = start
		return false
	}
	return true
}

// adjective reads one word or two that say how a thing is.
func (p *parser) adjective(ph *phrase) bool {
	w := p.at(0)
	if w.quoted {
		return false
	}
	name := w.text
	if name == "gray" {
		name = "grey"
	}
	switch {
	case (name == "light" || name == "dark") && (colors[p.at(1).text] != "" || p.at(1).text == "gray"):
		next := strings.Replace(p.at(1).text, "gray", "grey", 1)
		ph.hue, ph.color = name+" "+next, shade(colors[next], name)
		p.pos += 2
	case colors[name] != "":
		ph.hue, ph.color = name, colors[name]
		p.pos++
	case len(name) > 1 && name[0] == '#' && (len(name) == 4 || len(name) == 7):
		ph.hue, ph.color = name, longHex(name)
		p.pos++
	case materials[name] != "":
		ph.material = materials[name]
		p.pos++
	case sizes[name] != 0:
		ph.size = sizes[name]
		p.pos++
	case p.dimension(ph):
	case stretches[name] != (vec{}):
		ph.stretch = stretches[name]
		p.pos++
	default:
		return false
	}
	return true
}

// np reads a phrase with a noun or a pronoun; nothing is passed without one.
func (p *parser) np() (phrase, bool) {
	start, unknown := p.pos, len(p.unknown)
	ph := phrase{}
	fail := func() (phrase, bool) {
		p.pos, p.unknown = start, p.unknown[:unknown]
		return ph, false
	}
	for {
		w := p.at(0)
		if w.mark || w.quoted {
			return fail()
		}
		f, isNoun := nounForms[w.text]
		switch {
		case p.adjective(&ph):
		case isNoun:
			p.pos++
			ph.noun, ph.said, ph.plural = f.noun, f.word, f.plural
			if p.at(0).quoted && f.noun.kind == "text" {
				ph.text = p.at(0).text
				p.pos++
			}
			return ph, true
		case w.text == "the" || w.text == "this" || w.text == "these" || w.text == "those":
			ph.definite = true
			p.pos++
		case w.text == "it" || w.text == "them" || w.text == "they" || w.text == "that" && !p.nounAhead():
			p.pos++
			return phrase{pronoun: w.text, definite: true}, true
		case w.text == "that":
			ph.definite = true
			p.pos++
		case w.text == "all" || w.text == "every" || w.text == "each" || w.text == "both":
			ph.every = true
			p.pos++
		case w.digits && w.number == float64(int(w.number)):
			ph.count, ph.counted = int(min(w.number, MaxCount+1)), true
			p.pos++
		case w.text == "few":
			ph.count, ph.counted, ph.vague = 3, true, "a few"
			p.pos++
			p.take("of")
		case vague[w.text] != 0:
			ph.count, ph.counted, ph.vague = vague[w.text], true, w.text
			p.pos++
			p.take("of")
		case counts[w.text] != 0:
			if !ph.counted {
				ph.count, ph.counted = counts[w.text], true
			}
			p.pos++
		case behaviours[w.text] != "" && p.nounAhead():
			ph.does = append(ph.does, behaviours[w.text])
			p.pos++
		case !fillers[w.text] && verbs[w.text] == "" && p.nounAhead():
			p.note(w)
			p.pos++
		case w.text == "new" || w.text == "more" || w.text == "very":
			p.pos++
		default:
			return fail()
		}
	}
}

// nounAhead says whether a noun follows within three words of the same phrase.
func (p *parser) nounAhead() bool {
	for k := 1; k <= 3; k++ {
		w := p.at(k)
		if w.mark || w.quoted || w.text == "and" || verbs[w.text] != "" && colors[w.text] == "" || w.text == "is" || w.text == "a" || w.text == "the" || w.text == "on" || w.text == "in" || w.text == "with" || w.text == "of" {
			return false
		}
		if _, ok := nounForms[w.text]; ok {
			return true
		}
	}
	return false
}

// thing reads a phrase without a verb: something to make, or what one does.
func (p *parser) thing() bool {
	form := p.arrangement()
	list, ok := p.phrases()
	if !ok {
		return false
	}
	for i := range list {
		c := command{verb: "create", what: list[i], layout: form}
		if i == len(list)-1 {
			p.tails(&c)
		}
		ph := &c.what
		if ph.pronoun != "" || ph.definite || ph.every {
			switch {
			case len(ph.does)+len(ph.click) > 0:
				c.verb = "behave"
			case c.rel != nil:
				c.verb = "move"
			case ph.pronoun != "":
				continue // a word in passing
			case ph.every:
				continue
			case ph.noun.flat && (ph.color != "" || ph.material != ""):
				c.verb = "paint"
			default:
				ph.definite = false // the sea, in a description
			}
		}
		p.out = append(p.out, c)
	}
	return true
}

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

func (p *parser) adjectiveAfter(ph *phrase) bool {
	start := p.pos
	for p.take("made", "of", "from", "in", "is", "are") {
		continue
	}
	try := phrase{}
	if !p.adjective(&try) {
		p.pos = start
		return false
	}
	if _, noun := nounForms[p.at(0).text]; noun { // of wooden tables
		p.pos = start
		return false
	}
	p.pos = start
	for p.take("made", "of", "from", "in", "is", "are") {
		continue
	}
	return p.adjective(ph)
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

// behaviour reads spins, can be grabbed, when clicked changes colour.
func (p *parser) behaviour(ph *phrase) bool {
	start := p.pos
	p.take("that", "which", "it", "they", "slowly", "gently")
	p.take("can", "should", "must", "is", "are")
	w := p.at(0).text
	switch {
	case behaviours[w] != "" && !p.at(0).quoted:
		ph.does = append(ph.does, behaviours[w])
		p.pos++
		return true
	case w == "be" && p.is(1, "grabbed", "thrown", "clicked"):
		for p.take("be", "or", "and") {
			switch {
			case p.take("grabbed"):
				ph.does = append(ph.does, "grab")
			case p.take("thrown"):
				ph.does = append(ph.does, "throw")
			case p.take("clicked"):
				ph.does = append(ph.does, "click")
			}
		}
		return true
	case p.effectFirst(ph):
		return true
	case p.takes("when clicked"), p.takes("when i click it"), p.takes("when i click them"), p.takes("on click"), p.takes("if clicked"):
		for {
			before := p.pos
			p.take(",", "and")
			p.take("it", "they")
			if !p.effect(ph) {
				p.pos = before
				break
			}
		}
		if len(ph.click) > 0 {
			return true
		}
	}
	p.pos = start
	return false
}

// effectFirst reads disappears when clicked.
func (p *parser) effectFirst(ph *phrase) bool {
	start, try := p.pos, phrase{}
	if p.effect(&try) && (p.takes("when clicked") || p.takes("if clicked") || p.takes("on click")) {
		ph.click = append(ph.click, try.click...)
		return true
	}
	p.pos = start
	return false
}

// effect reads what a click does.
func (p *parser) effect(ph *phrase) bool {
	switch {
	case p.take("changes", "change", "turns", "becomes", "turn", "become"):
		p.take("its")
		p.take("colour", "color", "colours", "colors")
		p.take("to", "into")
		try := phrase{}
		if !p.adjective(&try) || try.color == "" {
			try.color = colors["green"]
		}
		ph.click = append(ph.click, effect{"color", try.color})
	case p.take("disappears", "disappear", "vanishes", "vanish"):
		ph.click = append(ph.click, effect{what: "hide"})
	case (p.is(0, "moves", "move", "goes", "jumps")) && p.is(1, "up"):
		p.pos += 2
		ph.click = append(ph.click, effect{what: "up"})
	case p.is(0, "says", "say") && p.at(1).quoted:
		ph.click = append(ph.click, effect{"say", p.at(1).text})
		p.pos += 2
	default:
		return false
	}
	return true
}
