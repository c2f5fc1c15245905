// Package swarm is what particles are like where a scene begins: points with a place,
// a size and a colour, the same that the viewer has in its first picture. The viewer
// has these rules in particles.ts and goes on from there.
package swarm

import (
	"maps"
	"math"

	"github.com/meshd/meshd/lang/raster/vec"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/trait"
)

// Most is how many points an emitter has at a time at most.
const Most = 2000

// begins is how many steps an emitter is ahead of its first picture: a longest life.
const begins = 40

// presets is what a preset stands for where a source says nothing else.
var presets = map[string]map[string]any{
	"fire":   {"rate": 60., "lifetime": 1.2, "speed": 1.2, "spread": 0.3, "gravity": -0.6, "size_start": 0.18, "size_end": 0.02, "color_start": "#ffd27aff", "color_end": "#d0290000"},
	"smoke":  {"rate": 20., "lifetime": 4., "speed": 0.5, "spread": 0.2, "gravity": -0.1, "size_start": 0.1, "size_end": 0.6, "color_start": "#8888889f", "color_end": "#44444400", "blend_mode": "normal"},
	"sparks": {"rate": 80., "lifetime": 0.8, "speed": 2.4, "spread": 1.2, "gravity": 6., "size_start": 0.03, "size_end": 0.01, "color_start": "#ffe9a8ff", "color_end": "#ff6a0000"},
	"rain":   {"rate": 200., "lifetime": 1.5, "speed": -6., "spread": 0.1, "size_start": 0.02, "size_end": 0.02, "color_start": "#a8c4e0b0", "width": 4., "blend_mode": "normal"},
	"snow":   {"rate": 80., "lifetime": 5., "speed": -0.6, "spread": 0.3, "size_start": 0.04, "size_end": 0.04, "color_start": "#ffffffff", "color_end": "#ffffff80", "width": 4., "blend_mode": "normal"},
	"dust":   {"rate": 15., "lifetime": 6., "speed": 0.05, "spread": 0.1, "size_start": 0.02, "size_end": 0.02, "color_start": "#e8dcc080", "color_end": "#e8dcc000", "width": 3., "blend_mode": "normal"},
	"magic":  {"rate": 40., "lifetime": 2., "speed": 0.6, "spread": 0.5, "gravity": -0.2, "size_start": 0.05, "size_end": 0., "color_start": "#c9a0ffff", "color_end": "#4060ff00"},
}

// Emission is what a source says of its particles: points that live for a span of
// seconds are born at a rate, in the plane of their node.
type Emission struct {
	Count      int        // points at a time, at most
	rate       float64    // births a second
	span       [2]float64 // shortest and longest life in seconds
	speed      vec.Vec    // metres a second, in the node's space
	spread     float64    // of each part of the speed, to both sides
	gravity    float64    // metres a second squared, down
	Width      float64    // metres across which points are born
	size       [2]float64 // metres, at birth and at the end
	Start, End string     // colours
	Glow       float64    // how much brighter than its colours
	Adds       bool       // points shine through each other
}

// Of reads the settings of a node. Aim is the way to another one by its name, in the
// space of this one.
func Of(given scene.Value, aim func(name string) (vec.Vec, bool)) *Emission {
	p := map[string]any{}
	for _, f := range given.Fields {
		switch v := f.Value; v.Kind {
		case trait.Number:
			p[f.Key] = v.Num
		case trait.Text, trait.Word, trait.Color:
			p[f.Key] = v.Str
		case trait.List:
			p[f.Key] = v.List
		}
	}
	if name, ok := p["preset"].(string); ok && presets[name] != nil {
		own := p
		p = maps.Clone(presets[name])
		maps.Copy(p, own)
	}
	num := func(otherwise float64, keys ...string) float64 {
		for _, k := range keys {
			if x, ok := p[k].(float64); ok && !math.IsInf(x, 0) && !math.IsNaN(x) {
				return x
			}
		}
		return otherwise
	}
	color := func(otherwise string, keys ...string) string {
		for _, k := range keys {
			if v, there := p[k]; there {
				if s, ok := v.(string); ok && len(s) >= 7 && len(s) <= 9 && s[0] == '#' {
					return s[:7] + (s[7:] + "ff")[:2]
				}
				break
			}
		}
		return otherwise
	}
	life := max(0.05, num(2, "lifetime"))
	e := &Emission{span: [2]float64{max(0.05, num(life, "lifetime_min")), max(0.05, num(life, "lifetime_max"))}}
	e.Count = int(math.Floor(max(1, min(Most, num(float64(num(10, "rate", "emission_rate")*e.span[1])+1, "max_count", "count"))) + 0.5))
	e.rate = min(max(0, num(float64(e.Count)/e.span[1], "rate", "emission_rate")), Most*10)
	speed := num(1, "speed")
	e.speed = vec.At(0, speed, 0)
	if name, ok := p["along"].(string); ok && aim != nil {
		if goal, ok := aim(name); ok {
			n := goal.Len()
			if n == 0 {
				n = 1
			}
			e.speed = goal.Scale(speed / n)
		}
	}
	if list, ok := p["velocity"].([]scene.Value); ok {
		var v [3]float64
		for k := range min(len(list), 3) {
			if list[k].Kind == trait.Number {
				v[k] = list[k].Num
			}
		}
		e.speed = vec.At(v[0], v[1], v[2])
	}
	e.spread, e.gravity, e.Width = num(0.3, "velocity_spread", "spread"), num(0, "gravity"), max(0, num(0, "width", "radius"))
	e.size[0] = num(0.05, "size_start", "size")
	end := e.size[0]
	if _, there := p["size_start"]; there {
		end = 0
	}
	e.size[1] = num(end, "size_end")
	e.Start = color("#ffffffff", "color_start", "color")
	e.End = color(e.Start[:7]+"00", "color_end")
	e.Glow = 1 + max(0, num(0, "emissive_intensity"))
	e.Adds = p["blend_mode"] != "normal"
	return e
}

