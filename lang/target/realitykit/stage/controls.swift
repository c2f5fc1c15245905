// ControlItem is a control of the scene: panel, section, text, button, slider,
// checkbox, dropdown, input, progress or image.
struct ControlItem: Identifiable {
    let id: Int
    let kind: String
    let name: String // of its events
    let label: String
    let bind: String
    let value: Value
    let params: Value
    let children: [ControlItem]

    init(_ v: Value, _ id: Int) {
        self.id = id
        kind = textField(v, "kind")
        label = textField(v, "label")
        let own: String = textField(v, "id")
        name = own.isEmpty ? label : own
        bind = textField(v, "bind")
        value = fieldOf(v, "value")
        params = fieldOf(v, "params")
        var list: [ControlItem] = []
        for (i, c) in itemsField(v, "children").enumerated() { list.append(ControlItem(c, id * 100 + i + 1)) }
        children = list
    }

    static func read(_ document: String) -> [ControlItem] {
        guard let v: Value = JSONReader.read(document, depth: 256, most: 100_000), case .list(let l) = v else { return [] }
        var out: [ControlItem] = []
        for (i, c) in l.items.enumerated() { out.append(ControlItem(c, i + 1)) }
        return out
    }
}

// saidOf is a value as controls show it: numbers with two digits at most.
func saidOf(_ v: Value) -> String {
    switch v {
    case .null: return ""
    case .number(let x): return formatNumber((x * 100 + 0.5).rounded(.down) / 100)
    default: return textOf(v)
    }
}

// filled is a text whose ${key} are state keys.
func filled(_ text: String, _ values: [String: Value]) -> String {
    var out: String = ""
    var rest: Substring = Substring(text)
    while let open: Range<Substring.Index> = rest.range(of: "${") {
        out += String(rest[rest.startIndex..<open.lowerBound])
        let behind: Substring = rest[open.upperBound..<rest.endIndex]
        guard let close: Range<Substring.Index> = behind.range(of: "}") else { return out + "${" + String(behind) }
        var key: String = trimmed(String(behind[behind.startIndex..<close.lowerBound]))
        for start in ["this.", "state."] {
            if key.hasPrefix(start) { key = String(key.dropFirst(start.count)) }
        }
        out += saidOf(values[key] ?? .null)
        rest = behind[close.upperBound..<behind.endIndex]
    }
    return out + String(rest)
}

// ControlsView shows the controls of the scene in one column.
struct ControlsView: View {
    @ObservedObject var stage: Stage
    let items: [ControlItem]

    var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 12) {
                ForEach(items) { (item: ControlItem) in
                    ControlView(stage: stage, item: item)
                }
            }
            .padding()
        }
    }
}

struct ControlView: View {
    @ObservedObject var stage: Stage
    let item: ControlItem
    @State private var typed: String = ""
    @State private var moved: Double = 0
    @State private var marked: Bool = false
    @State private var begun: Bool = false

    private var title: String { return filled(item.label.isEmpty ? item.name : item.label, stage.values) }

    // now is the value that the control shows.
    private var now: Value {
        if !item.bind.isEmpty, let v: Value = stage.values[item.bind] { return v }
        return item.value
    }

    private func changed(_ v: Value) {
        if !item.bind.isEmpty { stage.put(item.bind, v) }
        var f: Fields = Fields()
        f.set("id", .text(item.name))
        f.set("value", v)
        stage.raise(Machine.scene, "change", .table(TableValue(f)))
    }

    var body: some View {
        content
            .onAppear { follow() }
            .onChange(of: textOf(now)) { follow() }
    }

    private func follow() {
        typed = saidOf(now)
        moved = now.asDouble ?? 0
        marked = truthy(now)
        begun = true
    }

    @ViewBuilder
    private var content: some View {
        switch item.kind {
        case "button": button
        case "text": Text(item.bind.isEmpty && !item.label.isEmpty ? title : saidOf(now))
        case "slider": slider
        case "checkbox": Toggle(title, isOn: Binding<Bool>(get: { marked }, set: { (on: Bool) in mark(on) }))
        case "input": field
        case "dropdown": choice
        case "progress": ProgressView(title, value: min(max(now.asDouble ?? 0, 0), most), total: most)
        case "image": picture
        default: group
        }
    }

    private var most: Double { return max(numberField(item.params, "max", item.kind == "progress" ? 1 : 100), 0.000001) }

    private var button: some View {
        Button(action: { press() }) { Text(title.isEmpty ? "Button" : title) }
            .disabled(flagField(item.params, "disabled") || saidOf(fieldOf(item.params, "enabled")) == "false")
    }

    private func press() {
        var f: Fields = Fields()
        f.set("id", .text(item.name))
        stage.raise(Machine.scene, "ui:" + item.name, .table(TableValue(f)))
    }

    private var slider: some View {
        let low: Double = numberField(item.params, "min", 0)
        return HStack {
            Text(title)
            Slider(value: Binding<Double>(get: { moved }, set: { (x: Double) in slide(x) }), in: low...max(most, low + 0.000001))
                .accessibilityLabel(Text(title))
        }
    }

    private func slide(_ x: Double) {
        var to: Double = x
        let step: Double = numberField(item.params, "step", 0)
        let low: Double = numberField(item.params, "min", 0)
        if step > 0 { to = low + ((x - low) / step).rounded() * step }
        if to == moved { return }
        moved = to
        if begun { changed(.number(to)) }
    }

    private func mark(_ on: Bool) {
        marked = on
        changed(.bool(on))
    }

    @ViewBuilder
    private var field: some View {
        let prompt: String = saidOf(fieldOf(item.params, "placeholder"))
        if saidOf(fieldOf(item.params, "type")) == "password" {
            SecureField(prompt.isEmpty ? title : prompt, text: $typed).onSubmit { submit() }.accessibilityLabel(Text(title))
        } else {
            TextField(prompt.isEmpty ? title : prompt, text: $typed).onSubmit { submit() }.accessibilityLabel(Text(title))
        }
    }

    private func submit() {
        if saidOf(fieldOf(item.params, "type")) == "number" {
            changed(.number(readNumber(trimmed(typed)) ?? Double.nan))
        } else {
            changed(.text(typed))
        }
    }

    private var choices: [String] {
        var out: [String] = []
        for v in itemsField(item.params, "options") { out.append(saidOf(v)) }
        return out
    }

    private var choice: some View {
        Picker(title, selection: Binding<String>(get: { typed }, set: { (s: String) in choose(s) })) {
            ForEach(choices, id: \.self) { (s: String) in Text(s).tag(s) }
        }
    }

    private func choose(_ s: String) {
        typed = s
        changed(.text(s))
    }

    @ViewBuilder
    private var picture: some View {
        if let url: URL = stage.find(source), let image: UIImage = UIImage(contentsOfFile: url.path) {
            Image(uiImage: image).resizable().scaledToFit().accessibilityLabel(Text(title))
        } else {
            Text(title.isEmpty ? "Picture" : title)
        }
    }

    private var source: String {
        for key in ["src", "url"] {
            let s: String = textField(item.params, key)
            if !s.isEmpty { return s }
        }
        return item.value.asText ?? ""
    }

    private var group: some View {
        VStack(alignment: .leading, spacing: 8) {
            if !item.label.isEmpty { Text(title).font(.headline) }
            ForEach(item.children) { (c: ControlItem) in
                ControlView(stage: stage, item: c)
            }
        }
    }
}
