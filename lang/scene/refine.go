package scene

import (
	"errors"
	"slices"
)

// Only keeps one node, by its id or path, with what is below it. It then is the
// only root and stands at the origin of the world that was above it.
func (s *Scene) Only(node string) error {
	at := slices.IndexFunc(s.Nodes, func(n Node) bool { return n.Prototype == "" && (n.ID == node || n.Path == node) })
	if at < 0 {
		return errors.New("names no node of the scene")
	}
	place := map[int]int{}
	var kept []Node
	ids := map[string]bool{}
	for i := range s.Nodes {
		n := s.Nodes[i]
		p, inside := place[n.Parent]
		switch {
		case i == at:
			n.Parent = -1
		case inside:
			n.Parent = p
		case n.Prototype != "": // what the node may spawn
		default:
			continue
		}
		place[i] = len(kept)
		ids[n.ID] = true
		kept = append(kept, n)
	}
	s.Nodes = kept
	s.Animations = slices.DeleteFunc(s.Animations, func(a Animation) bool { return !ids[a.Node] })
	for i := range s.Nodes {
		if j := s.Nodes[i].Joint; j != nil && j.To != "" && !ids[j.To] {
			copied := *j
			copied.To = ""
			s.Nodes[i].Joint = &copied
		}
	}
	return nil
}

// Refine sets how fine round solids are: draft halves their segments, archival
// doubles them.
func (s *Scene) Refine(quality string) {
	for i := range s.Geometries {
		g := &s.Geometries[i]
		for k := range g.Segments {
			switch quality {
			case "draft":
				g.Segments[k] = max(6, g.Segments[k]/2)
			case "archival":
				g.Segments[k] = min(MaxSegments, g.Segments[k]*2)
			}
		}
	}
}
