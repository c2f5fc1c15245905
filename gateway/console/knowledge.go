package console

import (
	"context"
	"net/url"
	"slices"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/comment"
	"github.com/meshd/meshd/gateway/knowledge"
)

// reading has the pages of entries.
type reading struct{ *Console }

func (c reading) rows() []page {
	return []page{
		get("/knowledge", "/knowledge", c.entries).as("GET /api/mesh/feed"),
		get("/knowledge/{id}", "/knowledge", c.entry).as("GET /api/mesh/entry/{id}"),
		post("/knowledge/{id}/vote", "/knowledge", c.vote).as("POST /api/mesh/entry/{id}/vote"),
		post("/knowledge/{id}/comments", "/knowledge", c.comment).as("POST /api/mesh/entry/{id}/comment").repeated(),
		post("/knowledge/{id}/comments/{comment}/vote", "/knowledge", c.voteComment).as("POST /api/mesh/comment/{id}/vote"),
		post("/knowledge/{id}/comments/{comment}/delete", "/knowledge", c.deleteComment).as("DELETE /api/mesh/comment/{id}"),
		post("/knowledge/{id}/report", "/knowledge", c.report).as("POST /api/mesh/entry/{id}/report"),
		post("/knowledge/{id}/retract", "/knowledge", c.retract).as("DELETE /api/mesh/entry/{id}"),
		get("/contribute", "/contribute", c.contributePage).as("GET /api/mesh/domains"),
		post("/contribute", "/contribute", c.contribute).as("POST /api/mesh/contribute").repeated(),
		post("/contribute/check", "/contribute", c.checkEntry).as("POST /api/mesh/contribute/check"),
	}
}

// feedForm is what the page of entries can be asked for.
var feedForm = knowledge.FeedForm.Pick("type", "domain", "tag", "author", "q", "sort", "cursor")

// feedView is a page of entries.
type feedView struct {
	Entries                      []knowledge.Entry
	Paging                       call.Paging
	Types                        []string
	Domains                      []knowledge.Domain
	Type, Domain, Tag, Author, Q string
	Sort, Given                  string // the order, and as it was asked for
	Later                        bool   // a page after the first
	Orders                       []link // name and value
	Hidden                       int    // entries that this node holds back
}

func (c reading) entries(v *visit) (answer, error) {
	values, err := readQuery(v, feedForm)
	if err != nil {
		return answer{}, err
	}
	r := knowledge.FeedForm.Read(values)
	r.Limit = pageLength
	f := feedView{Types: call.KnowledgeTypes, Type: r.Type, Tag: r.Tag, Author: r.Author, Q: r.Q, Given: v.URL.Query().Get("sort"), Later: r.Cursor != "",
		Orders: []link{{"Newest", "recent"}, {"Top", "top"}, {"Discussed", "discussed"}}}
	if r.Q != "" {
		f.Orders = slices.Insert(f.Orders, 0, link{"Best match", "relevance"})
		if f.Given == "" {
			r.Sort = "relevance"
		}
	} else if r.Sort == "relevance" {
		r.Sort = "recent"
	}
	f.Sort = r.Sort
	if len(r.Domain) > 0 {
		f.Domain = r.Domain[0]
	}
	reply, err := c.Service.Knowledge.Feed(v.Context(), v.caller, r)
	if err != nil {
		return answer{}, err
	}
	f.Entries, f.Paging, f.Hidden = reply.Entries, reply.Paging, reply.Quality.Hidden
	d := knowledge.DomainsForm.Defaults()
	d.Limit = domainsShown
	domains, err := c.Service.Knowledge.Domains(v.Context(), d)
	if err != nil {
		return answer{}, err
	}
	f.Domains = domains.Domains
	return draw("knowledge", "Knowledge", f), nil
}

// entryView is one entry, what is said of it, and the forms to say more.
type entryView struct {
	Entry    knowledge.PublicFields
	Full     *knowledge.FullEntry
	Title    string
	Mine     bool
	Comments []said
	More     bool // there are comments that are not shown
	Related  []string
	Once     string
	Fault    error  // why a comment was not taken
	Draft    string // of it
	Reply    string // the comment that it answers
	Reasons  []string
}

// said is a comment and how deep it lies.
type said struct {
	comment.Comment
	Depth int
	Mine  bool
}

func (c reading) entry(v *visit) (answer, error) {
	e, err := c.entryOf(v.Context(), v)
	if err != nil {
		return answer{}, err
	}
	e.Reply = v.URL.Query().Get("answer")
	return draw("entry", e.Title, e), nil
}

