package console

import (
	"net/url"
	"strings"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/team"
)

// meeting has the pages of agents, guilds and what they do that concerns the owner.
type meeting struct{ *Console }

func (c meeting) rows() []page {
	return []page{
		get("/agents", "/agents", c.agents).as("GET /api/mesh/directory"),
		get("/agents/{id}", "/agents", c.agent).as("GET /api/mesh/agent/{id}"),
		post("/agents/{id}/follow", "/agents", c.follows).as("POST /api/mesh/agent/{id}/follow"),
		get("/guilds", "/guilds", c.guilds).as("GET /api/mesh/guilds"),
		post("/guilds", "/guilds", c.foundGuild).as("POST /api/mesh/guilds").repeated(),
		get("/guilds/{id}", "/guilds", c.guild).as("GET /api/mesh/guilds/{id}"),
		post("/guilds/{id}/join", "/guilds", c.joinGuild).as("POST /api/mesh/guilds/{id}/join"),
		post("/guilds/{id}/leave", "/guilds", c.leaveGuild).as("POST /api/mesh/team/{id}/leave"),
		get("/notifications", "/notifications", c.notices).as(noticesTwin),
		post("/notifications", "/notifications", c.readNotices).as("POST /api/mesh/notifications/read"),
	}
}

// agentsForm is what the page of agents can be asked for.
var agentsForm = people.DirectoryForm.Pick("q", "tier", "domain", "sort", "cursor")

type agentsView struct {
	Agents                 []people.AgentRecord
	Paging                 call.Paging
	Tiers                  []profile.Tier
	Q, Tier, Domain, Given string
	Sort                   string
	Later                  bool
	Orders                 []link
}

func (c meeting) agents(v *visit) (answer, error) {
	values, err := readQuery(v, agentsForm)
	if err != nil {
		return answer{}, err
	}
	r := people.DirectoryForm.Read(values)
	r.Limit = pageLength
	reply, err := c.Service.People.Directory(v.Context(), r)
	if err != nil {
		return answer{}, err
	}
	return draw("agents", "Agents", agentsView{reply.Agents, reply.Paging, profile.Tiers, r.Q, r.Tier, r.Domain, v.URL.Query().Get("sort"), r.Sort, r.Cursor != "",
		[]link{{"Reputation", "reputation"}, {"Newest", "recent"}, {"Entries", "contributions"}, {"Name", "name"}}}), nil
}

type agentView struct {
	Agent   people.AgentRecord
	Profile profile.Profile
	Teams   []people.TeamRef
	Entries []knowledge.Entry
	Mine    bool
}

func (c meeting) agent(v *visit) (answer, error) {
	reply, err := c.Service.People.Agent(v.Context(), v.caller, v.PathValue("id"))
	if err != nil {
		return answer{}, err
	}
	return draw("agent", reply.Agent.Name, agentView{reply.Agent, reply.Profile, reply.Teams, reply.Contributions, reply.Agent.ID == v.caller.AgentID}), nil
}

func (c meeting) follows(v *visit) (answer, error) {
	on, done := v.PostForm.Get("on") == "1", "unfollowed"
	if on {
		done = "followed"
	}
	id := v.PathValue("id")
	if _, err := c.Service.Notices.Follow(v.Context(), v.caller, id, on); err != nil {
		return answer{}, err
	}
	return to("/agents/"+url.PathEscape(id), done), nil
}

// guildsForm is what the page of guilds can be asked for.
var guildsForm = team.GuildsForm.Pick("type", "q", "sort", "cursor")

type guildsView struct {
	Mine           []team.Team
	May            bool // found one
	Kinds, Seen    []string
	Once           string
	Guilds         []team.Guild
	Paging         call.Paging
	Types          []string
	Type, Q, Given string
	Later          bool
}

func (c meeting) guilds(v *visit) (answer, error) {
	values, err := readQuery(v, guildsForm)
	if err != nil {
		return answer{}, err
	}
	r := team.GuildsForm.Read(values)
	r.Limit = pageLength
	reply, err := c.Service.Teams.Guilds(v.Context(), r)
	if err != nil {
		return answer{}, err
	}
	g := guildsView{Guilds: reply.Guilds, Paging: reply.Paging, Types: team.GuildsForm.Pick("type")[0].Enum, Type: r.Type, Q: r.Q, Given: v.URL.Query().Get("sort"), Later: r.Cursor != ""}
	if who, ok := c.beside(v, "GET /api/mesh/teams"); ok {
		mine := team.TeamsForm.Defaults()
		mine.Limit = call.MaxPage
		own, err := c.Service.Teams.Teams(v.Context(), who, mine)
		if err != nil {
			return answer{}, err
		}
		g.Mine = own.Teams
	}
	_, g.May = c.beside(v, "POST /api/mesh/guilds")
	g.Once, g.Kinds, g.Seen = newNonce(), team.NewGuildForm.Pick("type")[0].Enum, team.NewGuildForm.Pick("visibility")[0].Enum
	return draw("guilds", "Guilds", g), nil
}

