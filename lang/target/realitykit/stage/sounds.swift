// SoundForm is a sound at a node.
struct SoundForm {
    let file: String
    var volume: Double
    let loop: Bool
    let autoplay: Bool
}

extension Stage {
    func sound(_ id: String, file: String, volume: Double, loop: Bool, autoplay: Bool) {
        nodes[id]?.sound = SoundForm(file: file, volume: volume, loop: loop, autoplay: autoplay)
        if playing && autoplay { start(id, nil) }
    }

    func beginSounds() {
        for (id, n) in nodes {
            if n.sound?.autoplay ?? false { start(id, nil) }
        }
    }

    // start plays the sound of a node from its beginning; loop says otherwise than the
    // scene whether it is played again and again.
    private func start(_ id: String, _ loop: Bool?) {
        guard let n: StageNode = nodes[id], let s: SoundForm = n.sound, let url: URL = file(s.file) else { return }
        let again: Bool = loop ?? s.loop
        let how: AudioFileResource.Configuration = AudioFileResource.Configuration(shouldLoop: again)
        guard let resource: AudioFileResource = try? AudioFileResource.load(contentsOf: url, configuration: how) else {
            say(id, "the sound \(s.file) cannot be read", true)
            return
        }
        n.playing?.stop()
        n.entity.components.set(SpatialAudioComponent())
        let controller: AudioPlaybackController = n.entity.prepareAudio(resource)
        controller.gain = decibels(s.volume)
        controller.completionHandler = { [weak self] in
            Task { @MainActor in
                self?.raise(id, "audio_end", .table(TableValue(Fields())))
            }
        }
        controller.play()
        n.playing = controller
    }

    private func decibels(_ volume: Double) -> Double { return volume <= 0 ? -80 : 20 * log10(min(1, volume)) }

    func volume(_ id: String, _ volume: Double) {
        nodes[id]?.sound?.volume = volume
        nodes[id]?.playing?.gain = decibels(volume)
    }

    // playSound starts or stops the sound of a node. A name chooses a sound of another:
    // by the node's name, the name of the file or its path.
    func playSound(_ id: String, _ name: String, _ on: Bool, _ options: TableValue?) {
        var found: String = ""
        if name.isEmpty && nodes[id]?.sound != nil { found = id }
        if found.isEmpty {
            for other in nodes.keys.sorted() {
                guard let n: StageNode = nodes[other], let s: SoundForm = n.sound else { continue }
                let last: String = (s.file as NSString).lastPathComponent
                if n.name == name || s.file == name || (last as NSString).deletingPathExtension == name {
                    found = other
                    break
                }
            }
        }
        if found.isEmpty { return }
        if !on {
            nodes[found]?.playing?.stop()
            return
        }
        if let v: Double = options?.fields.get("volume")?.asDouble { volume(found, v) }
        var loop: Bool? = nil
        if let given: Value = options?.fields.get("loop"), case .bool(let b) = given { loop = b }
        start(found, loop)
    }
}
