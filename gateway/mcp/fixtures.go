package mcp

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/meshd/meshd/gateway/call"
)

// The conformance suite of the protocol (npm @modelcontextprotocol/conformance)
// drives a server by tools, resources and prompts that it expects by name. They
// are here and in questions.go, and are served under Config.Conformance alone.

// fixtureOptions are abilities that a release does not offer.
func fixtureOptions() []server.ServerOption {
	return []server.ServerOption{server.WithLogging(), server.WithResourceCapabilities(true, false), server.WithElicitation()}
}

// The smallest PNG and WAV that players take.
const (
	onePixel   = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
	noSound    = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
	fixtureGap = 50 * time.Millisecond // between notices, as the suite asks
)

// fixtureTools answer at once.
var fixtureTools = map[string]func() *mcp.CallToolResult{
	"test_simple_text": func() *mcp.CallToolResult {
		return mcp.NewToolResultText("This is a simple text response for testing.")
	},
	"test_image_content": func() *mcp.CallToolResult { return contentOf(mcp.NewImageContent(onePixel, "image/png")) },
	"test_audio_content": func() *mcp.CallToolResult { return contentOf(mcp.NewAudioContent(noSound, "audio/wav")) },
	"test_embedded_resource": func() *mcp.CallToolResult {
		return contentOf(embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."))
	},
	"test_multiple_content_types": func() *mcp.CallToolResult {
		return contentOf(mcp.NewTextContent("Multiple content types test:"), mcp.NewImageContent(onePixel, "image/png"),
			embedded("test://mixed-content-resource", jsonType, `{"test":"data","value":123}`))
	},
	"test_error_handling": func() *mcp.CallToolResult {
		return mcp.NewToolResultError("This tool intentionally returns an error for testing")
	},
}

func contentOf(c ...mcp.Content) *mcp.CallToolResult { return &mcp.CallToolResult{Content: c} }

func embedded(uri, kind, text string) mcp.Content {
	return mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: uri, MIMEType: kind, Text: text})
}

// schema2020 is a tool whose schema uses what JSON Schema 2020-12 has.
const schema2020 = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",` +
	`"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},` +
	`"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},` +
	`"phone":{"type":"string"},"email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],` +
	`"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},` +
	`"else":{"required":["email"]},"additionalProperties":false}`

// schemaHeaders is a tool whose arguments clients repeat in headers.
const schemaHeaders = `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},` +
	`"priority":{"type":"integer","x-mcp-header":"Priority"},"query":{"type":"string"}}}`

func (m *Server) addFixtures(rpc *server.MCPServer) {
	for name, result := range fixtureTools {
		rpc.AddTool(mcp.NewTool(name, mcp.WithDescription("Of the conformance suite.")),
			func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return result(), nil })
	}
	rpc.AddTool(mcp.NewToolWithRawSchema("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features", []byte(schema2020)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("done"), nil
		})
	rpc.AddTool(mcp.NewToolWithRawSchema("test_custom_headers", "Tool whose arguments stand in headers too", []byte(schemaHeaders)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("done"), nil
		})
	rpc.AddTool(mcp.NewTool("test_tool_with_progress", mcp.WithDescription("Reports progress three times.")), fixtureProgress)
	for _, name := range []string{"test_tool_with_logging", "test_logging_tool"} {
		rpc.AddTool(mcp.NewTool(name, mcp.WithDescription("Sends three log messages to clients that ask for them.")), fixtureLogging)
	}
	rpc.AddTool(mcp.NewTool("test_trigger_tool_change", mcp.WithDescription("Adds a tool to the list, or takes it away again.")), m.fixtureToolChange)
	m.addQuestions(rpc)
	addFixtureResources(rpc)
	addFixturePrompts(rpc)
}

// pause waits between two notices; an error when the client is gone.
func pause(ctx context.Context, d time.Duration) error {
	if !wait(ctx, d) {
		return ctx.Err()
	}
	return nil
}

func fixtureProgress(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	x := exchangeOf(ctx)
	for _, done := range []int{0, 50, 100} {
		if len(x.token) > 0 {
			if err := x.notifyProgress(ctx, done, 100, ""); err != nil {
				return nil, err
			}
		}
		if done < 100 {
			if err := pause(ctx, fixtureGap); err != nil {
				return nil, err
			}
		}
	}
	return mcp.NewToolResultText("The progress was reported."), nil
}

