// LampForm is a light of a node. Intensity 1 is neutral: 2145.7 lux of the sun, as
// many candela of a lamp.
struct LampForm {
    var kind: String
    var color: Ink
    var intensity: Float
    let range: Float
    let angle: Float // degrees from the axis of a spot to its edge
    let soft: Float // of that edge, from 0 to 1
    let shadow: Bool
}

extension Stage {
    func light(_ id: String, kind: String, color: Ink, intensity: Float, range: Float, angle: Float, soft: Float, shadow: Bool) {
        nodes[id]?.lamp = LampForm(kind: kind, color: color, intensity: intensity, range: range, angle: angle, soft: soft, shadow: shadow)
        shine(id)
    }

    func shine(_ id: String) {
        guard let n: StageNode = nodes[id], let l: LampForm = n.lamp else { return }
        let color: UIColor = uiColor(l.color)
        let neutral: Float = 2145.7078
        switch l.kind {
        case "directional":
            n.entity.components.set(DirectionalLightComponent(color: color, intensity: neutral * l.intensity))
            if l.shadow { n.entity.components.set(DirectionalLightComponent.Shadow()) }
        case "spot", "area":
            let outer: Float = min(l.angle, 89)
            n.entity.components.set(SpotLightComponent(
                color: color, intensity: neutral * Float.pi * l.intensity, innerAngleInDegrees: outer * (1 - l.soft), outerAngleInDegrees: outer,
                attenuationRadius: l.range))
            if l.shadow { n.entity.components.set(SpotLightComponent.Shadow()) }
        default:
            n.entity.components.set(PointLightComponent(color: color, intensity: neutral * 4 * Float.pi * l.intensity, attenuationRadius: l.range))
        }
    }

    // surround lights everything by colours of the sky, the topmost first, where they
    // add light to that of the room. factor says how strong they are.
    func surround(_ colors: [Ink], _ factor: Float) async {
        guard let image: CGImage = gradient(colors) else { return }
        guard let resource: EnvironmentResource = try? await EnvironmentResource(equirectangular: image) else { return }
        let source: Entity = Entity()
        source.components.set(ImageBasedLightComponent(source: .single(resource), intensityExponent: log2(max(factor, 0.001))))
        root.addChild(source)
        sky = source
        receive(root, source)
    }

    // receive lets an entity and all below it be lit by what lights everything.
    func receive(_ entity: Entity, _ source: Entity) {
        entity.components.set(ImageBasedLightReceiverComponent(imageBasedLight: source))
        for c in entity.children { receive(c, source) }
    }

    // gradient is a picture of colours from above to below.
    func gradient(_ colors: [Ink]) -> CGImage? {
        if colors.isEmpty { return nil }
        let wide: Int = 64
        let tall: Int = 32
        var pixels: [UInt8] = []
        for y in 0..<tall {
            let place: Float = Float(y) / Float(tall - 1) * Float(colors.count - 1)
            let i: Int = min(Int(place), max(0, colors.count - 2))
            let u: Float = place - Float(i)
            let a: Ink = colors[i]
            let b: Ink = colors[min(i + 1, colors.count - 1)]
            let c: Ink = a + (b - a) * u
            for _ in 0..<wide {
                pixels.append(UInt8(max(0, min(255, c.x * 255))))
                pixels.append(UInt8(max(0, min(255, c.y * 255))))
                pixels.append(UInt8(max(0, min(255, c.z * 255))))
                pixels.append(255)
            }
        }
        guard let provider: CGDataProvider = CGDataProvider(data: Data(pixels) as CFData) else { return nil }
        return CGImage(
            width: wide, height: tall, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: wide * 4, space: CGColorSpaceCreateDeviceRGB(),
            bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue), provider: provider, decode: nil, shouldInterpolate: true,
            intent: CGColorRenderingIntent.defaultIntent)
    }

    // backdrop is a sky around everything, for a space that shows nothing else.
    func backdrop(_ image: CGImage?) {
        var m: UnlitMaterial = UnlitMaterial()
        m.color = UnlitMaterial.BaseColor(tint: UIColor.white, texture: texture(image, .color))
        let sky: ModelEntity = ModelEntity(mesh: MeshResource.generateSphere(radius: 500), materials: [m])
        sky.scale = SIMD3<Float>(-1, 1, 1) // seen from within
        root.addChild(sky)
    }
}
