package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
)

// inquiry is a tool of the conformance suite that asks the client before it
// answers: in rounds of a repeated call in the stateless revision, by requests of
// the server's (which the library makes of the same rounds) in the ones before.
type inquiry struct {
	name   string
	args   []string // required texts
	rounds []func(args map[string]any) mcp.InputRequests
	signed bool // the state goes through the client, signed
	picky  bool // ask only what the client can answer
	done   func(args map[string]any, r mcp.InputResponses) string
}

func always(text string) func(map[string]any, mcp.InputResponses) string {
	return func(map[string]any, mcp.InputResponses) string { return text }
}

func form(message string, required []string, properties map[string]any) mcp.InputRequest {
	schema := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	return mcp.NewElicitationInputRequest(mcp.ElicitationParams{Message: message, RequestedSchema: schema})
}

func askModel(text string, tokens int) mcp.InputRequest {
	return mcp.NewSamplingInputRequest(mcp.CreateMessageParams{MaxTokens: tokens,
		Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(text)}}})
}

func typed(kind string) map[string]any { return map[string]any{"type": kind} }

// once is a single round of fixed questions.
func once(q mcp.InputRequests) []func(map[string]any) mcp.InputRequests {
	return []func(map[string]any) mcp.InputRequests{func(map[string]any) mcp.InputRequests { return q }}
}

var (
	askName    = form("What is your name?", []string{"name"}, map[string]any{"name": typed("string")})
	askConfirm = form("Please confirm", []string{"ok"}, map[string]any{"ok": typed("boolean")})
)

var inquiries = []inquiry{
	{
		name: "test_sampling", args: []string{"prompt"},
		rounds: []func(map[string]any) mcp.InputRequests{func(args map[string]any) mcp.InputRequests {
			return mcp.InputRequests{"answer": askModel(fmt.Sprint(args["prompt"]), 100)}
		}},
		done: func(_ map[string]any, r mcp.InputResponses) string {
			return "LLM response: " + string(mustEncode(server.SamplingResponse(r, "answer").Content))
		},
	},
	{
		name: "test_elicitation", args: []string{"message"},
		rounds: []func(map[string]any) mcp.InputRequests{func(args map[string]any) mcp.InputRequests {
			return mcp.InputRequests{"user": form(fmt.Sprint(args["message"]), []string{"username", "email"}, map[string]any{
				"username": map[string]any{"type": "string", "description": "User's response"},
				"email":    map[string]any{"type": "string", "description": "User's email address"}})}
		}},
		done: func(_ map[string]any, r mcp.InputResponses) string { return "User response: " + elicited(r, "user") },
	},
	{
		name: "test_elicitation_sep1034_defaults",
		rounds: once(mcp.InputRequests{"user": form("Check the defaults", nil, map[string]any{
			"name":     map[string]any{"type": "string", "default": "John Doe"},
			"age":      map[string]any{"type": "integer", "default": 30},
			"score":    map[string]any{"type": "number", "default": 95.5},
			"status":   map[string]any{"type": "string", "enum": []string{"active", "inactive", "pending"}, "default": "active"},
			"verified": map[string]any{"type": "boolean", "default": true},
		})}),
		done: func(_ map[string]any, r mcp.InputResponses) string {
			return "Elicitation completed: " + elicited(r, "user")
		},
	},
	{
		name: "test_elicitation_sep1330_enums",
		rounds: once(mcp.InputRequests{"user": form("Choose", nil, map[string]any{
			"untitledSingle": map[string]any{"type": "string", "enum": []string{"option1", "option2", "option3"}},
			"titledSingle":   map[string]any{"type": "string", "oneOf": titled("value", "First Option", "Second Option", "Third Option")},
			"legacyEnum": map[string]any{"type": "string", "enum": []string{"opt1", "opt2", "opt3"},
				"enumNames": []string{"Option One", "Option Two", "Option Three"}},
			"untitledMulti": map[string]any{"type": "array", "items": map[string]any{"type": "string", "enum": []string{"option1", "option2", "option3"}}},
			"titledMulti":   map[string]any{"type": "array", "items": map[string]any{"anyOf": titled("value", "First Choice", "Second Choice", "Third Choice")}},
		})}),
		done: func(_ map[string]any, r mcp.InputResponses) string {
			return "Elicitation completed: " + elicited(r, "user")
		},
	},
	{name: "test_streaming_elicitation", rounds: once(mcp.InputRequests{"user_name": askName}), done: always("Thank you.")},
	{
		name: "test_input_required_result_elicitation", rounds: once(mcp.InputRequests{"user_name": askName}),
		done: func(_ map[string]any, r mcp.InputResponses) string { return "Hello, " + elicited(r, "user_name") + "!" },
	},
	{
		name: "test_input_required_result_sampling", rounds: once(mcp.InputRequests{"capital_question": askModel("What is the capital of France?", 100)}),
		done: func(_ map[string]any, r mcp.InputResponses) string {
			return string(mustEncode(server.SamplingResponse(r, "capital_question").Content))
		},
	},
	{
		name: "test_input_required_result_list_roots", rounds: once(mcp.InputRequests{"client_roots": mcp.NewRootsInputRequest()}),
		done: func(_ map[string]any, r mcp.InputResponses) string {
			return "Roots: " + string(mustEncode(server.RootsResponse(r, "client_roots").Roots))
		},
	},
	{name: "test_input_required_result_request_state", signed: true, rounds: once(mcp.InputRequests{"confirm": askConfirm}), done: always("state-ok")},
	{name: "test_input_required_result_tampered_state", signed: true, rounds: once(mcp.InputRequests{"confirm": askConfirm}), done: always("state-ok")},
	{
		name: "test_input_required_result_multiple_inputs", signed: true, done: always("Everything was answered."),
		rounds: once(mcp.InputRequests{"user_name": askName, "greeting": askModel("Generate a greeting", 50), "client_roots": mcp.NewRootsInputRequest()}),
	},
	{
		name: "test_input_required_result_multi_round", signed: true, done: always("Both steps are done."),
		rounds: append(once(mcp.InputRequests{"step1": form("Step 1: What is your name?", []string{"name"}, map[string]any{"name": typed("string")})}),
			once(mcp.InputRequests{"step2": form("Step 2: What is your favorite color?", []string{"color"}, map[string]any{"color": typed("string")})})...),
	},
	{
		name: "test_input_required_result_capabilities", picky: true, done: always("Everything was answered."),
		rounds: once(mcp.InputRequests{"user_name": askName, "greeting": askModel("Generate a greeting", 50)}),
	},
}