// Point is a particle below its node; Age is the share of its life that is over.
type Point struct {
	At        vec.Vec
	Size, Age float64
}

// Begin are the points of the first picture of a node.
func (e *Emission) Begin(id string) []Point {
	type point struct {
		at, speed   vec.Vec
		left, whole float64
	}
	seed := seedOf(id)
	random := func() float64 {
		seed = seed*1664525 + 1013904223
		return float64(seed) / 4294967296
	}
	all := make([]point, e.Count)
	due, next, dt := 0.0, 0, e.span[1]/begins
	for range begins {
		due = min(due+float64(dt*e.rate), float64(len(all)))
		for ; due >= 1; due-- {
			p := &all[next]
			p.whole = e.span[0] + float64((e.span[1]-e.span[0])*random())
			p.left = p.whole
			one := func(width, speed float64) (at, by float64) {
				if width > 0 {
					at = float64((random() - 0.5) * width)
				} else if width == 0 {
					random()
				}
				return at, speed + float64((float64(random()*2)-1)*e.spread)
			}
			p.at.X, p.speed.X = one(e.Width, e.speed.X)
			p.at.Y, p.speed.Y = one(-1, e.speed.Y) // born in the plane
			p.at.Z, p.speed.Z = one(e.Width, e.speed.Z)
			next = (next + 1) % len(all)
		}
		for i := range all {
			p := &all[i]
			if p.left <= 0 {
				continue
			}
			p.left -= dt
			p.speed.Y -= float64(e.gravity * dt)
			p.at = p.at.Add(p.speed.Scale(dt))
		}
	}
	var out []Point
	for i := range all {
		if p := &all[i]; p.left > 1e-4 {
			age := 1 - p.left/p.whole
			out = append(out, Point{p.at, e.size[0] + float64((e.size[1]-e.size[0])*age), age})
		}
	}
	return out
}

// Box is around most of the points, below their node.
func (e *Emission) Box() (lo, hi vec.Vec) {
	life := (e.span[0] + e.span[1]) / 2
	one := func(width, speed, gravity float64) (lo, hi float64) {
		for _, v := range [2]float64{speed - e.spread/2, speed + e.spread/2} {
			end := float64(v*life) - float64(gravity*float64(life*life))/2
			lo, hi = min(lo, end), max(hi, end)
			if top := v / gravity; gravity != 0 && top > 0 && top < life {
				at := float64(v*top) / 2
				lo, hi = min(lo, at), max(hi, at)
			}
		}
		return lo - width/2, hi + width/2
	}
	lo.X, hi.X = one(e.Width, e.speed.X, 0)
	lo.Y, hi.Y = one(0, e.speed.Y, e.gravity)
	lo.Z, hi.Z = one(e.Width, e.speed.Z, 0)
	return lo, hi
}

// Weather says that the points are all around and not a thing.
func (e *Emission) Weather() bool { return e.Width > 2 }

// seedOf is a number that follows from the id of a node.
func seedOf(id string) uint32 {
	h := uint32(2166136261)
	for i := range len(id) {
		h = (h ^ uint32(id[i])) * 16777619
	}
	return h
}