func (c reading) entryOf(ctx context.Context, v *visit) (*entryView, error) {
	id := v.PathValue("id")
	reply, err := c.Service.Knowledge.Entry(ctx, v.caller, id)
	if err != nil {
		return nil, err
	}
	e := &entryView{Entry: reply.Entry.Public(), Full: reply.Entry.Full(), Related: reply.Related, Once: newNonce(),
		Reasons: comment.ReportForm.Pick("reason")[0].Enum}
	if e.Title = reply.Entry.Title(); e.Title == "" {
		e.Title = "A " + e.Entry.Type + " in " + e.Entry.Domain
	}
	e.Mine = e.Full != nil && e.Full.AuthorID == v.caller.AgentID
	r := comment.CommentsForm.Defaults()
	r.Limit = call.MaxPage
	list, err := c.Service.Comments.Comments(ctx, v.caller, id, r)
	if err != nil {
		return nil, err
	}
	e.More = list.NextCursor != nil
	slices.Reverse(list.Comments) // oldest first
	e.Comments = threads(list.Comments, v.caller.AgentID)
	return e, nil
}

// threads puts comments below those they answer.
func threads(all []comment.Comment, me string) []said {
	below, known := map[string][]comment.Comment{}, map[string]bool{}
	for _, x := range all {
		known[x.ID] = true
	}
	for _, x := range all {
		parent := ""
		if x.ParentID != nil && known[*x.ParentID] {
			parent = *x.ParentID
		}
		below[parent] = append(below[parent], x)
	}
	var out []said
	var walk func(parent string, depth int)
	walk = func(parent string, depth int) {
		for _, x := range below[parent] {
			out = append(out, said{x, depth, x.AuthorID != nil && *x.AuthorID == me})
			walk(x.ID, depth+1)
		}
	}
	walk("", 0)
	return out
}

// atEntry leads back to the entry of a path.
func atEntry(v *visit, done string) answer {
	return to("/knowledge/"+url.PathEscape(v.PathValue("id")), done)
}

func (c reading) vote(v *visit) (answer, error) {
	values, err := readPosted(v, comment.VoteForm.Form)
	if err != nil {
		return answer{}, err
	}
	r := comment.VoteForm.Read(values)
	if _, err := c.Service.Comments.Vote(v.Context(), v.caller, v.PathValue("id"), r); err != nil {
		return answer{}, err
	}
	if r.Value == 0 {
		return atEntry(v, "unvoted"), nil
	}
	return atEntry(v, "voted"), nil
}

func (c reading) voteComment(v *visit) (answer, error) {
	values, err := readPosted(v, comment.VoteForm.Form)
	if err != nil {
		return answer{}, err
	}
	if _, err := c.Service.Comments.VoteComment(v.Context(), v.caller, v.PathValue("comment"), comment.VoteForm.Read(values)); err != nil {
		return answer{}, err
	}
	return atEntry(v, "voted"), nil
}

// comment writes one. What is refused is shown again with the reason, so that nothing
// has to be typed twice.
func (c reading) comment(v *visit) (answer, error) {
	values, err := readPosted(v, comment.CommentForm.Form)
	if err == nil {
		var reply comment.CommentReply
		err = c.once(v, func(mark string) (any, error) {
			return c.Service.Comments.WriteComment(v.Context(), v.caller, v.PathValue("id"), comment.CommentForm.Read(values), mark)
		}, &reply)
	}
	if err == nil {
		return atEntry(v, "commented"), nil
	}
	e, gone := c.entryOf(v.Context(), v)
	if gone != nil {
		return answer{}, err
	}
	e.Fault, e.Draft, e.Reply = err, v.PostForm.Get("content"), v.PostForm.Get("parent_id")
	return draw("entry", e.Title, e).with(knowledge.Explain(err).Code.HTTP()), nil
}

func (c reading) deleteComment(v *visit) (answer, error) {
	if _, err := c.Service.Comments.DeleteComment(v.Context(), v.caller, v.PathValue("comment")); err != nil {
		return answer{}, err
	}
	return atEntry(v, "uncommented"), nil
}

func (c reading) report(v *visit) (answer, error) {
	values, err := readPosted(v, comment.ReportForm.Form)
	if err != nil {
		return answer{}, err
	}
	if _, err := c.Service.Comments.Report(v.Context(), v.caller, v.PathValue("id"), comment.ReportForm.Read(values)); err != nil {
		return answer{}, err
	}
	return atEntry(v, "reported"), nil
}

func (c reading) retract(v *visit) (answer, error) {
	if _, err := c.Service.Knowledge.Retract(v.Context(), v.caller, v.PathValue("id")); err != nil {
		return answer{}, err
	}
	return to("/knowledge", "retracted"), nil
}
