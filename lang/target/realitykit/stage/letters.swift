// LetterForm is a text at a node.
struct LetterForm {
    let size: Float // height of a capital
    let align: String
    let ink: Ink
    let front: Float
    let unlit: Bool
}

extension Stage {
    // letters writes a text at a node. On a solid it stands in front of it.
    func letters(_ id: String, text: String, size: Float, align: String, ink: Ink, front: Float, unlit: Bool) {
        nodes[id]?.letters = LetterForm(size: size, align: align, ink: ink, front: front, unlit: unlit)
        write(id, text)
    }

    // write shows another text at a node.
    func write(_ id: String, _ text: String) {
        guard let n: StageNode = nodes[id] else { return }
        n.written?.removeFromParent()
        n.written = nil
        n.text = text
        if text.isEmpty { return }
        let f: LetterForm = n.letters ?? LetterForm(size: 0.1, align: "center", ink: Ink(1, 1, 1, 1), front: 0.001, unlit: true)
        let unit: UIFont = UIFont.systemFont(ofSize: 1)
        let font: UIFont = UIFont.systemFont(ofSize: CGFloat(f.size) / unit.capHeight)
        var alignment: CTTextAlignment = CTTextAlignment.center
        if f.align == "left" { alignment = CTTextAlignment.left }
        if f.align == "right" { alignment = CTTextAlignment.right }
        let mesh: MeshResource = MeshResource.generateText(
            text, extrusionDepth: f.size * 0.02, font: font, containerFrame: CGRect.zero, alignment: alignment, lineBreakMode: CTLineBreakMode.byWordWrapping)
        var look: LookForm = LookForm()
        look.color = f.ink
        look.unlit = f.unlit
        let e: ModelEntity = ModelEntity(mesh: mesh, materials: [material(look)])
        let low: SIMD3<Float> = mesh.bounds.min
        let high: SIMD3<Float> = mesh.bounds.max
        var x: Float = -(low.x + high.x) / 2
        if f.align == "left" { x = -low.x }
        if f.align == "right" { x = -high.x }
        e.position = SIMD3<Float>(x, -(low.y + high.y) / 2, f.front)
        n.entity.addChild(e)
        n.written = e
    }
}