// fixtureLogging sends log messages to whom they were asked by: of the stateless
// revision clients that name a level in the request, of the ones before all.
func fixtureLogging(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	info := server.RequestProtocolInfoFromContext(ctx)
	silent := info != nil && info.Modern && (info.LogLevel == "" || !mcp.LoggingLevelInfo.ShouldSendTo(info.LogLevel))
	for i, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		if i > 0 {
			if err := pause(ctx, fixtureGap); err != nil {
				return nil, err
			}
		}
		if silent {
			continue
		}
		params := map[string]any{"level": "info", "logger": "conformance", "data": text}
		if err := exchangeOf(ctx).notify(ctx, string(mcp.MethodNotificationMessage), params); err != nil {
			return nil, err
		}
	}
	return mcp.NewToolResultText("Three messages were logged."), nil
}

// fixtureToolChange changes the list of tools, of which clients that listen are
// then reported.
func (m *Server) fixtureToolChange(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	const name = "test_came_later"
	rpc := m.audienceOf(call.CallerFrom(ctx), false).rpc
	if rpc.GetTool(name) != nil {
		rpc.DeleteTools(name)
	} else {
		rpc.AddTool(mcp.NewTool(name, mcp.WithDescription("Of the conformance suite.")),
			func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return mcp.NewToolResultText("done"), nil
			})
	}
	m.service.Streams.Journal().Recheck("")
	return mcp.NewToolResultText("The list has changed."), nil
}

func addFixtureResources(rpc *server.MCPServer) {
	text := mcp.TextResourceContents{URI: "test://static-text", MIMEType: "text/plain", Text: "This is the content of the static text resource."}
	image := mcp.BlobResourceContents{URI: "test://static-binary", MIMEType: "image/png", Blob: onePixel}
	watched := mcp.TextResourceContents{URI: "test://watched-resource", MIMEType: "text/plain", Text: "Nothing happens here."}
	fixed := func(uri, kind string, c mcp.ResourceContents) {
		rpc.AddResource(mcp.NewResource(uri, strings.TrimPrefix(uri, "test://"), mcp.WithResourceDescription("Of the conformance suite."), mcp.WithMIMEType(kind)),
			func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{c}, nil
			})
	}
	fixed(text.URI, text.MIMEType, text)
	fixed(image.URI, image.MIMEType, image)
	fixed(watched.URI, watched.MIMEType, watched)
	rpc.AddResourceTemplate(mcp.NewResourceTemplate("test://template/{id}/data", "template", mcp.WithTemplateDescription("Of the conformance suite."),
		mcp.WithTemplateMIMEType(jsonType)), func(_ context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		id, err := url.PathUnescape(strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data"))
		if err != nil {
			return nil, err
		}
		body := map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id}
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: req.Params.URI, MIMEType: jsonType, Text: string(mustEncode(body))}}, nil
	})
}

const fixturePromptPrefix = "test_"

// isFixturePrompt reports whether the suite asks for completions of this prompt.
func isFixturePrompt(name string) bool { return strings.HasPrefix(name, fixturePromptPrefix) }

func addFixturePrompts(rpc *server.MCPServer) {
	add := func(name string, args []string, messages func(args map[string]string) []mcp.Content) {
		declared := mcp.NewPrompt(name, mcp.WithPromptDescription("Of the conformance suite."))
		for _, a := range args {
			declared.Arguments = append(declared.Arguments, mcp.PromptArgument{Name: a, Description: "Of the conformance suite.", Required: true})
		}
		rpc.AddPrompt(declared, func(_ context.Context, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			out := &mcp.GetPromptResult{}
			for _, c := range messages(req.Params.Arguments) {
				out.Messages = append(out.Messages, mcp.PromptMessage{Role: mcp.RoleUser, Content: c})
			}
			return out, nil
		})
	}
	add("test_simple_prompt", nil, func(map[string]string) []mcp.Content {
		return []mcp.Content{mcp.NewTextContent("This is a simple prompt for testing.")}
	})
	add("test_prompt_with_arguments", []string{"arg1", "arg2"}, func(args map[string]string) []mcp.Content {
		return []mcp.Content{mcp.NewTextContent(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", args["arg1"], args["arg2"]))}
	})
	add("test_prompt_with_embedded_resource", []string{"resourceUri"}, func(args map[string]string) []mcp.Content {
		return []mcp.Content{embedded(args["resourceUri"], "text/plain", "Embedded resource content for testing."),
			mcp.NewTextContent("Please process the embedded resource above.")}
	})
	add("test_prompt_with_image", nil, func(map[string]string) []mcp.Content {
		return []mcp.Content{mcp.NewImageContent(onePixel, "image/png"), mcp.NewTextContent("Please analyze the image above.")}
	})
}
