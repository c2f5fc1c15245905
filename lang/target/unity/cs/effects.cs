// Effects of the picture, under the universal pipeline: its volumes. MESHD_URP is
// set by the assembly definition where the project has that pipeline.
public sealed partial class Builder {
#if MESHD_URP
	VolumeProfile profile;

	T Effect<T>() where T : VolumeComponent {
		if (profile == null) {
			var o = new GameObject("Effects");
			o.transform.SetParent(Root, false);
			var v = o.AddComponent<Volume>();
			v.isGlobal = true;
			profile = ScriptableObject.CreateInstance<VolumeProfile>();
			v.sharedProfile = profile;
			if (Eye != null) Eye.GetUniversalAdditionalCameraData().renderPostProcessing = true;
		}
		T e;
		return profile.TryGet(out e) ? e : profile.Add<T>(true);
	}

	public void Bloom(float intensity, float threshold) {
		var e = Effect<Bloom>();
		e.intensity.Override(intensity);
		e.threshold.Override(threshold);
	}

	public void Vignette(float intensity) { Effect<Vignette>().intensity.Override(intensity); }
	public void Fringes(float intensity) { Effect<ChromaticAberration>().intensity.Override(intensity); }
	public void Grain(float intensity) { Effect<FilmGrain>().intensity.Override(intensity); }

	// Grading is around 1: 1 changes nothing.
	public void Grading(float brightness, float contrast, float saturation) {
		var e = Effect<ColorAdjustments>();
		if (brightness > 0) e.postExposure.Override(Mathf.Log(brightness, 2));
		e.contrast.Override(100 * (contrast - 1));
		e.saturation.Override(100 * (saturation - 1));
	}

	public void Tones(string curve, float exposure) {
		if (curve == "aces") Effect<Tonemapping>().mode.Override(TonemappingMode.ACES);
		if (exposure > 0 && exposure != 1) Effect<ColorAdjustments>().postExposure.Override(Mathf.Log(exposure, 2));
	}
#else
	public void Bloom(float intensity, float threshold) { }
	public void Vignette(float intensity) { }
	public void Fringes(float intensity) { }
	public void Grain(float intensity) { }
	public void Grading(float brightness, float contrast, float saturation) { }
	public void Tones(string curve, float exposure) { }
#endif
}