func titled(value string, titles ...string) []any {
	var out []any
	for i, t := range titles {
		out = append(out, map[string]any{"const": fmt.Sprintf("%s%d", value, i+1), "title": t})
	}
	return out
}

// elicited is what the user said.
func elicited(r mcp.InputResponses, id string) string {
	e := server.ElicitationResponse(r, id)
	return fmt.Sprintf("action=%s, content=%s", e.Action, mustEncode(e.Content))
}

func (m *Server) addQuestions(rpc *server.MCPServer) {
	for i := range inquiries {
		q := &inquiries[i]
		options := []mcp.ToolOption{mcp.WithDescription("Of the conformance suite: asks before it answers.")}
		for _, a := range q.args {
			options = append(options, mcp.WithString(a, mcp.Required(), mcp.Description("What to ask.")))
		}
		rpc.AddTool(mcp.NewTool(q.name, options...), func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return m.inquire(ctx, q, req)
		})
	}
	rpc.AddTool(mcp.NewTool("test_missing_capability", mcp.WithDescription("Needs a client that can sample.")),
		func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return needSampling(ctx)
		})
	rpc.AddPrompt(mcp.NewPrompt("test_input_required_result_prompt", mcp.WithPromptDescription("Asks before it answers.")),
		func(_ context.Context, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			ask := mcp.InputRequests{"user_context": form("What context should the prompt use?", []string{"context"}, map[string]any{"context": typed("string")})}
			if !answered(ask, req.Params.InputResponses) {
				return &mcp.GetPromptResult{Result: mcp.Result{ResultType: mcp.ResultTypeInputRequired}, MultiRoundTripResult: mcp.MultiRoundTripResult{InputRequests: ask}}, nil
			}
			return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{{Role: mcp.RoleUser,
				Content: mcp.NewTextContent("Context: " + elicited(req.Params.InputResponses, "user_context"))}}}, nil
		})
}

