package realitykit

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// howTo are the lines that say what to do with the files.
func (w *writer) howTo() string {
	system := "iOS 18"
	if w.vision {
		system = "visionOS 2"
	}
	return fmt.Sprintf(`// %s
//
// Put all files into the folder of a new Xcode application for %s in the place of
// its own sources, take Info.plist for its property list, and add the files that
// the scene names as a folder reference "Assets". Metres, Y up, right-handed.
`, unproven, system)
}

// sceneView is SceneView.swift: the scene and the view that shows it.
func (w *writer) sceneView() ([]byte, error) {
	program, nodes, controls, err := w.documents()
	if err != nil {
		return nil, err
	}
	w.flush()
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s\n%s\n", w.in.Header(), w.howTo())
	b.WriteString("import Foundation\nimport RealityKit\nimport SwiftUI\n")
	if !w.vision {
		b.WriteString("import ARKit\nimport Combine\nimport UIKit\n")
	}
	b.WriteString("import simd\n")
	fmt.Fprintf(&b, "\n// What happens in the scene, as program/1; empty where nothing does.\nlet programDocument: String = %s\n", program)
	fmt.Fprintf(&b, "\n// The nodes as the program sees them: id, parent, name, properties.\nlet nodeDocument: String = %s\n", nodes)
	fmt.Fprintf(&b, "\n// The controls.\nlet controlDocument: String = %s\n", controls)
	b.WriteString("\n// prepare builds the scene once and begins it.\n@MainActor\nfunc prepare(_ s: Stage) async {\n    if s.built { return }\n    s.built = true\n")
	for i := range w.parts {
		fmt.Fprintf(&b, "    part%d(s)\n", i)
	}
	for i, c := range w.copies {
		fmt.Fprintf(&b, "    s.prototypes[%s] = prototype%d\n", quoted(c.id), i)
	}
	gravity := scene.DefaultGravity
	if w.s.Environment.Gravity != nil {
		gravity = *w.s.Environment.Gravity
	}
	fmt.Fprintf(&b, "    s.gravity(%s)\n", triple(gravity))
	if w.vision {
		fmt.Fprintf(&b, "    s.root.position = SIMD3<Float>(0, 0, %s)\n", float(-w.in.Options.Number("distance")))
	}
	for _, l := range w.later {
		fmt.Fprintf(&b, "    %s\n", l)
	}
	if colors, strength := w.surroundings(); len(colors) > 0 {
		fmt.Fprintf(&b, "    await s.surround([%s], %s)\n", strings.Join(colors, ", "), float(strength))
	}
	if w.full() {
		fmt.Fprintf(&b, "    %s\n", w.backdrop())
	}
	if w.vision && (w.hands || w.planes) {
		var what []string
		if w.hands {
			what = append(what, ".hand")
		}
		if w.planes {
			what = append(what, ".plane")
		}
		fmt.Fprintf(&b, `    let session: SpatialTrackingSession = SpatialTrackingSession()
    _ = await session.run(SpatialTrackingSession.Configuration(tracking: [%s]))
    s.keepers.append(session)
`, strings.Join(what, ", "))
	}
	b.WriteString("    s.begin(programDocument, nodeDocument)\n}\n")
	for i, p := range w.parts {
		fmt.Fprintf(&b, "\n@MainActor\nprivate func part%d(_ s: Stage) {\n%s}\n", i, p)
	}
	for i, c := range w.copies {
		fmt.Fprintf(&b, "\n@MainActor\nprivate func prototype%d(_ s: Stage, _ id: String, _ above: String) {\n%s}\n", i, c.body)
	}
	if w.vision {
		b.WriteString("\n" + part("view", "visionos"))
		return b.Bytes(), nil
	}
	b.WriteString("\n" + part("view", "ios") + "\n" + w.placement())
	return b.Bytes(), nil
}

// placement is the function that says where in the room the scene stands.
func (w *writer) placement() string {
	if w.in.Options.Text("placement") == "world" {
		return `// sceneAnchor is where the scene stands: where the device was when it began.
@MainActor
func sceneAnchor() -> AnchorEntity {
    return AnchorEntity(world: SIMD3<Float>(0, 0, 0))
}
`
	}
	return `// sceneAnchor is where the scene stands: on the first level surface that the
// device finds, or before a device that finds none.
@MainActor
func sceneAnchor() -> AnchorEntity {
    if !ARWorldTrackingConfiguration.isSupported { return AnchorEntity(world: SIMD3<Float>(0, 0, -2)) }
    return AnchorEntity(.plane(.horizontal, classification: .any, minimumBounds: SIMD2<Float>(0.2, 0.2)))
}
`
}

// title is what the scene is called.
func (w *writer) title() string { return cmp.Or(xmlText(w.s.Name), "Scene") }

