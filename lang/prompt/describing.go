package prompt

import (
	"strings"
)

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
