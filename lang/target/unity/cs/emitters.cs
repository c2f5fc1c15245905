// Sounds and particles.
public sealed partial class Builder {
	public void Sound(Thing t, string file, float volume, bool loop, bool starts, float near, float far) {
		AudioSource s;
		bool had = Had(t, "Sound", out s);
		if (!had) s = Child(t, "Sound").AddComponent<AudioSource>();
		if (s.clip == null) s.clip = File<AudioClip>(file);
		s.playOnAwake = starts && s.clip != null;
		s.spatialBlend = 1;
		if (!had) {
			s.volume = volume;
			s.loop = loop;
			s.minDistance = near;
			s.maxDistance = far;
		} else if (s.playOnAwake) s.Play();
		t.Sound = s;
		t.SoundFile = file;
	}

	// Particles fly from the thing towards aim.
	public void Particles(Thing t, int count, float rate, float shortest, float longest, Vector3 aim, float slow, float fast, float degrees, float gravity,
		float from, float to, float width, Color start, Color end, bool glows) {
		var o = Child(t, "Particles");
		var p = o.AddComponent<ParticleSystem>();
		p.Stop();
		var main = p.main;
		main.loop = true;
		main.prewarm = true;
		main.maxParticles = count;
		main.startLifetime = new ParticleSystem.MinMaxCurve(shortest, longest);
		main.startSpeed = new ParticleSystem.MinMaxCurve(slow, fast);
		float most = Mathf.Max(from, to, 0.001f);
		main.startSize = new ParticleSystem.MinMaxCurve(most);
		main.simulationSpace = ParticleSystemSimulationSpace.Local;
		var emission = p.emission;
		emission.rateOverTime = new ParticleSystem.MinMaxCurve(rate);
		var shape = p.shape;
		shape.shapeType = width > 0 ? ParticleSystemShapeType.ConeVolume : ParticleSystemShapeType.Cone;
		shape.angle = Mathf.Min(degrees, 90);
		shape.radius = Mathf.Max(width / 2, 0.001f);
		shape.length = 0.001f;
		shape.rotation = Quaternion.FromToRotation(Vector3.forward, aim).eulerAngles;
		var force = p.forceOverLifetime;
		force.enabled = gravity != 0;
		force.space = ParticleSystemSimulationSpace.World;
		force.y = new ParticleSystem.MinMaxCurve(-gravity);
		var colors = p.colorOverLifetime;
		colors.enabled = true;
		var g = new Gradient();
		g.SetKeys(new[] { new GradientColorKey(start, 0), new GradientColorKey(end, 1) }, new[] { new GradientAlphaKey(start.a, 0), new GradientAlphaKey(end.a, 1) });
		colors.color = new ParticleSystem.MinMaxGradient(g);
		var size = p.sizeOverLifetime;
		size.enabled = true;
		size.size = new ParticleSystem.MinMaxCurve(1, AnimationCurve.Linear(0, from / most, 1, to / most));
		var r = o.GetComponent<ParticleSystemRenderer>();
		var m = Shaded(Word("Particles/Standard Unlit", "Universal Render Pipeline/Particles/Unlit", "HDRP/Unlit"));
		Blend(m, true);
		if (glows) {
			Set(m, "_Mode", 4);
			Set(m, "_Blend", 2);
			Set(m, "_BlendMode", 1);
			Set(m, "_DstBlend", (float)BlendMode.One);
		}
		r.sharedMaterial = m;
		t.Own.Add(m);
		t.Renderers.Add(r);
		p.Play();
	}
}