// app is App.swift.
func (w *writer) app() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// %s\n// %s\n\nimport RealityKit\nimport SwiftUI\n\n", w.in.Header(), unproven)
	fmt.Fprintf(&b, "let sceneTitle: String = %s\n", quoted(w.title()))
	if w.vision {
		style := map[string]string{"mixed": "MixedImmersionStyle.mixed", "full": "FullImmersionStyle.full"}[w.in.Options.Text("immersion")]
		short := strings.TrimPrefix(style[strings.Index(style, "."):], ".")
		fmt.Fprintf(&b, "\n%s", strings.NewReplacer("STYLE", short).Replace(visionApp))
		return b.Bytes()
	}
	b.WriteString("\n" + phoneApp)
	return b.Bytes()
}

const visionApp = `@main
struct SceneApplication: App {
    @StateObject private var stage: Stage = Stage()
    @State private var style: any ImmersionStyle = .STYLE

    var body: some SwiftUI.Scene {
        WindowGroup(id: "controls") {
            HomeView(stage: stage)
        }
        .defaultSize(width: 480, height: 560)

        ImmersiveSpace(id: "scene") {
            SceneView(stage: stage)
        }
        .immersionStyle(selection: $style, in: .STYLE)
    }
}

// HomeView is the window: it opens the space and holds the controls.
struct HomeView: View {
    @ObservedObject var stage: Stage
    @Environment(\.openImmersiveSpace) private var openSpace
    @Environment(\.dismissImmersiveSpace) private var dismissSpace
    @State private var open: Bool = false
    @State private var busy: Bool = false
    private let items: [ControlItem] = ControlItem.read(controlDocument)

    var body: some View {
        VStack(spacing: 16) {
            Text(sceneTitle).font(.title)
            Button(action: { change() }) { Text(open ? "Leave the scene" : "Enter the scene") }
                .disabled(busy)
            if !items.isEmpty { ControlsView(stage: stage, items: items) }
            if let line: SaidLine = stage.said.last {
                Text(line.text).font(.footnote).foregroundStyle(.secondary)
            }
        }
        .padding()
    }

    private func change() {
        busy = true
        Task { @MainActor in
            if open {
                await dismissSpace()
                open = false
            } else {
                let result: OpenImmersiveSpaceAction.Result = await openSpace(id: "scene")
                if case .opened = result { open = true }
            }
            busy = false
        }
    }
}
`

const phoneApp = `@main
struct SceneApplication: App {
    @StateObject private var stage: Stage = Stage()

    var body: some SwiftUI.Scene {
        WindowGroup {
            HomeView(stage: stage)
        }
    }
}

// HomeView is the one screen: the scene in the room, the controls over it.
struct HomeView: View {
    @ObservedObject var stage: Stage
    private let items: [ControlItem] = ControlItem.read(controlDocument)

    var body: some View {
        ZStack(alignment: .bottomLeading) {
            SceneView(stage: stage)
                .ignoresSafeArea()
                .accessibilityLabel(Text(sceneTitle))
            VStack(alignment: .leading, spacing: 8) {
                if let line: SaidLine = stage.said.last {
                    Text(line.text).font(.footnote).padding(8).background(.thinMaterial)
                }
                if !items.isEmpty {
                    ControlsView(stage: stage, items: items)
                        .frame(maxHeight: 260)
                        .background(.thinMaterial)
                }
            }
            .padding()
        }
    }
}
`

// plist is Info.plist: what the application is and what it asks the system for,
// which is no more than the scene uses.
func (w *writer) plist() []byte {
	var d artefact.XML
	d.Begin(w.in.Header())
	d.Open("plist", "version", "1.0")
	d.Open("dict")
	text := func(key, value string) {
		d.Text("key", key)
		d.Text("string", value)
	}
	yes := func(key string) {
		d.Text("key", key)
		d.Empty("true")
	}
	text("CFBundleDevelopmentRegion", "en")
	text("CFBundleDisplayName", w.title())
	text("CFBundleExecutable", "$(EXECUTABLE_NAME)")
	text("CFBundleIdentifier", "$(PRODUCT_BUNDLE_IDENTIFIER)")
	text("CFBundleInfoDictionaryVersion", "6.0")
	text("CFBundleName", "$(PRODUCT_NAME)")
	text("CFBundlePackageType", "APPL")
	text("CFBundleShortVersionString", "1.0")
	text("CFBundleVersion", "1")
	if w.vision {
		d.Text("key", "UIApplicationSceneManifest")
		d.Open("dict")
		text("UIApplicationPreferredDefaultSceneSessionRole", "UIWindowSceneSessionRoleApplication")
		yes("UIApplicationSupportsMultipleScenes")
		d.Close("dict")
		if w.hands {
			text("NSHandsTrackingUsageDescription", "The scene holds things at your hands.")
		}
		if w.planes {
			text("NSWorldSensingUsageDescription", "The scene places things on the surfaces around you.")
		}
	} else {
		yes("LSRequiresIPhoneOS")
		text("NSCameraUsageDescription", "The camera shows the room in which the scene stands.")
		d.Text("key", "UILaunchScreen")
		d.Empty("dict")
		d.Text("key", "UIRequiredDeviceCapabilities")
		d.Open("array")
		d.Text("string", "arkit")
		d.Close("array")
	}
	d.Close("dict")
	d.Close("plist")
	return d.Bytes()
}
