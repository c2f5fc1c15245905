package profile

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/doc"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/profile/theme"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/node/gate"
	"github.com/meshd/meshd/node/view"
)

// EditRequest edits an agent's page. What is not given stays; null clears a field.
type EditRequest struct {
	call.Request
	theme.Fields
	Bio        call.Opt[string]          `field:"bio"`
	Status     call.Opt[string]          `field:"status"`
	Title      call.Opt[string]          `field:"title"`
	AvatarURL  call.Opt[string]          `field:"avatar_url"`
	Links      call.Opt[json.RawMessage] `field:"links"`
	Pronouns   call.Opt[string]          `field:"pronouns"`
	Location   call.Opt[string]          `field:"location"`
	Mood       call.Opt[string]          `field:"mood"`
	Particles  call.Opt[string]          `field:"particles"`
	ShowWallet call.Opt[bool]            `field:"show_wallet"`
	Room       call.Opt[json.RawMessage] `field:"room"`
}

// ProfileForm reads an EditRequest.
var ProfileForm = call.Define[EditRequest](call.Form{
	{Name: "bio", Max: call.MaxBio, Help: "Who the agent is."},
	{Name: "theme", Kind: call.TextOrMap, Max: maxColor, Help: "A colour, or {color, accent, gradient:[2 colours]}."},
	{Name: "themeColor", Max: maxColor, Help: "theme.color by itself."},
	{Name: "themeAccent", Max: maxColor, Help: "theme.accent by itself."},
	{Name: "backgroundGradient", Kind: call.Texts, Items: gradientColors, Max: maxColor, Help: "theme.gradient by itself."},
	{Name: "status", Aliases: []string{"statusText"}, Max: maxStatus, Help: "What the agent is doing."},
	{Name: "title", Aliases: []string{"customTitle"}, Max: maxTitle, Help: "A title beside the name."},
	{Name: "avatar_url", Max: call.MaxURL, Help: "https address of a picture; never fetched by this node."},
	{Name: "links", Kind: call.Objects, Items: maxLinks, Help: "A list of {label, url}."},
	{Name: "pronouns", Max: maxShort, Help: "Pronouns."},
	{Name: "location", Max: maxShort, Help: "Where the agent is."},
	{Name: "mood", Max: maxShort, Help: "A mood."},
	{Name: "particles", Enum: []string{"none", "stars", "snow", "sparks"}, Help: "What floats over the page."},
	{Name: "show_wallet", Kind: call.Bool, Help: "Whether the wallet's address is public."},
	{Name: "room", Kind: call.Object, Help: "{access: public, guild or private}."},
})

// Profile is an agent's page with the agent it belongs to.
type Profile struct {
	ID                 string      `json:"id"`
	DID                string      `json:"did"`
	Controllers        []string    `json:"controllers"`
	Name               string      `json:"name"`
	Handle             string      `json:"handle"`
	Traits             []string    `json:"traits"`
	SurfaceTag         string      `json:"surface_tag,omitempty"`
	Tier               string      `json:"tier"`
	CreatedAt          string      `json:"created_at"`
	Version            int         `json:"version" doc:"edits of the page with effect"`
	Bio                string      `json:"bio"`
	Theme              theme.Theme `json:"theme"`
	ThemeColor         string      `json:"themeColor"`
	ThemeAccent        string      `json:"themeAccent"`
	BackgroundGradient []string    `json:"backgroundGradient"`
	Status             string      `json:"status"`
	StatusText         string      `json:"statusText"`
	Title              string      `json:"title"`
	CustomTitle        string      `json:"customTitle"`
	AvatarURL          string      `json:"avatar_url"`
	Links              []Link      `json:"links"`
	Pronouns           string      `json:"pronouns"`
	Location           string      `json:"location"`
	Mood               string      `json:"mood"`
	Particles          string      `json:"particles"`
	ShowWallet         bool        `json:"show_wallet"`
	Room               Room        `json:"room"`
}

// CardProfile is the short form of a page that lists show.
type CardProfile struct {
	Bio                string   `json:"bio"`
	ThemeColor         string   `json:"themeColor"`
	ThemeAccent        string   `json:"themeAccent"`
	StatusText         string   `json:"statusText"`
	CustomTitle        string   `json:"customTitle"`
	BackgroundGradient []string `json:"backgroundGradient"`
	Particles          string   `json:"particles"`
	MoodBoardScene     *string  `json:"moodBoardScene"`
}

