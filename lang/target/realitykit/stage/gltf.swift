// GLTFReader reads the nodes, triangles and looks of a glTF 2.0 file. Its skins,
// morphs, cameras, lights and animations are left out.
@MainActor
struct GLTFReader {
    private let document: Value
    private let folder: URL
    private var buffers: [Data] = []
    private var models: [Int: [ModelEntity]] = [:]

    init(_ url: URL) throws {
        folder = url.deletingLastPathComponent()
        let raw: Data = try Data(contentsOf: url)
        var text: Data = raw
        var binary: Data = Data()
        if raw.count >= 20 && raw[0] == 0x67 && raw[1] == 0x6c && raw[2] == 0x54 && raw[3] == 0x46 {
            let length: Int = GLTFReader.whole(raw, 12)
            if 20 + length > raw.count { throw ModelFault(text: "the file is cut off") }
            text = raw.subdata(in: 20..<(20 + length))
            let next: Int = 20 + length
            if next + 8 <= raw.count {
                let size: Int = min(GLTFReader.whole(raw, next), raw.count - next - 8)
                binary = raw.subdata(in: (next + 8)..<(next + 8 + size))
            }
        }
        guard let words: String = String(data: text, encoding: String.Encoding.utf8),
            let v: Value = JSONReader.read(words, depth: 256, most: 10_000_000)
        else { throw ModelFault(text: "it is no glTF") }
        document = v
        for b in itemsField(v, "buffers") {
            let uri: String = textField(b, "uri")
            if uri.isEmpty {
                buffers.append(binary)
            } else {
                buffers.append(try GLTFReader.bytes(uri, folder))
            }
        }
    }

    private static func whole(_ d: Data, _ at: Int) -> Int {
        return Int(d[at]) | Int(d[at + 1]) << 8 | Int(d[at + 2]) << 16 | Int(d[at + 3]) << 24
    }

    private static func bytes(_ uri: String, _ folder: URL) throws -> Data {
        if uri.hasPrefix("data:") {
            let parts: [String] = uri.components(separatedBy: ",")
            if parts.count == 2, let d: Data = Data(base64Encoded: parts[1]) { return d }
            throw ModelFault(text: "a buffer cannot be read")
        }
        if uri.contains(":") || uri.contains("..") { throw ModelFault(text: "a buffer lies elsewhere") }
        return try Data(contentsOf: folder.appendingPathComponent(uri.removingPercentEncoding ?? uri))
    }

    // scene is everything that the file shows.
    mutating func scene(_ stage: Stage) throws -> Entity {
        let out: Entity = Entity()
        let scenes: [Value] = itemsField(document, "scenes")
        let chosen: Int = wholeField(document, "scene", 0)
        if chosen < scenes.count {
            for i in wholes(itemsField(scenes[chosen], "nodes")) { out.addChild(try node(i, stage, 0)) }
        }
        return out
    }

    private mutating func node(_ i: Int, _ stage: Stage, _ depth: Int) throws -> Entity {
        let all: [Value] = itemsField(document, "nodes")
        if i < 0 || i >= all.count || depth > 200 { throw ModelFault(text: "its nodes are wrong") }
        let v: Value = all[i]
        let e: Entity = Entity()
        let m: [Float] = reals(v, "matrix")
        if m.count == 16 {
            let a: SIMD4<Float> = SIMD4<Float>(m[0], m[1], m[2], m[3])
            let b: SIMD4<Float> = SIMD4<Float>(m[4], m[5], m[6], m[7])
            let c: SIMD4<Float> = SIMD4<Float>(m[8], m[9], m[10], m[11])
            let d: SIMD4<Float> = SIMD4<Float>(m[12], m[13], m[14], m[15])
            e.transform = Transform(matrix: simd_float4x4(columns: (a, b, c, d)))
        } else {
            let t: [Float] = reals(v, "translation")
            let r: [Float] = reals(v, "rotation")
            let s: [Float] = reals(v, "scale")
            if t.count == 3 { e.position = SIMD3<Float>(t[0], t[1], t[2]) }
            if r.count == 4 { e.orientation = simd_quatf(ix: r[0], iy: r[1], iz: r[2], r: r[3]) }
            if s.count == 3 { e.scale = SIMD3<Float>(s[0], s[1], s[2]) }
        }
        let mesh: Int = wholeField(v, "mesh", -1)
        if mesh >= 0 {
            if models[mesh] == nil { models[mesh] = try parts(mesh, stage) }
            for p in (models[mesh] ?? []) { e.addChild(p.clone(recursive: true)) }
        }
        for c in wholes(itemsField(v, "children")) { e.addChild(try node(c, stage, depth + 1)) }
        return e
    }

