extension Stage {
    // particles begins an emitter at a node. Sizes are metres, life is seconds.
    func particles(
        _ id: String, rate: Float, life: Double, lifeVaries: Double, direction: SIMD3<Float>, speed: Float, speedVaries: Float, spread: Float, fall: Float,
        from: Float, to: Float, start: Ink, end: Ink, width: Float, glows: Bool
    ) {
        guard let n: StageNode = nodes[id] else { return }
        var p: ParticleEmitterComponent = ParticleEmitterComponent()
        p.emitterShape = .plane
        p.emitterShapeSize = SIMD3<Float>(max(width, 0.001), 0.001, max(width, 0.001))
        p.birthDirection = .local
        p.emissionDirection = direction
        p.speed = speed
        p.speedVariation = speedVaries
        p.mainEmitter.birthRate = rate
        p.mainEmitter.lifeSpan = life
        p.mainEmitter.lifeSpanVariation = lifeVaries
        p.mainEmitter.spreadingAngle = spread
        p.mainEmitter.acceleration = SIMD3<Float>(0, -fall, 0)
        p.mainEmitter.size = from
        p.mainEmitter.sizeMultiplierAtEndOfLifespan = from > 0 ? to / from : 1
        p.mainEmitter.color = .evolving(start: .single(clearColor(start)), end: .single(clearColor(end)))
        p.mainEmitter.blendMode = glows ? .additive : .alpha
        n.entity.components.set(p)
    }

    private func clearColor(_ c: Ink) -> UIColor {
        return UIColor(red: CGFloat(c.x), green: CGFloat(c.y), blue: CGFloat(c.z), alpha: CGFloat(c.w))
    }
}