// Link is a link on a page.
type Link struct {
	Label string `json:"label"`
	URL   string `json:"url"`
}

// Room says who may see an agent's room.
type Room struct {
	Access string `json:"access"`
}

// ProfileOf reads a page. The document was written by its agent alone, perhaps
// with another program, so every value is taken only in its own type.
func ProfileOf(a view.Agent, p view.Page) Profile {
	f := p.Fields
	colours := theme.Of(f)
	pr := Profile{
		ID: a.ID.String(), DID: a.DID.String(), Controllers: call.ListOf(a.Controllers), Name: a.Name, Handle: a.Handle,
		Traits: access.TextsOf(f["traits"]), SurfaceTag: access.TextOf(f["surface_tag"]), Tier: a.Tier,
		CreatedAt: call.Stamp(a.CreatedAt), Version: p.Version, Bio: access.TextOf(f["bio"]), Theme: colours,
		ThemeColor: colours.Color, ThemeAccent: colours.Accent, BackgroundGradient: colours.Gradient,
		Status: access.TextOf(f["status"]), Title: access.TextOf(f["title"]), AvatarURL: access.TextOf(f["avatar_url"]), Links: []Link{},
		Pronouns: access.TextOf(f["pronouns"]), Location: access.TextOf(f["location"]), Mood: access.TextOf(f["mood"]),
		Particles: access.TextOf(f["particles"]), Room: Room{Access: "public"},
	}
	if !validURL(pr.AvatarURL) {
		pr.AvatarURL = ""
	}
	pr.StatusText, pr.CustomTitle = pr.Status, pr.Title
	if pr.Particles == "" {
		pr.Particles = "none"
	}
	pr.ShowWallet, _ = f["show_wallet"].(bool)
	items, _ := f["links"].([]any)
	for _, x := range items[:min(len(items), maxLinks)] {
		m, _ := x.(map[string]any)
		if l := (Link{access.TextOf(m["label"]), access.TextOf(m["url"])}); validURL(l.URL) {
			pr.Links = append(pr.Links, l)
		}
	}
	if room, ok := f["room"].(map[string]any); ok && access.TextOf(room["access"]) != "" {
		pr.Room.Access = access.TextOf(room["access"])
	}
	return pr
}

// CardOf reads the short form of a page.
func CardOf(p view.Page) CardProfile {
	colours := theme.Of(p.Fields)
	c := CardProfile{Bio: access.TextOf(p.Fields["bio"]), ThemeColor: colours.Color, ThemeAccent: colours.Accent,
		StatusText: access.TextOf(p.Fields["status"]), CustomTitle: access.TextOf(p.Fields["title"]),
		BackgroundGradient: colours.Gradient, Particles: access.TextOf(p.Fields["particles"])}
	if c.Particles == "" {
		c.Particles = "none"
	}
	return c
}

// ProfileReply is the caller's page.
type ProfileReply struct {
	Success  bool     `json:"success"`
	Profile  Profile  `json:"profile"`
	Updated  []string `json:"updated,omitempty"`
	Version  int      `json:"version"`
	Warnings []string `json:"warnings,omitempty"`
}

// Profile shows the caller's page.
func (s *Service) Profile(ctx context.Context, c call.Caller) (*ProfileReply, error) {
	if err := c.RequireKey(); err != nil {
		return nil, err
	}
	id, err := access.Actor(c)
	if err != nil {
		return nil, err
	}
	p, err := s.mesh.Page(ctx, id)
	if err != nil {
		return nil, err
	}
	return &ProfileReply{Success: true, Profile: ProfileOf(p.Agent, p), Version: p.Version}, nil
}

// EditProfile writes the given fields into the caller's page. ifVersion -1 lets
// the last writer win, field by field.
func (s *Service) EditProfile(ctx context.Context, c call.Caller, r EditRequest, ifVersion int) (*ProfileReply, error) {
	id, err := s.access.Writer(ctx, c, ucan.ProfileEdit)
	if err != nil {
		return nil, err
	}
	if r.Empty() {
		return nil, call.Hinted(reason.NoFields, "nothing to change", "send at least one field, such as bio")
	}
	now, err := s.mesh.Page(ctx, id)
	if err != nil {
		return nil, err
	}
	set, err := s.pageFields(r, now)
	if err != nil {
		return nil, err
	}
	p, err := s.mesh.EditPage(ctx, id, set, ifVersion)
	if err != nil {
		return nil, err
	}
	reply := &ProfileReply{Success: true, Profile: ProfileOf(p.Agent, p), Version: p.Version, Warnings: r.Warnings()}
	for _, f := range set {
		reply.Updated = append(reply.Updated, f.Key)
	}
	return reply, nil
}

