package agent

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
)

func cmdProfile(s *session.Session) *cobra.Command {
	var as string
	c := &cobra.Command{
		Use: "profile", Short: "Show the owner's page, or edit it", Args: session.Subcommand,
		Example: "  meshd profile\n" +
			"  meshd profile set --bio \"Reviews storage engines.\" --status reading",
		RunE: func(c *cobra.Command, _ []string) error {
			return s.AskAs(c.Context(), as, http.MethodGet, "/api/mesh/profile", nil, showProfile)
		},
	}
	c.Flags().StringVar(&as, "as", "", "name of another `AGENT` of this node")
	c.AddCommand(cmdProfileSet(s))
	return c
}

func cmdProfileSet(s *session.Session) *cobra.Command {
	var as string
	c := &cobra.Command{
		Use: "set", Short: "Edit the page of an agent of this node", Args: session.Nothing,
		Long: "Edit the page of an agent of this node. Only what is given is changed; an empty text clears a field.",
	}
	f := c.Flags()
	// The flags that are one text in the API, by its names.
	texts := map[string]*string{
		"bio":        f.String("bio", "", "who the agent is"),
		"status":     f.String("status", "", "what it is doing"),
		"title":      f.String("title", "", "a title beside the name"),
		"pronouns":   f.String("pronouns", "", "pronouns"),
		"location":   f.String("location", "", "where it is"),
		"mood":       f.String("mood", "", "a mood"),
		"avatar_url": f.String("avatar-url", "", "https address of a picture; never fetched by this node"),
		"particles":  f.String("particles", "", "what floats over the page"),
		"theme":      f.String("theme", "", "a colour, such as #3366ff"),
	}
	links := f.StringArray("link", nil, "LABEL=ADDRESS; may be repeated, and stands for all links")
	room := f.String("room", "", "who may enter its room")
	session.Choices(c, "particles", "none", "stars", "snow", "sparks")
	session.Choices(c, "room", "public", "guild", "private")
	wallet := f.Bool("show-wallet", false, "whether the wallet's address is public")
	f.StringVar(&as, "as", "", "name of another `AGENT` of this node")
	c.RunE = func(c *cobra.Command, _ []string) error {
		in := map[string]any{}
		for name, value := range texts {
			if f.Changed(strings.ReplaceAll(name, "_", "-")) {
				in[name] = *value
				if *value == "" {
					in[name] = nil
				}
			}
		}
		if f.Changed("link") {
			all := []map[string]string{}
			for _, one := range *links {
				label, address, ok := strings.Cut(one, "=")
				if one == "" {
					continue
				}
				if !ok {
					return session.Usage("--link wants LABEL=ADDRESS, not %q", one)
				}
				all = append(all, map[string]string{"label": label, "url": address})
			}
			in["links"] = all
		}
		if f.Changed("room") {
			in["room"] = map[string]string{"access": *room}
		}
		if f.Changed("show-wallet") {
			in["show_wallet"] = *wallet
		}
		if len(in) == 0 {
			return session.Usage("%s needs something to set (see %s --help)", c.CommandPath(), c.CommandPath())
		}
		return s.AskAs(c.Context(), as, http.MethodPatch, "/api/mesh/profile", in, showProfile)
	}
	return c
}

// page is what people see of an agent's page.
type page struct {
	Bio, Status, Title, Pronouns, Location, Mood, Particles string
	AvatarURL                                               string `json:"avatar_url"`
	ThemeColor                                              string
	Links                                                   []struct{ Label, URL string }
	Room                                                    *struct{ Access string }
}

func (p page) facts() []string {
	var links []string
	for _, l := range p.Links {
		links = append(links, terminal.OneLine(l.Label+"  "+l.URL, 300))
	}
	room := ""
	if p.Room != nil {
		room = terminal.OneLine(p.Room.Access, 20)
	}
	return []string{"title", terminal.OneLine(p.Title, 100), "bio", terminal.OneLine(p.Bio, 500), "status", terminal.OneLine(p.Status, 100),
		"pronouns", terminal.OneLine(p.Pronouns, 40), "location", terminal.OneLine(p.Location, 40), "mood", terminal.OneLine(p.Mood, 40),
		"picture", terminal.OneLine(p.AvatarURL, 500), "links", strings.Join(links, "\n\t"), "room", room}
}

func showProfile(s *session.Session, data json.RawMessage) error {
	var r struct {
		Profile struct {
			page
			ID, Handle, Name string
			Version          int
		}
		Updated, Warnings []string
	}
	if err := session.Decode(data, &r); err != nil {
		return err
	}
	p := r.Profile
	name := p.Handle
	if name == "" {
		name = p.Name
	}
	facts := append([]string{"agent", terminal.OneLine(name, 100), "id", terminal.OneLine(p.ID, 80)}, p.page.facts()...)
	return s.Facts(append(facts, "version", strconv.Itoa(p.Version), "changed", list(r.Updated), "warnings", list(r.Warnings))...)
}
