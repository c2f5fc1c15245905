// ModelFault is why a model file cannot be shown.
struct ModelFault: Error {
    let text: String
}

extension Stage {
    // model shows a file of the bundle at a node. The engine reads USD and reality
    // files; OBJ, STL and PLY come by Model I/O, glTF by the reader below.
    func model(_ id: String, file path: String) async {
        guard let n: StageNode = nodes[id], let url: URL = file(path) else { return }
        do {
            let made: Entity = try await load(url)
            n.entity.addChild(made)
            for a in made.availableAnimations { made.playAnimation(a.repeat()) }
            reach(id)
        } catch {
            say(id, "the model \(path) cannot be shown: \((error as? ModelFault)?.text ?? error.localizedDescription)", true)
        }
    }

    // reach lets a model be pointed at, as part of the nodes around it.
    private func reach(_ id: String) {
        var at: String = id
        while let n: StageNode = nodes[at] {
            if n.entity.components[InputTargetComponent.self] != nil { touch(at, grab: grabs.contains(at)) }
            at = n.above
        }
    }

    private func load(_ url: URL) async throws -> Entity {
        switch url.pathExtension.lowercased() {
        case "obj", "stl", "ply": return try meshFile(url)
        case "glb", "gltf":
            var reader: GLTFReader = try GLTFReader(url)
            return try reader.scene(self)
        default: return try await Entity(contentsOf: url)
        }
    }

    // meshFile reads triangles without looks.
    private func meshFile(_ url: URL) throws -> Entity {
        let asset: MDLAsset = MDLAsset(url: url)
        let whole: Entity = Entity()
        for object in asset.childObjects(of: MDLMesh.self) {
            guard let mesh: MDLMesh = object as? MDLMesh else { continue }
            guard let data: MDLVertexAttributeData = mesh.vertexAttributeData(forAttributeNamed: MDLVertexAttributePosition, as: MDLVertexFormat.float3)
            else { continue }
            var points: [SIMD3<Float>] = []
            for i in 0..<mesh.vertexCount {
                let at: UnsafeMutableRawPointer = data.dataStart.advanced(by: i * data.stride)
                let x: Float = at.load(as: Float.self)
                let y: Float = at.load(fromByteOffset: 4, as: Float.self)
                let z: Float = at.load(fromByteOffset: 8, as: Float.self)
                points.append(SIMD3<Float>(x, y, z))
            }
            var order: [UInt32] = []
            for part in (mesh.submeshes ?? []) {
                guard let submesh: MDLSubmesh = part as? MDLSubmesh, submesh.geometryType == MDLGeometryType.triangles else { continue }
                let buffer: any MDLMeshBuffer = submesh.indexBuffer(asIndexType: MDLIndexBitDepth.uInt32)
                let map: MDLMeshBufferMap = buffer.map()
                for i in 0..<submesh.indexCount { order.append(map.bytes.load(fromByteOffset: 4 * i, as: UInt32.self)) }
            }
            if order.isEmpty { continue }
            var d: MeshDescriptor = MeshDescriptor(name: "mesh")
            d.positions = MeshBuffers.Positions(points)
            d.normals = MeshBuffers.Normals(normalsOf(points, order))
            d.primitives = .triangles(order)
            whole.addChild(ModelEntity(mesh: try MeshResource.generate(from: [d]), materials: [material(LookForm())]))
        }
        if whole.children.isEmpty { throw ModelFault(text: "it has no triangles") }
        return whole
    }
}

// normalsOf are the mean directions of the triangles at each point.
func normalsOf(_ points: [SIMD3<Float>], _ order: [UInt32]) -> [SIMD3<Float>] {
    var out: [SIMD3<Float>] = Array(repeating: SIMD3<Float>(0, 0, 0), count: points.count)
    for t in 0..<(order.count / 3) {
        let a: Int = Int(order[3 * t])
        let b: Int = Int(order[3 * t + 1])
        let c: Int = Int(order[3 * t + 2])
        if a >= points.count || b >= points.count || c >= points.count { continue }
        let n: SIMD3<Float> = simd_cross(points[b] - points[a], points[c] - points[a])
        out[a] += n
        out[b] += n
        out[c] += n
    }
    for i in 0..<out.count {
        let length: Float = simd_length(out[i])
        out[i] = length > 0 ? out[i] / length : SIMD3<Float>(0, 1, 0)
    }
    return out
}