    private func reals(_ v: Value, _ key: String) -> [Float] {
        var out: [Float] = []
        for x in itemsField(v, key) { out.append(Float(x.asDouble ?? 0)) }
        return out
    }

    private func parts(_ mesh: Int, _ stage: Stage) throws -> [ModelEntity] {
        let all: [Value] = itemsField(document, "meshes")
        if mesh >= all.count { throw ModelFault(text: "its meshes are wrong") }
        var out: [ModelEntity] = []
        for p in itemsField(all[mesh], "primitives") {
            if wholeField(p, "mode", 4) != 4 { continue }
            let attributes: Value = fieldOf(p, "attributes")
            let points: [SIMD3<Float>] = try vectors(wholeField(attributes, "POSITION", -1))
            if points.isEmpty { continue }
            var order: [UInt32] = []
            let indices: Int = wholeField(p, "indices", -1)
            if indices >= 0 {
                for x in try accessor(indices).0 {
                    if !(x >= 0 && x < Float(points.count)) { throw ModelFault(text: "its triangles are wrong") }
                    order.append(UInt32(x))
                }
            } else {
                for i in 0..<points.count { order.append(UInt32(i)) }
            }
            var d: MeshDescriptor = MeshDescriptor(name: "part")
            d.positions = MeshBuffers.Positions(points)
            let normals: Int = wholeField(attributes, "NORMAL", -1)
            var directions: [SIMD3<Float>] = []
            if normals >= 0 { directions = try vectors(normals) }
            if directions.count != points.count { directions = normalsOf(points, order) }
            d.normals = MeshBuffers.Normals(directions)
            let places: Int = wholeField(attributes, "TEXCOORD_0", -1)
            var flat: [Float] = []
            if places >= 0 { flat = try accessor(places).0 }
            if flat.count == 2 * points.count {
                var pairs: [SIMD2<Float>] = []
                for i in 0..<(flat.count / 2) { pairs.append(SIMD2<Float>(flat[2 * i], 1 - flat[2 * i + 1])) }
                d.textureCoordinates = MeshBuffers.TextureCoordinates(pairs)
            }
            d.primitives = .triangles(order)
            let look: any RealityKit.Material = try surface(wholeField(p, "material", -1), stage)
            out.append(ModelEntity(mesh: try MeshResource.generate(from: [d]), materials: [look]))
        }
        return out
    }

    private func vectors(_ i: Int) throws -> [SIMD3<Float>] {
        let (flat, width): ([Float], Int) = try accessor(i)
        if width != 3 { throw ModelFault(text: "its points are wrong") }
        var out: [SIMD3<Float>] = []
        for k in 0..<(flat.count / 3) { out.append(SIMD3<Float>(flat[3 * k], flat[3 * k + 1], flat[3 * k + 2])) }
        return out
    }

