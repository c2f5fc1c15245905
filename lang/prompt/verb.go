package prompt

// verb reads what follows a verb. It passes nothing when that makes no sense.
func (p *parser) verb(kind string) bool {
	start, unknown, done := p.pos, p.unknown, len(p.out)
	p.pos++
	ok := false
	switch kind {
	case "create", "make":
		ok = p.create(kind)
	case "clear":
		for p.take("the", "scene", "everything", "all", "it") {
			continue
		}
		p.out = append(p.out, command{verb: "clear"})
		ok = true
	case "remove":
		if p.take("everything") {
			p.out = append(p.out, command{verb: "clear"})
			return true
		}
		ok = p.each(func(ph phrase) command { return command{verb: "remove", what: ph} })
	case "move":
		ok = p.move()
	case "turn":
		ok = p.turn()
	case "scale":
		var ph phrase
		if ph, ok = p.np(); ok {
			p.take("up", "down")
			p.take("by", "to")
			if ok = p.at(0).digits; ok {
				f := p.at(0).number
				p.pos++
				p.take("times", "x")
				p.out = append(p.out, command{verb: "scale", what: ph, factor: vec{f, f, f}})
			}
		}
	case "paint":
		var ph phrase
		if ph, ok = p.np(); ok {
			p.take("in", "to")
			try := phrase{}
			if ok = p.adjective(&try) && (try.color != "" || try.material != ""); ok {
				c := command{verb: "paint", what: ph}
				c.what, c.set = ph, try.color
				c.name = try.material
				p.out = append(p.out, c)
			}
		}
	case "rename":
		var ph phrase
		if ph, ok = p.np(); ok {
			p.take("to", "as", "into")
			if ok = !p.at(0).mark; ok {
				p.out = append(p.out, command{verb: "rename", what: ph, name: p.at(0).raw})
				p.pos++
			}
		}
	case "duplicate":
		var ph phrase
		if ph, ok = p.np(); ok {
			c := command{verb: "duplicate", what: ph}
			p.relation(&c)
			p.out = append(p.out, c)
		}
	}
	if !ok {
		p.pos, p.unknown, p.out = start, unknown, p.out[:done]
	}
	return ok
}

// each reads phrases joined by and.
func (p *parser) each(do func(phrase) command) bool {
	some := false
	for {
		ph, ok := p.np()
		if !ok {
			return some
		}
		some = true
		p.out = append(p.out, do(ph))
		if p.is(0, "and", ",") && verbs[p.at(1).text] == "" {
			p.pos++
			continue
		}
		return true
	}
}

// create reads a thing to make, or a change of one that is there: make the ball
// bigger, put the lamp on the table.
func (p *parser) create(kind string) bool {
	start := p.pos
	if ph, ok := p.np(); ok && (ph.definite || ph.every || ph.pronoun != "" || kind == "make" && ph.plural && !ph.counted) {
		if kind == "make" && p.change(ph) {
			return true
		}
		if ph.definite || ph.every || ph.pronoun != "" {
			c := command{verb: "move", what: ph}
			p.tails(&c)
			switch {
			case c.rel != nil || c.layout != nil:
			case len(c.what.does)+len(c.what.click) > 0:
				c.verb = "behave"
			default:
				return false
			}
			p.out = append(p.out, c)
			return true
		}
	}
	p.pos = start
	return p.thing()
}

// comparatives are the words for other sizes, by the axes that they stretch.
var comparatives = map[string]vec{
	"bigger": {1.5, 1.5, 1.5}, "larger": {1.5, 1.5, 1.5}, "smaller": {2. / 3, 2. / 3, 2. / 3}, "taller": {1, 1.5, 1}, "higher": {1, 1.5, 1},
	"shorter": {1, 2. / 3, 1}, "wider": {1.5, 1, 1}, "narrower": {2. / 3, 1, 1}, "longer": {1, 1, 1.5},
}

