// A colour as it is written: sRGB, from 0 to 1.
typealias Ink = SIMD4<Float>

func uiColor(_ c: Ink) -> UIColor { return UIColor(red: CGFloat(c.x), green: CGFloat(c.y), blue: CGFloat(c.z), alpha: 1) }

// LookForm is how a surface looks. Pictures are files of the bundle.
struct LookForm {
    var color: Ink = Ink(1, 1, 1, 1)
    var metallic: Float = 0
    var roughness: Float = 0.5
    var glow: Ink = Ink(0, 0, 0, 1)
    var glows: Float = 0
    var specular: Float = 0.5
    var blend: Bool = false
    var mask: Bool = false
    var twoSided: Bool = false
    var unlit: Bool = false
    var colorPicture: String = ""
    var normalPicture: String = ""
    var surfacePicture: String = "" // occlusion, roughness and metal in red, green and blue
    var glowPicture: String = ""
}

extension Stage {
    // look adds a look; they are counted from 0.
    func look(
        color: Ink, metallic: Float = 0, roughness: Float = 0.5, glow: Ink = Ink(0, 0, 0, 1), glows: Float = 0, specular: Float = 0.5, blend: Bool = false,
        mask: Bool = false, twoSided: Bool = false, unlit: Bool = false, colorPicture: String = "", normalPicture: String = "", surfacePicture: String = "",
        glowPicture: String = ""
    ) {
        looks.append(LookForm(
            color: color, metallic: metallic, roughness: roughness, glow: glow, glows: glows, specular: specular, blend: blend, mask: mask,
            twoSided: twoSided, unlit: unlit, colorPicture: colorPicture, normalPicture: normalPicture, surfacePicture: surfacePicture,
            glowPicture: glowPicture))
    }

    func picture(_ path: String) -> CGImage? {
        guard let url: URL = file(path), let source: CGImageSource = CGImageSourceCreateWithURL(url as CFURL, nil) else { return nil }
        return CGImageSourceCreateImageAtIndex(source, 0, nil)
    }

    func texture(_ image: CGImage?, _ semantic: TextureResource.Semantic) -> MaterialParameters.Texture? {
        guard let given: CGImage = image else { return nil }
        guard let made: TextureResource = try? TextureResource(image: given, options: TextureResource.CreateOptions(semantic: semantic)) else { return nil }
        return MaterialParameters.Texture(made)
    }

    // pictured is a picture of the bundle, or one of its colours, as a texture. Each
    // is read once.
    func pictured(_ path: String, _ semantic: TextureResource.Semantic, _ which: Int = -1) -> MaterialParameters.Texture? {
        if path.isEmpty { return nil }
        let key: String = "\(path) \(which)"
        if let known: MaterialParameters.Texture = textures[key] { return known }
        let whole: CGImage? = picture(path)
        let made: MaterialParameters.Texture? = texture(which < 0 ? whole : channel(whole, which), semantic)
        textures[key] = made
        return made
    }

    // channel is one of the colours of a picture, 0 being red, as a grey picture.
    func channel(_ image: CGImage?, _ which: Int) -> CGImage? {
        guard let given: CGImage = image else { return nil }
        let wide: Int = given.width
        let tall: Int = given.height
        var pixels: [UInt8] = Array(repeating: 0, count: wide * tall * 4)
        let space: CGColorSpace = CGColorSpaceCreateDeviceRGB()
        let drawn: Bool = pixels.withUnsafeMutableBytes { (raw: UnsafeMutableRawBufferPointer) -> Bool in
            guard let context: CGContext = CGContext(
                data: raw.baseAddress, width: wide, height: tall, bitsPerComponent: 8, bytesPerRow: wide * 4, space: space,
                bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
            else { return false }
            context.draw(given, in: CGRect(x: 0, y: 0, width: wide, height: tall))
            return true
        }
        if !drawn { return nil }
        var grey: [UInt8] = Array(repeating: 0, count: wide * tall)
        for i in 0..<(wide * tall) { grey[i] = pixels[i * 4 + which] }
        guard let provider: CGDataProvider = CGDataProvider(data: Data(grey) as CFData) else { return nil }
        return CGImage(
            width: wide, height: tall, bitsPerComponent: 8, bitsPerPixel: 8, bytesPerRow: wide, space: CGColorSpaceCreateDeviceGray(),
            bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue), provider: provider, decode: nil, shouldInterpolate: true,
            intent: CGColorRenderingIntent.defaultIntent)
    }