    // accessor are the numbers of an accessor, with how many belong together.
    private func accessor(_ i: Int) throws -> ([Float], Int) {
        let all: [Value] = itemsField(document, "accessors")
        let views: [Value] = itemsField(document, "bufferViews")
        if i < 0 || i >= all.count { throw ModelFault(text: "its numbers are wrong") }
        let a: Value = all[i]
        let view: Int = wholeField(a, "bufferView", -1)
        if view < 0 || view >= views.count { throw ModelFault(text: "its numbers are packed in a way that is not read") }
        let buffer: Int = wholeField(views[view], "buffer", 0)
        if buffer < 0 || buffer >= buffers.count { throw ModelFault(text: "its buffers are wrong") }
        let data: Data = buffers[buffer]
        let widths: [String: Int] = ["SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4]
        let sizes: [Int: Int] = [5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4]
        let kind: Int = wholeField(a, "componentType", 5126)
        guard let width: Int = widths[textField(a, "type")], let size: Int = sizes[kind] else { throw ModelFault(text: "its numbers are of another kind") }
        let count: Int = wholeField(a, "count", 0)
        let start: Int = wholeField(views[view], "byteOffset", 0) + wholeField(a, "byteOffset", 0)
        let stride: Int = wholeField(views[view], "byteStride", width * size)
        if count > data.count || stride > data.count { throw ModelFault(text: "its numbers are cut off") }
        let last: Int = start + (count - 1) * stride + width * size
        if count < 1 || start < 0 || stride < width * size || last > data.count { throw ModelFault(text: "its numbers are cut off") }
        let normalized: Bool = flagField(a, "normalized")
        var out: [Float] = []
        out.reserveCapacity(count * width)
        for k in 0..<count {
            for c in 0..<width {
                out.append(number(data, start + k * stride + c * size, kind, normalized))
            }
        }
        return (out, width)
    }

    private func number(_ d: Data, _ at: Int, _ kind: Int, _ normalized: Bool) -> Float {
        switch kind {
        case 5120:
            let x: Float = Float(Int8(bitPattern: d[at]))
            return normalized ? max(x / 127, -1) : x
        case 5121:
            let x: Float = Float(d[at])
            return normalized ? x / 255 : x
        case 5122:
            let x: Float = Float(Int16(bitPattern: UInt16(d[at]) | UInt16(d[at + 1]) << 8))
            return normalized ? max(x / 32767, -1) : x
        case 5123:
            let x: Float = Float(UInt16(d[at]) | UInt16(d[at + 1]) << 8)
            return normalized ? x / 65535 : x
        case 5125: return Float(GLTFReader.whole(d, at))
        default: return Float(bitPattern: UInt32(GLTFReader.whole(d, at)))
        }
    }

    private func surface(_ i: Int, _ stage: Stage) throws -> any RealityKit.Material {
        let all: [Value] = itemsField(document, "materials")
        var l: LookForm = LookForm()
        if i < 0 || i >= all.count { return stage.material(l) }
        let v: Value = all[i]
        let metal: Value = fieldOf(v, "pbrMetallicRoughness")
        let color: [Float] = reals(metal, "baseColorFactor")
        // Factors are linear; looks are written as people see them.
        if color.count == 4 { l.color = Ink(seen(color[0]), seen(color[1]), seen(color[2]), color[3]) }
        l.metallic = Float(numberField(metal, "metallicFactor", 1))
        l.roughness = Float(numberField(metal, "roughnessFactor", 1))
        let glow: [Float] = reals(v, "emissiveFactor")
        if glow.count == 3 && glow[0] + glow[1] + glow[2] > 0 {
            l.glow = Ink(seen(glow[0]), seen(glow[1]), seen(glow[2]), 1)
            l.glows = 1
        }
        l.blend = textField(v, "alphaMode") == "BLEND"
        l.mask = textField(v, "alphaMode") == "MASK"
        l.twoSided = flagField(v, "doubleSided")
        let plain: any RealityKit.Material = stage.material(l)
        guard var m: PhysicallyBasedMaterial = plain as? PhysicallyBasedMaterial else { return plain }
        if let t: MaterialParameters.Texture = stage.texture(try image(fieldOf(metal, "baseColorTexture")), .color) {
            m.baseColor = PhysicallyBasedMaterial.BaseColor(tint: uiColor(l.color), texture: t)
        }
        let both: CGImage? = try image(fieldOf(metal, "metallicRoughnessTexture"))
        if let t: MaterialParameters.Texture = stage.texture(stage.channel(both, 1), .raw) {
            m.roughness = PhysicallyBasedMaterial.Roughness(scale: l.roughness, texture: t)
        }
        if let t: MaterialParameters.Texture = stage.texture(stage.channel(both, 2), .raw) {
            m.metallic = PhysicallyBasedMaterial.Metallic(scale: l.metallic, texture: t)
        }
        if let t: MaterialParameters.Texture = stage.texture(try image(fieldOf(v, "normalTexture")), .normal) {
            m.normal = PhysicallyBasedMaterial.Normal(texture: t)
        }
        return m
    }

    private func seen(_ x: Float) -> Float { return x <= 0.0031308 ? x * 12.92 : 1.055 * pow(x, 1 / 2.4) - 0.055 }

    private func image(_ use: Value) throws -> CGImage? {
        let textures: [Value] = itemsField(document, "textures")
        let images: [Value] = itemsField(document, "images")
        let views: [Value] = itemsField(document, "bufferViews")
        let t: Int = wholeField(use, "index", -1)
        if t < 0 || t >= textures.count { return nil }
        let i: Int = wholeField(textures[t], "source", -1)
        if i < 0 || i >= images.count { return nil }
        var data: Data = Data()
        let view: Int = wholeField(images[i], "bufferView", -1)
        if view >= 0 && view < views.count {
            let buffer: Int = wholeField(views[view], "buffer", 0)
            let start: Int = wholeField(views[view], "byteOffset", 0)
            let length: Int = wholeField(views[view], "byteLength", 0)
            if buffer < 0 || buffer >= buffers.count || start < 0 || length < 0 || start + length > buffers[buffer].count { return nil }
            data = buffers[buffer].subdata(in: start..<(start + length))
        } else {
            data = try GLTFReader.bytes(textField(images[i], "uri"), folder)
        }
        guard let source: CGImageSource = CGImageSourceCreateWithData(data as CFData, nil) else { return nil }
        return CGImageSourceCreateImageAtIndex(source, 0, nil)
    }
}