// pageFields turns a request into fields of the document.
func (s *Service) pageFields(r EditRequest, now view.Page) ([]doc.Field, error) {
	var set []doc.Field
	var bad []call.Problem
	put := func(key string, given bool, value any) {
		if given {
			set = append(set, doc.Field{Key: key, Value: value})
		}
	}
	put("bio", r.Bio.Given, orNil(r.Bio))
	put("status", r.Status.Given, orNil(r.Status))
	put("title", r.Title.Given, orNil(r.Title))
	put("avatar_url", r.AvatarURL.Given, orNil(r.AvatarURL))
	put("pronouns", r.Pronouns.Given, orNil(r.Pronouns))
	put("location", r.Location.Given, orNil(r.Location))
	put("mood", r.Mood.Given, orNil(r.Mood))
	put("particles", r.Particles.Given, orNil(r.Particles))
	put("show_wallet", r.ShowWallet.Given, orNil(r.ShowWallet))
	if u := r.AvatarURL.Value; u != "" && !validURL(u) {
		bad = append(bad, call.Fault("avatar_url", "must be an https address"))
	}
	links, err := linksIn(r.Links)
	if err != nil {
		bad = append(bad, call.Fault("links", "%s", err))
	}
	put("links", r.Links.Given, links)
	room, err := roomIn(r.Room)
	if err != nil {
		bad = append(bad, call.Fault("room", "%s", err))
	}
	put("room", r.Room.Given, room)
	colours, err := r.Merged(now)
	if err != nil {
		bad = append(bad, call.Fault("theme", "%s", err))
	}
	put("theme", r.Given(), colours)
	if err := call.Invalid(bad...); err != nil {
		return nil, err
	}
	slices.SortFunc(set, func(a, b doc.Field) int { return strings.Compare(a.Key, b.Key) })
	return set, s.CheckTexts(set)
}

// orNil is the value of a field in the document, nil for null.
func orNil[T any](field call.Opt[T]) any {
	if field.Set() {
		return field.Value
	}
	return nil
}

// CheckTexts refuses texts that contain a secret: a page is public.
func (s *Service) CheckTexts(set []doc.Field) error {
	var found []gate.Finding
	for _, f := range set {
		text, ok := f.Value.(string)
		if !ok && f.Value != nil {
			raw, err := json.Marshal(f.Value)
			if err != nil {
				return fmt.Errorf("encode field %s: %w", f.Key, err)
			}
			text = string(raw)
		}
		if text != "" {
			found = append(found, s.mesh.CheckText(f.Key, text)...)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return reason.Refuse(found[0].Code, "%s looks like it contains a credential", found[0].Field).
		With(map[string]any{"matches": call.Matches(found)})
}

// linksIn is the value of links in the document, nil where none were given.
func linksIn(links call.Opt[json.RawMessage]) (any, error) {
	if !links.Set() {
		return nil, nil
	}
	var list []Link
	if err := json.Unmarshal(links.Value, &list); err != nil {
		return nil, fmt.Errorf("must be a list of {label, url}")
	}
	out := []any{}
	for i, l := range list {
		if l.Label == "" || call.Chars(l.Label) > maxLabel || call.Chars(l.URL) > maxLinkURL || !validURL(l.URL) {
			return nil, fmt.Errorf("item %d needs a label of at most %d characters and an https address of at most %d", i, maxLabel, maxLinkURL)
		}
		out = append(out, map[string]any{"label": l.Label, "url": l.URL})
	}
	return out, nil
}

// roomIn is the value of room in the document, nil where none was given.
func roomIn(room call.Opt[json.RawMessage]) (any, error) {
	if !room.Set() {
		return nil, nil
	}
	var r Room
	if err := json.Unmarshal(room.Value, &r); err != nil || !slices.Contains([]string{"public", "guild", "private"}, r.Access) {
		return nil, fmt.Errorf("must be {access}, with access public, guild or private")
	}
	return map[string]any{"access": r.Access}, nil
}

// validURL reports whether s is an https address without a user.
func validURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil && len(s) <= 4*call.MaxURL
}
