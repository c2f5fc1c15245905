package memory

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/identity/zone"
	"github.com/meshd/meshd/identity/zone/bounds"
)

// SpotRequest asks about a point of a scene, or a box.
type SpotRequest struct {
	call.Request
	At string `field:"at"`
	To string `field:"to"`
}

// SpotForm reads a SpotRequest.
var SpotForm = call.Define[SpotRequest](call.Form{
	{Name: "at", Max: maxPoint, Required: true, Help: "A point of the scene: x,y,z in metres."},
	{Name: "to", Max: maxPoint, Help: "The other corner of a box that begins at the point: then the rights are those that count in all of it."},
})

// SpotReply says what the caller may do at a place of a scene.
type SpotReply struct {
	Success  bool         `json:"success"`
	Doc      string       `json:"doc"`
	Zone     *string      `json:"zone" doc:"that decides there; null outside of all, and of a box"`
	Document *string      `json:"document" doc:"the memory of that place; null of a box"`
	Rights   []zone.Right `json:"rights" doc:"of the caller there"`
}

// Spot says what the caller may do at a place of a scene. Where it may not even read
// it is zone_denied.
func (s *Service) Spot(ctx context.Context, c call.Caller, id string, r SpotRequest) (*SpotReply, error) {
	d, err := sceneOf(id)
	if err != nil {
		return nil, err
	}
	at, err := readPoint("at", r.At)
	if err != nil {
		return nil, err
	}
	m, p, _, err := s.scene(ctx, c, d)
	if err != nil {
		return nil, err
	}
	reply := &SpotReply{Success: true, Doc: d.id}
	if r.To != "" {
		to, err := readPoint("to", r.To)
		if err != nil {
			return nil, err
		}
		reply.Rights = m.RightsAcross(p, d.place(), boxOf(at, to))
		return reply, access.Reads(s.access, c, m, d.place(), reply.Rights)
	}
	place, document := d.place(), d.id
	if in := p.Decide(m.Who(), at, zone.Read).Zone; in != "" {
		place, document, reply.Zone = d.in(in), d.id+"/"+in, &in
	}
	reply.Document, reply.Rights = &document, m.RightsIn(p, place)
	return reply, access.Reads(s.access, c, m, place, reply.Rights)
}

// boxOf is the box between two corners, whichever they are.
func boxOf(a, b bounds.Point) (out bounds.Box) {
	for i := range a {
		out.Min[i], out.Max[i] = min(a[i], b[i]), max(a[i], b[i])
	}
	return out
}

func readPoint(param, text string) (p bounds.Point, err error) {
	parts := strings.Split(text, ",")
	for i := range p {
		x := math.NaN()
		if len(parts) == len(p) {
			if x, err = strconv.ParseFloat(strings.TrimSpace(parts[i]), 64); err != nil {
				x = math.NaN()
			}
		}
		if !(math.Abs(x) <= bounds.MaxCoordinate) {
			return p, call.BadParam(param, "must be three numbers with commas, in metres")
		}
		p[i] = x
	}
	return p, nil
}
