package rest_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestGuestsWork goes from a new guild to a paid bounty by forms alone, as three people with
// three browsers.
func TestGuestsWork(t *testing.T) {
	t.Parallel()
	l := newLounge(t)
	ada, bo, eve := l.in("ada"), l.in("bo"), l.in("eve")
	ada.get("/me/guilds").want(200, "").shows("Found a guild")
	form := url.Values{"name": {"Menders"}, "type": {"dev"}, "visibility": {"public"}, "description": {"Roofs & <doors>."}, "once": {"g"}}
	guild, done, _ := strings.Cut(ada.post("/me/guilds", form).want(303, "").Header.Get("Location"), "?")
	if done != "done=founded" || !strings.HasPrefix(guild, "/me/guilds/gld_") {
		t.Fatal(guild, done)
	}
	if again, _, _ := strings.Cut(ada.post("/me/guilds", form).want(303, "").Header.Get("Location"), "?"); again != guild {
		t.Errorf("the form sent twice founded %s and %s", guild, again)
	}
	ada.get(guild+"?done=founded").want(200, "").shows("The guild is founded", "Roofs &amp; &lt;doors&gt;.", "Offer a bounty")
	form.Set("once", "other")
	form.Set("name", "x")
	ada.post("/me/guilds", form).want(400, "invalid_param")
	eve.get(guild+"/board").want(403, "not_a_member")
	bo.post(guild+"/join", url.Values{}).want(303, "")
	ada.get("/me/guilds").want(200, "").shows("Yours", "Menders")

	// The board: a task is added by one and done by another.
	task := url.Values{"title": {"Mend the roof"}, "description": {"The north side first."}, "once": {"t"}}
	ada.post(guild+"/board", task).leads(guild + "/board?done=tasked")
	ada.post(guild+"/board", task).leads(guild + "/board?done=tasked") // sent twice, added once
	ada.post(guild+"/board", url.Values{"title": {"Mend the roof"}, "once": {"u"}}).want(409, "duplicate")
	ada.post(guild+"/board", url.Values{"title": {""}, "once": {"v"}}).want(422, "")
	eve.post(guild+"/board", url.Values{"title": {"Mine"}, "once": {"w"}}).want(403, "not_a_member")
	p := bo.get(guild+"/board").want(200, "").shows("Mend the roof", "The north side first.")
	if n := strings.Count(p.text, "<h2><bdi>Mend the roof</bdi></h2>"); n != 1 {
		t.Errorf("the task stands there %d times", n)
	}
	at := regexp.MustCompile(`action="(` + guild + `/board/tsk_[^"]+)"`).FindStringSubmatch(p.text)
	if len(at) != 2 {
		t.Fatal(p.text)
	}
	bo.post(at[1], url.Values{"action": {"claim"}}).leads(guild + "/board?done=claimed")
	ada.post(at[1], url.Values{"action": {"claim"}}).want(409, "")
	bo.get(guild+"/board").shows("Finish it", "Release")
	bo.post(at[1], url.Values{"action": {"done"}, "summary": {"Three slates were new."}}).leads(guild + "/board?done=finished")
	ada.get(guild+"/board").shows("Done last", "Three slates were new.")

	// A bounty: offered by ada, done by eve, who is no member, and paid.
	l.grant("ada", 50)
	offer := url.Values{"teamId": {strings.TrimPrefix(guild, "/me/guilds/")}, "title": {"Find the leak"}, "description": {"Water comes in above the door."}, "amount": {"5"}, "once": {"b"}}
	bounty, done, _ := strings.Cut(ada.post("/me/bounties", offer).want(303, "").Header.Get("Location"), "?")
	if done != "done=offered" {
		t.Fatal(bounty, done)
	}
	if again, _, _ := strings.Cut(ada.post("/me/bounties", offer).want(303, "").Header.Get("Location"), "?"); again != bounty {
		t.Errorf("the form sent twice offered %s and %s", bounty, again)
	}
	ada.get("/me/credits").shows("reserved")
	ada.post(bounty+"/step", url.Values{"step": {"claim"}, "once": {"c0"}}).want(403, "self_deal")
	eve.get(bounty).want(200, "").shows("Claim it", "Water comes in above the door.")
	eve.post(bounty+"/step", url.Values{"step": {"claim"}, "once": {"c1"}}).leads(bounty + "?done=claimed")
	eve.post(bounty+"/step", url.Values{"step": {"explode"}, "once": {"c2"}}).want(400, "invalid_param")
	eve.post(bounty+"/submit", url.Values{"solution": {"It was the <gutter>."}, "once": {"s"}}).leads(bounty + "?done=submitted")
	ada.get(bounty).want(200, "").shows("Accept the work", "It was the &lt;gutter&gt;.", "eve")
	bo.post(bounty+"/step", url.Values{"step": {"accept"}, "once": {"a0"}}).want(403, "")
	ada.post(bounty+"/step", url.Values{"step": {"accept"}, "once": {"a1"}}).leads(bounty + "?done=accepted")
	ada.get(bounty).want(200, "").shows("Pay the reward")
	ada.post(bounty+"/step", url.Values{"step": {"payout"}, "once": {"p"}}).leads(bounty + "?done=paid")
	ada.post(bounty+"/step", url.Values{"step": {"payout"}, "once": {"p"}}).leads(bounty + "?done=paid") // pays once
	eve.get("/me/credits").want(200, "").shows(">5<")

	// Another one is taken back.
	offer.Set("title", "Paint the door")
	offer.Set("once", "b2")
	second, _, _ := strings.Cut(ada.post("/me/bounties", offer).want(303, "").Header.Get("Location"), "?")
	ada.post(second+"/step", url.Values{"step": {"cancel"}, "once": {"x"}}).leads(second + "?done=cancelled")
	bo.post(guild+"/leave", url.Values{}).want(303, "")
	bo.get(guild+"/board").want(403, "not_a_member")
}
