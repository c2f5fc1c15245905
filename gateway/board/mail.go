package board

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/cursor"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/node/view"
)

// wholeTeam is the recipient of a message to everybody in a team.
const wholeTeam = "team"

// MessageRequest is a message to a team or to one of its members.
type MessageRequest struct {
	call.Request
	Content string `field:"content"`
	Type    string `field:"type"`
	To      string `field:"to"`
	Subject string `field:"subject"`
	TaskID  string `field:"task_id"`
	ReplyTo string `field:"reply_to"`
}

// MessageForm reads a MessageRequest.
var MessageForm = call.Define[MessageRequest](call.Form{
	{Name: "content", Min: 1, Max: body.MaxMessage, Required: true, Help: "The text."},
	{Name: "type", Aliases: []string{"messageType"}, Enum: body.MessageTypes(), Default: body.MessageText, Help: "What kind of message."},
	{Name: "to", Max: call.MaxIDText, Default: wholeTeam, Help: "team, or a member by id, DID or name as lists show it; then only sender and recipient can read it."},
	{Name: "subject", Max: body.MaxSubject, Help: "A headline."},
	{Name: "task_id", Aliases: []string{"taskId"}, Max: body.MaxTask, Help: "The task it is about."},
	{Name: "reply_to", Aliases: []string{"replyTo"}, Max: call.MaxIDText, Help: "The message it answers."},
})

// Message is a message as its reader sees it.
type Message struct {
	ID            string  `json:"id"`
	FromAgentID   string  `json:"fromAgentId"`
	FromAgentName string  `json:"fromAgentName"`
	To            string  `json:"to" doc:"team, or the id of the one member it is for"`
	Subject       string  `json:"subject"`
	Content       string  `json:"content"`
	Locked        bool    `json:"locked" doc:"the text is sealed and no key that opens it lies on this node"`
	MessageType   string  `json:"messageType"`
	TaskID        *string `json:"taskId"`
	ReplyTo       *string `json:"replyTo"`
	CreatedAt     string  `json:"createdAt"`
}

// MessageReply is one message.
type MessageReply struct {
	Success  bool     `json:"success"`
	Message  Message  `json:"message"`
	Warnings []string `json:"warnings,omitempty"`
}

func messageOf(m view.Message) Message {
	out := Message{ID: m.ID.Text(change.PrefixMessage), FromAgentID: m.From.ID.String(), FromAgentName: m.From.Handle, To: wholeTeam, Subject: m.Subject,
		Content: m.Text, Locked: m.Locked, MessageType: m.Type, TaskID: call.TextOrNil(m.Task), CreatedAt: call.Stamp(m.CreatedAt)}
	if !m.To.IsZero() {
		out.To = m.To.String()
	}
	if !m.Reply.IsZero() {
		out.ReplyTo = call.TextOrNil(m.Reply.Text(change.PrefixMessage))
	}
	return out
}

// SendMessage writes to a team, or sealed to one of its members.
func (s *Service) SendMessage(ctx context.Context, c call.Caller, team string, r MessageRequest, mark string) (*MessageReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.MessagesWrite)
	if err != nil {
		return nil, err
	}
	msg := view.NewMessage{Type: r.Type, Text: norm.NFC.String(r.Content), Subject: norm.NFC.String(strings.TrimSpace(r.Subject)),
		Task: r.TaskID, IdempotencyKey: mark}
	if strings.TrimSpace(msg.Text) == "" {
		return nil, reason.Refuse(reason.MissingField, "content is needed").With(map[string]any{"field": "content"})
	}
	if to := r.To; to != wholeTeam && to != "" {
		a, err := s.access.MemberNamed(ctx, m, to)
		if err != nil {
			return nil, err
		}
		msg.To = a.ID
	}
	if msg.Task != "" {
		t, err := s.task(ctx, m, msg.Task)
		if err != nil {
			return nil, err
		}
		msg.Task = t.Task.ID
	}
	if text := r.ReplyTo; text != "" {
		none := reason.Refuse(reason.UnknownReference, "the message that is answered is not known here")
		if msg.Reply, err = s.access.IDIn(ctx, m, change.PrefixMessage, text, none); err != nil {
			return nil, err
		}
	}
	if err := s.access.RefuseSecrets(map[string]string{"content": msg.Text, "subject": msg.Subject}); err != nil {
		return nil, err
	}
	sent, err := s.mesh.SendMessage(ctx, m.Agent, m.Guild.ID, msg)
	if err != nil {
		return nil, err
	}
	return &MessageReply{Success: true, Message: messageOf(sent), Warnings: r.Warnings()}, nil
}

