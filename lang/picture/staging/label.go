package staging

import (
	"github.com/meshd/meshd/lang/scene"
)

// mostAsked is how many pairs of texts and solids are looked at.
const mostAsked = 4_000_000

// float finds the texts that turn to the viewer: those that stand by themselves,
// that the source has not turned, and that touch no solid, which a text on a wall, a
// sign or a panel does.
func (g *Staging) float(s *scene.Scene) {
	var texts []*Solid
	for i := range g.Solids {
		if o := &g.Solids[i]; o.Text && g.upright(s, o.Node) {
			texts = append(texts, o)
		}
	}
	if len(texts)*len(g.Solids) > mostAsked {
		return
	}
	for _, t := range texts {
		free := true
		slack := float64(0.25 * (t.Hi.Y - t.Lo.Y))
		for i := range g.Solids {
			o := &g.Solids[i]
			if o.Text || o.Emits || o.Role == Shell {
				continue
			}
			if box := (box{t.Lo, t.Hi}); box.meets(o, slack) {
				free = false
				break
			}
		}
		if free {
			g.Floating[t.Node] = true
		}
	}
}

func (b box) meets(o *Solid, slack float64) bool {
	for k := range 3 {
		if part(b.hi, k)+slack < part(o.Lo, k) || part(b.lo, k)-slack > part(o.Hi, k) {
			return false
		}
	}
	return true
}

// upright says whether nothing turns a node.
func (g *Staging) upright(s *scene.Scene, i int) bool {
	for ; i >= 0; i = s.Nodes[i].Parent {
		if s.Nodes[i].R[3] < 0.9999 {
			return false
		}
	}
	return true
}
