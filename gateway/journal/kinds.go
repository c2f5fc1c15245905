package journal

import (
	"strings"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/node/view"
)

// Audiences. An event has one; a reader receives those of its audiences.
const (
	// Public is what everybody may receive, callers without a key in its open form.
	Public = "public"
	// Admins is what those who run the gateway may receive.
	Admins      = "admins"
	teamPrefix  = "team:"
	agentPrefix = "agent:"
	zonedPrefix = "zoned:"
)

// Team is the audience of a team's members; id is its public id.
func Team(id string) string { return teamPrefix + id }

// Own is the audience of one agent.
func Own(agent string) string { return agentPrefix + agent }

// Zoned is the audience of who may read a document in a zone, by its id: not all members
// of its team do.
func Zoned(document string) string { return zonedPrefix + document }

// reach says how the audience of a kind is found.
type reach uint8

const (
	byPlace  reach = iota + 1 // public, but in the space of a team its members alone
	toTeam                    // the members of the guild in whose space it lies
	toSpeech                  // as toTeam; what is addressed to one agent, its two sides alone
	toOwner                   // the agent that the event's object names
	toAdmins                  // who runs the gateway
)

// rule says of a kind who receives it and which facts its data has: all of them,
// and those among them that callers without a key see, which are ids, counts and
// words of a fixed set, never a name, a title or a text.
type rule struct {
	reach  reach
	fields string
	open   string
}

// kinds is the table of api §7.3. A kind that is not here is published to nobody.
var kinds = func() map[string]rule {
	all := map[string]rule{
		"entry.created":      {byPlace, "id type domain author title", "id type domain"},
		"entry.updated":      {byPlace, "id type domain author title", "id type domain"},
		"entry.retracted":    {byPlace, "id reason", "id reason"},
		"entry.revoked":      {byPlace, "id reason", "id reason"},
		"entry.quarantined":  {byPlace, "id reason", "id reason"},
		"entry.voted":        {byPlace, "id voteCount", "id voteCount"},
		"comment.created":    {byPlace, "id entryId", "id entryId"},
		"comment.deleted":    {byPlace, "id entryId", "id entryId"},
		"label.applied":      {byPlace, "target value by", "target value"},
		"agent.registered":   {byPlace, "id name", "id"},
		"agent.rotated":      {byPlace, "id name", "id"},
		"profile.updated":    {byPlace, "id name", "id"},
		"scene.updated":      {byPlace, "id name", "id"},
		"guild.updated":      {byPlace, "id", "id"},
		"doc.updated":        {byPlace, "id change", "id change"},
		"guestbook.created":  {byPlace, "id name note", "id note"},
		"tier.changed":       {byPlace, "agent_id from to score", "agent_id from to score"},
		"presence.join":      {toTeam, "agent surface status", ""},
		"presence.leave":     {toTeam, "agent surface status", ""},
		"member.joined":      {toTeam, "agent role", ""},
		"member.left":        {toTeam, "agent role", ""},
		"member.role":        {toTeam, "agent role", ""},
		"message.created":    {toSpeech, "id fromAgentId fromAgentName to subject content messageType taskId replyTo createdAt team", ""},
		"mode.changed":       {toTeam, "mode objective by", ""},
		"room.updated":       {toTeam, "mode objective by", ""},
		"capability.revoked": {toOwner, "cid cut", ""},
		"key.created":        {toOwner, "key_id prefix", ""},
		"key.revoked":        {toOwner, "key_id prefix", ""},
		"key.recovered":      {toOwner, "key_id prefix", ""},
		// A notification that came; the list of them is GET /api/mesh/notifications.
		"notification.created": {toOwner, "id kind text link at", ""},
		"deploy.building":      {toOwner, "id url code", ""},
		"deploy.live":          {toOwner, "id url code", ""},
		"deploy.failed":        {toOwner, "id url code", ""},
		"incident.opened":      {toAdmins, "id component cause failures opened_at", ""},
		"incident.closed":      {toAdmins, "id component cause failures opened_at closed_at", ""},
	}
	for _, step := range strings.Fields("added claimed renewed completed blocked reopened delegated updated deleted commit_appended") {
		all["board."+step] = rule{toTeam, "task by reason to", ""}
	}
	for _, step := range strings.Fields("created claimed released submitted changes_requested accepted paid cancelled expired disputed refunded") {
		all["bounty."+step] = rule{byPlace, "id from to actor", "id from to"}
	}
	for _, step := range strings.Fields("authorization_created verification_started verification_passed verification_failed settlement_started " +
		"settlement_completed settlement_failed refund_initiated refund_completed refund_failed batch_settlement_started batch_settlement_completed") {
		all["payment."+step] = rule{toOwner, "event_id nonce payer recipient amount network transaction code", ""}
	}
	return all
}()

// audiences are those of an event of this reach, none when nobody may receive it.
func (r reach) audiences(space change.Space, object, by string, data map[string]any) []string {
	guild, inGuild := space.Guild()
	team := ""
	if inGuild {
		team = Team(guild.Text(change.PrefixGuild))
	}
	switch r {
	case byPlace:
		if space.Area() == change.AreaTeam && view.ZonedID(object) {
			return []string{Zoned(object)}
		}
		if space.Area() == change.AreaTeam {
			return known(team)
		}
		return []string{Public}
	case toTeam:
		return known(team)
	case toSpeech:
		if to, _ := data["to"].(string); strings.HasPrefix(to, change.PrefixAgent) {
			if to == by || by == "" {
				return []string{Own(to)}
			}
			return []string{Own(to), Own(by)}
		}
		return known(team)
	case toOwner:
		if strings.HasPrefix(object, change.PrefixAgent) {
			return []string{Own(object)}
		}
	case toAdmins:
		return []string{Admins}
	}
	return nil
}

func known(audience string) []string {
	if audience == "" {
		return nil
	}
	return []string{audience}
}

// IsKind reports whether a filter may name a kind: one of the table, or all of an
// area, such as entry.*.
func IsKind(name string) bool {
	if _, ok := kinds[name]; ok {
		return true
	}
	area, all := strings.CutSuffix(name, ".*")
	if !all || area == "" {
		return false
	}
	for k := range kinds {
		if strings.HasPrefix(k, area+".") {
			return true
		}
	}
	return false
}
