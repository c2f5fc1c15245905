package console

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/node/view"
)

// contributeView is the form of an entry, with what the gate says of it.
type contributeView struct {
	Type, Content, Title, Domain, Tags, Evidence, Source, Confidence string
	Once                                                             string
	Verdict                                                          *verdict // nil: nobody has asked
	Domains                                                          []string // known ones, to choose from
	Kinds                                                            []kind
	Least, Most                                                      int
}

type kind struct{ Name, What string }

// kinds are the types of entries and what they are for.
var kinds = []kind{
	{"gotcha", "A trap: what goes wrong, and why."},
	{"pattern", "A way that works, and when it does."},
	{"wisdom", "A principle that holds beyond one case."},
}

// verdict is what the gate says, in words.
type verdict struct {
	OK       bool     `json:"ok"`
	Score    int      `json:"score"`
	Says     string   `json:"says"`
	Reasons  []string `json:"reasons"`
	Warnings []string `json:"warnings"`
}

func (c reading) contributePage(v *visit) (answer, error) {
	f, err := c.emptyEntry(v)
	if err != nil {
		return answer{}, err
	}
	f.Domain = v.URL.Query().Get("domain")
	return draw("contribute", "Contribute", f), nil
}

func (c reading) emptyEntry(v *visit) (*contributeView, error) {
	f := &contributeView{Type: "gotcha", Confidence: "0.8", Once: newNonce(), Kinds: kinds, Least: body.MinEntry, Most: body.MaxEntry}
	r := knowledge.DomainsForm.Defaults()
	r.Limit = call.MaxPage
	domains, err := c.Service.Knowledge.Domains(v.Context(), r)
	if err != nil {
		return nil, err
	}
	for _, d := range domains.Domains {
		f.Domains = append(f.Domains, d.Name)
	}
	return f, nil
}

// typed is the entry of the posted form.
func typed(v *visit) (knowledge.ContributeRequest, error) {
	p := v.PostForm
	fields := map[string]any{"type": p.Get("type"), "content": p.Get("content")}
	for _, name := range []string{"title", "domain", "tags", "source"} {
		if text := strings.TrimSpace(p.Get(name)); text != "" {
			fields[name] = text
		}
	}
	var evidence []string
	for line := range strings.Lines(p.Get("evidence")) {
		if line = strings.TrimSpace(line); line != "" {
			evidence = append(evidence, line)
		}
	}
	if len(evidence) > 0 {
		fields["evidence"] = evidence
	}
	if sure, err := strconv.ParseFloat(p.Get("confidence"), 64); err == nil {
		fields["confidence"] = sure
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		return knowledge.ContributeRequest{}, err
	}
	return knowledge.ContributeForm.ReadJSON(raw)
}

// judge asks the gate about the posted form.
func (c reading) judge(v *visit) (*verdict, error) {
	r, err := typed(v)
	if err != nil {
		return refused(err)
	}
	reply, err := c.Service.Knowledge.Check(v.Context(), v.caller, r)
	if err != nil {
		return refused(err)
	}
	return inWords(reply.Quality), nil
}

// refused is the verdict of a refusal, and the error again when it says nothing about
// what was typed.
func refused(err error) (*verdict, error) {
	var r *reason.Refusal
	if !errors.As(err, &r) || r.Code == reason.Internal {
		return nil, err
	}
	var quality *knowledge.Refused
	if errors.As(err, &quality) && quality.Quality != nil {
		out := inWords(*quality.Quality)
		if r.Text != "" {
			out.Reasons = append([]string{sentence(r.Text)}, slices.DeleteFunc(out.Reasons, func(s string) bool { return s == meaning(string(r.Code)) })...)
		}
		return out, nil
	}
	text := cmp.Or(r.Text, meaning(string(r.Code)))
	out := &verdict{Says: "The gate would not take this.", Reasons: []string{sentence(text)}, Warnings: []string{}}
	if list, ok := r.Details["fields"].([]call.Problem); ok {
		out.Reasons = out.Reasons[:0]
		for _, p := range list {
			out.Reasons = append(out.Reasons, sentence(p.Field+" "+p.Message))
		}
	}
	return out, nil
}

// inWords says what codes mean.
func inWords(q knowledge.Quality) *verdict {
	out := &verdict{OK: q.OK, Score: q.Score, Reasons: []string{}, Warnings: []string{}}
	for _, code := range q.Reasons {
		out.Reasons = append(out.Reasons, meaning(code))
	}
	for _, code := range q.Warnings {
		out.Warnings = append(out.Warnings, meaning(code))
	}
	switch {
	case !q.OK:
		out.Says = "The gate would not take this."
	case len(out.Warnings) > 0:
		out.Says = "The gate takes this; it could be better."
	default:
		out.Says = "The gate takes this."
	}
	return out
}

// checkEntry is the verdict: for the script of the form, or in the form again.
func (c reading) checkEntry(v *visit) (answer, error) {
	said, err := c.judge(v)
	switch {
	case err != nil:
		return answer{}, err
	case strings.HasPrefix(v.Header.Get("Accept"), "application/json"):
		return answer{value: said}, nil
	}
	return c.again(v, said, http.StatusOK)
}

// again is the form as it was sent, with what the gate says of it.
func (c reading) again(v *visit, said *verdict, status int) (answer, error) {
	f, err := c.emptyEntry(v)
	if err != nil {
		return answer{}, err
	}
	p := v.PostForm
	f.Type, f.Content, f.Title, f.Domain, f.Tags = p.Get("type"), p.Get("content"), p.Get("title"), p.Get("domain"), p.Get("tags")
	f.Evidence, f.Source, f.Confidence, f.Verdict = p.Get("evidence"), p.Get("source"), p.Get("confidence"), said
	return draw("contribute", "Contribute", f).with(status), nil
}

// contribute writes an entry, or shows the form again with what the gate says of it.
func (c reading) contribute(v *visit) (answer, error) {
	r, err := typed(v)
	var reply knowledge.ContributeReply
	if err == nil {
		err = c.once(v, func(mark string) (any, error) {
			return c.Service.Knowledge.Contribute(v.Context(), v.caller, r, view.Submit{IdempotencyKey: mark})
		}, &reply)
	}
	if err != nil {
		switch knowledge.Explain(err).Code.HTTP() {
		case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
			return answer{}, err // it is not about the text
		}
		said, fault := refused(err)
		if fault != nil {
			return answer{}, fault
		}
		return c.again(v, said, http.StatusUnprocessableEntity)
	}
	return to("/knowledge/"+reply.ID, "contributed"), nil
}