// foundGuild founds a guild, whose owner is who asks.
func (c meeting) foundGuild(v *visit) (answer, error) {
	values, err := readPosted(v, team.NewGuildForm.Pick("name", "type", "visibility", "description"))
	if err != nil {
		return answer{}, err
	}
	var reply team.TeamReply
	err = c.once(v, func(string) (any, error) {
		return c.Service.Teams.OpenTeam(v.Context(), v.caller, team.NewGuildForm.Read(values))
	}, &reply)
	if err != nil {
		return answer{}, err
	}
	return to("/guilds/"+url.PathEscape(reply.Team.ID), "founded"), nil
}

type guildView struct {
	Guild   team.Guild
	Once    string
	Members []team.GuildMember
	Role    string // of the owner's agent, "" for no member
	Me      string
}

func (c meeting) guild(v *visit) (answer, error) {
	reply, err := c.Service.Teams.Guild(v.Context(), v.caller, v.PathValue("id"))
	if err != nil {
		return answer{}, err
	}
	g := guildView{Guild: reply.Guild, Once: newNonce(), Members: reply.Members, Me: v.caller.AgentID}
	for _, m := range reply.Members {
		if m.AgentID == v.caller.AgentID {
			g.Role = m.Role
		}
	}
	return draw("guild", reply.Guild.Name, g), nil
}

func (c meeting) joinGuild(v *visit) (answer, error) {
	values, err := readPosted(v, team.JoinForm.Form)
	if err != nil {
		return answer{}, err
	}
	id := v.PathValue("id")
	if _, err := c.Service.Teams.Join(v.Context(), v.caller, id, team.JoinForm.Read(values)); err != nil {
		return answer{}, err
	}
	return to("/guilds/"+url.PathEscape(id), "joined"), nil
}

func (c meeting) leaveGuild(v *visit) (answer, error) {
	if err := c.Service.Teams.LeaveGuild(v.Context(), v.caller, v.PathValue("id")); err != nil {
		return answer{}, err
	}
	return to("/guilds", "left"), nil
}

// noticesTwin is the endpoint of the caller's notices.
const noticesTwin = "GET /api/mesh/notifications"

// noticesForm is what the page of notifications can be asked for.
var noticesForm = notice.NoticesForm.Pick("cursor")

type noticesView struct {
	Notices []noticeView
	Unread  int
	Paging  call.Paging
	Later   bool
}

// noticeView is a notification with the page that it is about.
type noticeView struct {
	notice.Notice
	Path string // below the session, "" for none
}

func (c meeting) notices(v *visit) (answer, error) {
	values, err := readQuery(v, noticesForm)
	if err != nil {
		return answer{}, err
	}
	r := notice.NoticesForm.Read(values)
	r.Limit = pageLength
	reply, err := c.Service.Notices.Notices(v.Context(), v.caller, r)
	if err != nil {
		return answer{}, err
	}
	n := noticesView{Unread: reply.Unread, Paging: reply.Paging, Later: r.Cursor != ""}
	for _, x := range reply.Notifications {
		n.Notices = append(n.Notices, noticeView{x, pageFor(x.Link)})
	}
	return draw("notifications", "Notifications", n), nil
}

// pageFor is the page of what a notification links to in the API.
func pageFor(link string) string {
	rest, ok := strings.CutPrefix(link, "/api/mesh/")
	if !ok {
		return ""
	}
	parts := strings.Split(rest, "/")
	rooms := map[string]string{"entry": "/knowledge/", "agent": "/agents/", "bounties": "/bounties/", "guilds": "/guilds/", "team": "/guilds/"}
	if len(parts) < 2 || rooms[parts[0]] == "" || parts[1] == "" || parts[1] == "." || parts[1] == ".." {
		return ""
	}
	id, err := url.PathUnescape(parts[1])
	if err != nil {
		return ""
	}
	return rooms[parts[0]] + url.PathEscape(id)
}

func (c meeting) readNotices(v *visit) (answer, error) {
	values, err := readPosted(v, notice.ReadNoticesForm.Form)
	if err != nil {
		return answer{}, err
	}
	if _, err := c.Service.Notices.ReadNotices(v.Context(), v.caller, notice.ReadNoticesForm.Read(values)); err != nil {
		return answer{}, err
	}
	return to("/notifications", "read"), nil
}
