package scene

import (
	"encoding/json"
	"fmt"
)

// Encode is the scene as a scene/1 document on one line. The characters <, >
// and & are escaped, so that it may stand in a script element of HTML.
func (s *Scene) Encode() ([]byte, error) {
	out, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encode scene: %w", err)
	}
	return out, nil
}

// Read takes a scene/1 document and checks that its indices and parents are valid. It
// refuses another version; keys it does not know are passed over.
func Read(doc []byte) (*Scene, error) {
	if len(doc) > MaxDocument {
		return nil, fmt.Errorf("scene has %d bytes, allowed are %d", len(doc), MaxDocument)
	}
	var head struct {
		V string `json:"v"`
	}
	if err := json.Unmarshal(doc, &head); err != nil {
		return nil, fmt.Errorf("read scene: %w", err)
	}
	if head.V != Version {
		return nil, fmt.Errorf("document is %q, this reader knows %q", head.V, Version)
	}
	s := &Scene{Environment: Environment{Exposure: 1}}
	if err := json.Unmarshal(doc, s); err != nil {
		return nil, fmt.Errorf("read scene: %w", err)
	}
	return s, s.valid()
}

// valid says which index of a scene points nowhere.
func (s *Scene) valid() error {
	within := func(what string, i *int, n int) error {
		if i != nil && (*i < 0 || *i >= n) {
			return fmt.Errorf("%s %d is not there", what, *i)
		}
		return nil
	}
	for i := range s.Geometries {
		g := &s.Geometries[i]
		if err := within("asset", g.Asset, len(s.Assets)); err != nil {
			return err
		}
		if len(g.Segments) > 0 && (g.Segments[0] < 3 || g.Segments[0] > MaxSegments) {
			return fmt.Errorf("geometry %d has %d segments", i, g.Segments[0])
		}
	}
	for i := range s.Materials {
		m := &s.Materials[i].Maps
		for _, a := range []*int{m.BaseColor, m.Normal, m.ORM, m.Emissive} {
			if err := within("asset", a, len(s.Assets)); err != nil {
				return err
			}
		}
	}
	ids := make(map[string]bool, len(s.Nodes))
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Parent < -1 || n.Parent >= i {
			return fmt.Errorf("node %d has parent %d, which does not stand before it", i, n.Parent)
		}
		if ids[n.ID] {
			return fmt.Errorf("node id %q stands twice", n.ID)
		}
		ids[n.ID] = true
		if err := within("geometry", n.Geometry, len(s.Geometries)); err != nil {
			return err
		}
		if err := within("material", n.Material, len(s.Materials)); err != nil {
			return err
		}
		if n.Audio != nil {
			if err := within("asset", n.Audio.Asset, len(s.Assets)); err != nil {
				return err
			}
		}
	}
	return nil
}