// change reads how make changes a thing.
func (p *parser) change(ph phrase) bool {
	times, given := 0.0, p.at(0).digits
	start := p.pos
	switch {
	case p.takes("twice as"):
		times = 2
	case p.takes("half as"):
		times = 0.5
	case p.at(0).digits && p.is(1, "times", "x"):
		times = p.at(0).number
		p.pos += 2
		p.take("as")
	case p.take("much", "a", "bit"):
		p.take("bit", "little")
	}
	w := p.at(0).text
	as := map[string]string{"big": "bigger", "large": "bigger", "small": "smaller", "tall": "taller", "high": "taller", "wide": "wider", "long": "longer"}
	if (times > 0 || given) && as[w] != "" {
		w = as[w]
	}
	if f, ok := comparatives[w]; ok {
		p.pos++
		if p.take("by") && p.at(0).digits && p.is(1, "times", "x") {
			times, given = p.at(0).number, true
			p.pos += 2
		} else if p.at(0).digits && p.is(1, "times", "x") {
			times, given = p.at(0).number, true
			p.pos += 2
		}
		p.take("than", "now")
		if times > 0 || given {
			for i := range f {
				if f[i] < 1 && times > 1 {
					f[i] = 1 / times
				} else if f[i] != 1 {
					f[i] = times
				}
			}
		}
		p.out = append(p.out, command{verb: "scale", what: ph, factor: f})
		p.chain(ph)
		return true
	}
	p.pos = start
	try := phrase{}
	for p.adjective(&try) {
		p.take("and")
		continue
	}
	c := command{what: ph}
	switch {
	case try.tall != [3]float64{}:
		c.verb, c.factor = "resize", vec(try.tall)
	case try.size != 0:
		c.verb, c.factor = "scale", vec{try.size, try.size, try.size}
	case try.color != "" || try.material != "":
		c.verb, c.set, c.name = "paint", try.color, try.material
	default:
		c.verb = "behave"
		if !p.behaviour(&c.what) {
			p.pos = start
			return false
		}
		for p.is(0, "and") && behaviours[p.at(1).text] != "" {
			p.pos++
			p.behaviour(&c.what)
		}
	}
	p.out = append(p.out, c)
	p.chain(ph)
	return true
}

// chain goes on with what else make says of the same thing: bigger and blue.
func (p *parser) chain(ph phrase) {
	if !p.is(0, "and") || verbs[p.at(1).text] != "" && colors[p.at(1).text] == "" {
		return
	}
	start := p.pos
	p.pos++
	it := phrase{pronoun: "it", definite: true}
	if ph.every || ph.plural {
		it = phrase{pronoun: "them", definite: true}
	}
	if !p.change(it) {
		p.pos = start
	}
}

var directions = map[string]vec{
	"left": {-1, 0, 0}, "right": {1, 0, 0}, "up": {0, 1, 0}, "upwards": {0, 1, 0}, "down": {0, -1, 0}, "forward": {0, 0, -1}, "forwards": {0, 0, -1},
	"back": {0, 0, 1}, "backward": {0, 0, 1}, "backwards": {0, 0, 1},
}

// move reads left by 2 m, or a relation.
func (p *parser) move() bool {
	ph, ok := p.np()
	if !ok {
		return false
	}
	c := command{verb: "move", what: ph}
	if p.relation(&c) {
		p.out = append(p.out, c)
		return true
	}
	far := 0.0
	distance := func() {
		p.take("by")
		if n, ok := p.length(); ok {
			far = n
		} else if p.at(0).digits && far == 0 {
			far = p.at(0).number
			p.pos++
		}
	}
	distance()
	p.takes("to the")
	p.takes("to")
	d, ok := directions[p.at(0).text]
	if !ok {
		return false
	}
	p.pos++
	distance()
	if far == 0 {
		far = 1
	}
	for i := range d {
		d[i] *= far
	}
	c.by = d
	p.out = append(p.out, c)
	return true
}

// turn reads turn the table by 45 degrees, and turn the table blue.
func (p *parser) turn() bool {
	ph, ok := p.np()
	if !ok {
		return false
	}
	try := phrase{}
	start := p.pos
	if p.adjective(&try) && (try.color != "" || try.material != "") {
		p.out = append(p.out, command{verb: "paint", what: ph, set: try.color, name: try.material})
		return true
	}
	p.pos = start
	sign := -1.0
	if p.take("left") {
		sign = 1
	} else {
		p.take("right")
	}
	p.take("by")
	degrees := 90.0
	if p.at(0).digits {
		degrees = p.at(0).number
		if sign < 0 {
			sign = 1
		}
		p.pos++
		p.take("degrees", "degree", "deg")
	}
	p.takes("to the")
	if p.take("right") {
		sign = -1
	} else if p.take("left") {
		sign = 1
	}
	p.out = append(p.out, command{verb: "turn", what: ph, degrees: sign * degrees})
	return true
}