    // material is what the engine draws a look with.
    func material(_ l: LookForm) -> any RealityKit.Material {
        if l.unlit {
            var m: UnlitMaterial = UnlitMaterial()
            m.color = UnlitMaterial.BaseColor(tint: uiColor(l.color), texture: pictured(l.colorPicture, .color))
            if l.blend { m.blending = .transparent(opacity: .init(scale: l.color.w)) }
            return m
        }
        var m: PhysicallyBasedMaterial = PhysicallyBasedMaterial()
        m.baseColor = PhysicallyBasedMaterial.BaseColor(tint: uiColor(l.color), texture: pictured(l.colorPicture, .color))
        m.roughness = PhysicallyBasedMaterial.Roughness(scale: l.roughness, texture: pictured(l.surfacePicture, .raw, 1))
        m.metallic = PhysicallyBasedMaterial.Metallic(scale: l.metallic, texture: pictured(l.surfacePicture, .raw, 2))
        m.specular = PhysicallyBasedMaterial.Specular(scale: l.specular)
        if l.glows > 0 {
            m.emissiveColor = PhysicallyBasedMaterial.EmissiveColor(color: uiColor(l.glow), texture: pictured(l.glowPicture, .color))
            m.emissiveIntensity = l.glows
        }
        if let t: MaterialParameters.Texture = pictured(l.normalPicture, .normal) { m.normal = PhysicallyBasedMaterial.Normal(texture: t) }
        if let t: MaterialParameters.Texture = pictured(l.surfacePicture, .raw, 0) {
            m.ambientOcclusion = PhysicallyBasedMaterial.AmbientOcclusion(texture: t)
        }
        if l.blend { m.blending = .transparent(opacity: .init(scale: l.color.w)) }
        if l.mask { m.opacityThreshold = 0.5 }
        if l.twoSided { m.faceCulling = .none }
        return m
    }

    // form adds a shape that the engine does not have: its points, normals, places on
    // a picture and triangles, as numbers in base 64. They are counted from 0.
    func form(points: String, normals: String, places: String, order: String) {
        var d: MeshDescriptor = MeshDescriptor(name: "form\(forms.count)")
        d.positions = MeshBuffers.Positions(triples(points))
        let n: [SIMD3<Float>] = triples(normals)
        if !n.isEmpty { d.normals = MeshBuffers.Normals(n) }
        let uv: [Float] = floats(places)
        if !uv.isEmpty {
            var pairs: [SIMD2<Float>] = []
            for i in 0..<(uv.count / 2) { pairs.append(SIMD2<Float>(uv[2 * i], uv[2 * i + 1])) }
            d.textureCoordinates = MeshBuffers.TextureCoordinates(pairs)
        }
        d.primitives = .triangles(words(order))
        if let m: MeshResource = try? MeshResource.generate(from: [d]) {
            forms.append(m)
        } else {
            forms.append(MeshResource.generateBox(size: 0.001))
        }
    }

    func words(_ text: String) -> [UInt32] {
        let bytes: [UInt8] = Array(Data(base64Encoded: text) ?? Data())
        var out: [UInt32] = []
        for i in 0..<(bytes.count / 4) {
            let low: UInt32 = UInt32(bytes[4 * i]) | UInt32(bytes[4 * i + 1]) << 8
            let high: UInt32 = UInt32(bytes[4 * i + 2]) << 16 | UInt32(bytes[4 * i + 3]) << 24
            out.append(low | high)
        }
        return out
    }

    func floats(_ text: String) -> [Float] {
        var out: [Float] = []
        for w in words(text) { out.append(Float(bitPattern: w)) }
        return out
    }

    func triples(_ text: String) -> [SIMD3<Float>] {
        let f: [Float] = floats(text)
        var out: [SIMD3<Float>] = []
        for i in 0..<(f.count / 3) { out.append(SIMD3<Float>(f[3 * i], f[3 * i + 1], f[3 * i + 2])) }
        return out
    }

    // wear gives a node a shape and a look.
    private func wear(_ id: String, _ mesh: MeshResource, _ look: Int) {
        guard let n: StageNode = nodes[id] else { return }
        n.look = looks[look]
        n.entity.model = ModelComponent(mesh: mesh, materials: [material(looks[look])])
    }

    func box(_ id: String, size: SIMD3<Float>, look: Int) { wear(id, MeshResource.generateBox(size: size), look) }

    func ball(_ id: String, radius: Float, look: Int) { wear(id, MeshResource.generateSphere(radius: radius), look) }

    func shape(_ id: String, form: Int, look: Int) { wear(id, forms[form], look) }
}
