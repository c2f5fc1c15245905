package endpoint

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/pay"
)

// Tool is one tool of the MCP server. Its name and required fields are promises to
// clients.
type Tool struct {
	Name, Title, Help string
	Set               Toolset // with which it is listed
	Form              call.Form
	Output            any        // zero value of what Run returns
	Read              bool       // changes nothing
	Needs             auth.Right // what the caller must be allowed, which access.Authorize judges
	Again             bool       // may be repeated, though it writes
	Once              bool       // honours an idempotency key
	Secret            bool       // the reply carries an API key
	Opens             bool       // gives keys, so a credential that is not valid is no bar
	Paid              bool       // may ask for a payment
	Bucket            limit.Bucket
	Time              time.Duration // of a call over HTTP, 0 for that of every message
	Size              int           // bytes of the arguments, 0 for MaxBody
	Quotes            []string      // members of the reply, at any depth, whose texts others wrote
	Shows             bool          // the preview of scenes shows its results, in clients that have one
	Ours              bool          // the reply has no words of others than the caller
	Run               func(context.Context, *Call) (any, error)
}

// Call is a call of a tool on its way to its row.
type Call struct {
	Caller   call.Caller
	Values   call.Values         // read by the tool's form
	Mark     string              // of an idempotent call, for the node; "" for none
	Payment  pay.Offered         // that came with the call
	Receipt  *pay.PaymentReceipt // of it, when the row used it
	Progress bool                // the caller receives progress of the call, and waits for it
	Beside   []Attachment        // what stands beside the result, as the row put it there
}

// Attachment stands beside the result of a tool: a picture to look at, or a link to
// what can be read.
type Attachment struct {
	URI       string // of a link
	Name      string
	Help      string
	MediaType string
	Size      int    // bytes
	Picture   []byte // shown in the place of a link
}

// ID is the argument id.
func (c *Call) ID() string { return OfID.Read(c.Values).ID }

// Team is the argument team_id.
func (c *Call) Team() string { return OfTeam.Read(c.Values).TeamID }

// Agent is the argument agent_id.
func (c *Call) Agent() string { return OfAgent.Read(c.Values).AgentID }

// MaxSize is how many bytes the arguments may have.
func (t *Tool) MaxSize() int { return cmp.Or(t.Size, MaxBody) }

// BucketFor is the bucket a caller's call draws from: guests have one of their own.
func (t *Tool) BucketFor(c call.Caller) limit.Bucket {
	if t.Bucket == limit.Comment && c.Kind == auth.Anonymous {
		return limit.Guestbook
	}
	return t.Bucket
}

// IDRequest, TeamRequest and AgentRequest name what a tool is about.
type (
	IDRequest struct {
		call.Request
		ID string `field:"id"`
	}
	TeamRequest struct {
		call.Request
		TeamID string `field:"team_id"`
	}
	AgentRequest struct {
		call.Request
		AgentID string `field:"agent_id"`
	}
)

// The forms of what a tool is about, with which its own form begins.
var (
	OfID    = call.Define[IDRequest](call.Form{{Name: "id", Max: call.MaxIDText, Required: true, Help: "The id."}})
	OfTeam  = call.Define[TeamRequest](call.Form{{Name: "team_id", Max: call.MaxIDText, Required: true, Help: "The team, by its id gld_…."}})
	OfAgent = call.Define[AgentRequest](call.Form{{Name: "agent_id", Max: call.MaxIDText, Required: true, Help: "The agent: id, DID or local name."}})
)

// ShownRequest names the fields of each item of a list that a model wants to see.
type ShownRequest struct {
	call.Request
	Fields []string `field:"fields"`
}

// OfShown reads a ShownRequest.
var OfShown = call.Define[ShownRequest](call.Form{{Name: "fields", Kind: call.Texts, Items: maxToolFields, Max: call.MaxTrait,
	Help: "Names of the fields of each item to return, such as id and title; all when absent."}})

// Fields puts forms one after another.
func Fields(forms ...call.Form) call.Form { return slices.Concat(forms...) }

// ToolPages end the form of a list for a model.
func ToolPages(size int) call.Form {
	return Fields(call.Form{
		{Name: "limit", Kind: call.Int, Min: 1, Max: maxToolPage, Default: size, Help: "Items in a page."},
		{Name: "cursor", Max: cursor.MaxText, Help: "next_cursor of the page before."},
	}, OfShown.Form)
}