// MessagesRequest selects messages.
type MessagesRequest struct {
	call.Request
	call.PageOf
	Since  time.Time `field:"since"`
	Before time.Time `field:"before"`
	TaskID string    `field:"task_id"`
	Type   string    `field:"type"`
}

// MessagesForm reads a MessagesRequest.
var MessagesForm = call.Define[MessagesRequest](append(call.Form{
	{Name: "since", Kind: call.Time, Help: "Only messages from this time on."},
	{Name: "before", Kind: call.Time, Help: "Only messages before this time."},
	{Name: "task_id", Max: body.MaxTask, Help: "Only messages about this task."},
	{Name: "type", Enum: body.MessageTypes(), Help: "Only this type."},
}, call.PageFields(call.MaxPage)...))

// MessagesReply is a page of messages, newest first.
type MessagesReply struct {
	Success  bool      `json:"success"`
	Messages []Message `json:"messages"`
	Unread   int       `json:"unread" doc:"of the team, by what was marked as read"`
	call.Paging
	Estimate bool `json:"total_is_estimate"`
}

// Messages lists what the caller may read: messages to the team, and those to it
// and from it.
func (s *Service) Messages(ctx context.Context, c call.Caller, team string, r MessagesRequest) (*MessagesReply, error) {
	m, err := s.access.InTeam(ctx, c, team, access.MessagesRead)
	if err != nil {
		return nil, err
	}
	q := view.MessageQuery{Reader: m.Agent, Type: r.Type, Task: r.TaskID, Since: r.Since, Before: r.Before, Limit: r.Limit}
	if q.Task != "" {
		if q.Task, err = s.TaskID(ctx, m.Guild.ID, q.Task); reason.Of(err) == reason.TaskNotFound {
			q.Task, err = r.TaskID, nil // a task that is gone may still be named
		}
		if err != nil {
			return nil, err
		}
	}
	filter := r.Filter("messages/" + m.ID() + "/" + m.Agent.String())
	if text := r.Cursor; text != "" {
		place, err := s.pages.Place(text, filter)
		if err != nil {
			return nil, err
		}
		if q.After, err = knowledge.ReadEntryPlace(cursor.Place{Sort: place.Sort + "/0", ID: place.ID}); err != nil {
			return nil, err
		}
	}
	page, err := s.mesh.Messages(ctx, m.Guild.ID, q)
	if err != nil {
		return nil, fmt.Errorf("list messages: %w", err)
	}
	reply := &MessagesReply{Success: true, Messages: []Message{}, Estimate: true}
	for _, one := range page.Messages {
		reply.Messages = append(reply.Messages, messageOf(one))
	}
	if reply.Unread, err = s.Unread(ctx, m.Guild.ID, m.Agent); err != nil {
		return nil, err
	}
	reply.Count = len(reply.Messages)
	reply.Total = reply.Count
	if page.Next != nil {
		reply.Total++
		return reply, s.pages.Next(&reply.Paging, filter, cursor.Place{Sort: strconv.FormatUint(page.Next.HLC, 10), ID: hex.EncodeToString(page.Next.ID[:])})
	}
	return reply, nil
}

// Unread counts the messages of a team that an agent has not marked as read.
func (s *Service) Unread(ctx context.Context, guild change.ID, agent change.AgentID) (int, error) {
	upto, err := s.state.ReadUpTo(ctx, guild.Text(change.PrefixGuild), agent.String())
	if err != nil {
		return 0, err
	}
	return s.mesh.Unread(ctx, guild, agent, upto), nil
}

// ReadRequest says up to where messages were read.
type ReadRequest struct {
	call.Request
	UpTo string `field:"up_to"`
}

// ReadForm reads a ReadRequest.
var ReadForm = call.Define[ReadRequest](call.Form{{Name: "up_to", Max: call.MaxIDText, Required: true, Help: "The id of the newest message that was read."}})

// ReadMessages notes up to where the caller has read.
func (s *Service) ReadMessages(ctx context.Context, c call.Caller, team string, r ReadRequest) error {
	m, err := s.access.InTeam(ctx, c, team, access.MessagesRead)
	if err == nil {
		err = m.Acts(ctx)
	}
	if err != nil {
		return err
	}
	id, err := s.access.IDIn(ctx, m, change.PrefixMessage, r.UpTo, reason.Refuse(reason.NotFound, "no such message"))
	if err != nil {
		return err
	}
	at, err := s.mesh.MessagePlace(ctx, m.Guild.ID, id)
	if err != nil {
		return err
	}
	return s.state.MarkRead(ctx, m.ID(), m.Agent.String(), at)
}