// needSampling refuses clients of the stateless revision that do not declare the
// ability in this very request.
func needSampling(ctx context.Context) (*mcp.CallToolResult, error) {
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern && info.ClientCapabilities.Sampling == nil {
		missing := mcp.MissingRequiredClientCapabilityError{Capability: "sampling"}
		x := exchangeOf(ctx)
		x.fault = &mcp.JSONRPCErrorDetails{Code: mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, Message: missing.Error(),
			Data: map[string]any{"requiredCapabilities": map[string]any{"sampling": map[string]any{}}}}
		x.status = 400
		return nil, missing
	}
	return mcp.NewToolResultText("The client can sample."), nil
}

// inquire asks the questions of the round that the request is in, or answers.
func (m *Server) inquire(ctx context.Context, q *inquiry, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	args, given := req.GetArguments(), req.Params.InputResponses
	round := 0
	bound := bindState(call.CallerFrom(ctx), q.name, req.Params.RawArguments)
	if q.signed {
		if req.Params.RequestState == "" {
			given = nil
		} else if err := m.states.open(req.Params.RequestState, bound, m.service.Access.Now(), &round); err != nil || round >= len(q.rounds) {
			return nil, m.refuse(ctx, reason.Refuse(reason.InvalidParam, "requestState is not one of ours for this call"), "")
		}
	}
	ask := q.rounds[round](args)
	if answered(ask, given) {
		if round++; round == len(q.rounds) {
			return mcp.NewToolResultText(q.done(args, given)), nil
		}
		ask = q.rounds[round](args)
	}
	if q.picky {
		ask = able(ctx, ask)
	}
	result := &mcp.CallToolResult{Result: mcp.Result{ResultType: mcp.ResultTypeInputRequired}, MultiRoundTripResult: mcp.MultiRoundTripResult{InputRequests: ask}}
	if q.signed {
		result.RequestState = m.states.seal(round, bound, m.service.Access.Now())
	}
	return result, nil
}

// able are the questions that the client says it can answer.
func able(ctx context.Context, ask mcp.InputRequests) mcp.InputRequests {
	info := server.RequestProtocolInfoFromContext(ctx)
	if info == nil || info.ClientCapabilities == nil {
		return ask
	}
	can := map[mcp.MCPMethod]bool{
		mcp.MethodElicitationCreate: info.ClientCapabilities.Elicitation != nil, mcp.MethodSamplingCreateMessage: info.ClientCapabilities.Sampling != nil,
		mcp.MethodListRoots: info.ClientCapabilities.Roots != nil,
	}
	out := maps.Clone(ask)
	maps.DeleteFunc(out, func(_ string, r mcp.InputRequest) bool { return !can[r.Method] })
	return out
}

// answered reports whether every question has an answer of its form; others are
// not looked at.
func answered(ask mcp.InputRequests, given mcp.InputResponses) bool {
	for id, q := range ask {
		if _, ok := given[id]; !ok || !fits(q, given, id) {
			return false
		}
	}
	return true
}

func fits(q mcp.InputRequest, given mcp.InputResponses, id string) bool {
	switch q.Method {
	case mcp.MethodElicitationCreate:
		e := server.ElicitationResponse(given, id)
		if e == nil {
			return false
		}
		if e.Action != mcp.ElicitationResponseActionAccept {
			return e.Action == mcp.ElicitationResponseActionDecline || e.Action == mcp.ElicitationResponseActionCancel
		}
		var content map[string]json.RawMessage
		if json.Unmarshal(mustEncode(e.Content), &content) != nil {
			return false
		}
		required, _ := q.Elicitation.RequestedSchema.(map[string]any)["required"].([]string)
		return !slices.ContainsFunc(required, func(name string) bool { return content[name] == nil })
	case mcp.MethodSamplingCreateMessage:
		s := server.SamplingResponse(given, id)
		return s != nil && s.Content != nil
	}
	return server.RootsResponse(given, id) != nil
}
