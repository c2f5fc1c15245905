package mcp

import (
	"context"

	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/gateway/service"
)

// compileTools turn sources into artefacts and pictures. They need no key.
var compileTools = []tool{
	{
		name: "compile_source", size: maxSource, title: "Compile a source", read: true, bucket: limit.Compile, time: compileTime, form: scene.CompileForm,
		help: "Compile a source of the scene language to a target of list_targets: a page (html), a model (glb, usd, obj), a robot (urdf) and more. " +
			"Says what the target cannot carry in losses.",
		output: scene.CompileReply{},
		run: func(ctx context.Context, s *service.Service, _ call.Caller, v call.Values, _ string) (any, error) {
			return s.Scenes.Compile(ctx, v)
		},
	},
	{
		name: "list_targets", title: "List compile targets", read: true, bucket: limit.Read, form: call.Form{},
		help: "What sources can be compiled to, with the files, options and features of each target.", output: scene.TargetsReply{},
		run: func(_ context.Context, s *service.Service, _ call.Caller, _ call.Values, _ string) (any, error) {
			return s.Scenes.Targets(), nil
		},
	},
	{
		name: "render_scene", size: maxSource, title: "Draw a scene", read: true, bucket: limit.Render, time: renderTime, form: scene.RenderForm,
		help:   "Draw a source in software: png, an svg plan, or a gif that goes around it. The picture comes in base64 and at a link for a day.",
		output: scene.RenderReply{},
		run: func(ctx context.Context, s *service.Service, _ call.Caller, v call.Values, _ string) (any, error) {
			return s.Scenes.Render(ctx, v)
		},
	},
}
