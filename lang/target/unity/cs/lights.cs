// Lights, cameras, and what is around everything. Lights and cameras of the source
// look along their -Z, which the change of axes turns into the engine's +Z: nothing
// is turned in between.
public sealed partial class Builder {
	public Camera Eye { get; private set; } // the one that is looked through
	public bool Lit { get; private set; }
	Color everywhere = Color.black, above = Color.black, below = Color.black;

	// Strength makes a neutral light of a source one of the pipeline.
	float Strength(float intensity) { return Pipeline == Pipeline.HighDefinition ? intensity * Mathf.PI : intensity; }

	public Light Light(Thing t, LightType type, Color color, float intensity, float range, bool shadows) {
		Light l;
		if (Had(t, "Light", out l)) {
			t.Lights.Add(l);
			Lit = true;
			return l;
		}
		l = Child(t, "Light").AddComponent<Light>();
		l.type = type;
		l.color = color;
		l.intensity = Strength(intensity);
		l.shadows = shadows ? LightShadows.Soft : LightShadows.None;
		if (range > 0) l.range = range;
		t.Lights.Add(l);
		Lit = true;
		return l;
	}

	// Spot is a light within a cone of degrees; inner is what has its full strength.
	public void Spot(Thing t, Color color, float intensity, float range, float degrees, float inner, bool shadows) {
		Light there;
		bool had = Had(t, "Light", out there);
		var l = Light(t, LightType.Spot, color, intensity, range, shadows);
		if (had) return;
		l.spotAngle = degrees;
		l.innerSpotAngle = inner;
	}

	// Ambient adds light from everywhere, from above and from below.
	public void Ambient(Color all, Color up, Color down, float intensity) {
		everywhere += all.linear * intensity;
		above += up.linear * intensity;
		below += down.linear * intensity;
	}

	// Ambient adds such light with a thing, while it is there.
	public void Ambient(Thing t, Color all, Color up, Color down, float intensity) {
		t.Around = new[] { all.linear * intensity, up.linear * intensity, down.linear * intensity };
		Shine(t, 1);
	}

	void Shine(Thing t, float times) {
		everywhere += t.Around[0] * times;
		above += t.Around[1] * times;
		below += t.Around[2] * times;
		Shine();
	}

	void Shine() {
		RenderSettings.ambientMode = AmbientMode.Trilight;
		RenderSettings.ambientSkyColor = (everywhere + above).gamma;
		RenderSettings.ambientEquatorColor = (everywhere + (above + below) * 0.5f).gamma;
		RenderSettings.ambientGroundColor = (everywhere + below).gamma;
	}

	public void Camera(Thing t, float degrees, float near, float far, float ortho) {
		Camera c;
		if (!Had(t, "Camera", out c)) {
			c = Child(t, "Camera").AddComponent<Camera>();
			c.nearClipPlane = near;
			c.farClipPlane = far;
			if (ortho > 0) {
				c.orthographic = true;
				c.orthographicSize = ortho / 2;
			} else c.fieldOfView = degrees;
		}
		var o = c.gameObject;
		c.enabled = Eye == null;
		if (Eye != null) return;
		Eye = c;
		o.tag = "MainCamera";
		o.AddComponent<AudioListener>();
	}

	// Fog thins by e^-(density·d)², which is what the engine calls exponential squared.
	public void Fog(Color color, float density) {
		RenderSettings.fog = true;
		RenderSettings.fogMode = FogMode.ExponentialSquared;
		RenderSettings.fogColor = color;
		RenderSettings.fogDensity = density;
	}

	// Around sets light from everywhere, and the sky: one colour, several from top to
	// bottom, or a picture around all.
	public void Around(Color[] sky, string picture) {
		Shine();
		var drawn = File<Texture2D>(picture);
		if (drawn == null && sky.Length == 1) {
			if (Eye == null) return;
			Eye.clearFlags = CameraClearFlags.SolidColor;
			Eye.backgroundColor = sky[0];
			return;
		}
		if (Pipeline == Pipeline.HighDefinition) {
			Dome(drawn == null ? Gradient(sky) : drawn);
			return;
		}
		Material m;
		if (drawn != null) {
			m = Shaded("Skybox/Panoramic");
			m.SetTexture("_MainTex", drawn);
		} else {
			m = Shaded("Skybox/Cubemap");
			m.SetTexture("_Tex", Cube(sky));
		}
		RenderSettings.skybox = m;
		if (Eye != null) Eye.clearFlags = CameraClearFlags.Skybox;
	}

	// Tone is the colour of the sky at a height between -1 and 1.
	static Color Tone(Color[] sky, float height) {
		float at = (1 - height) / 2 * (sky.Length - 1);
		int i = Mathf.Clamp((int)at, 0, sky.Length - 2);
		return Color.Lerp(sky[i], sky[i + 1], at - i);
	}

	static Cubemap Cube(Color[] sky) {
		const int size = 64;
		var cube = new Cubemap(size, TextureFormat.RGBA32, false);
		for (int face = 0; face < 6; face++) for (int y = 0; y < size; y++) for (int x = 0; x < size; x++) {
			float u = 2 * (x + 0.5f) / size - 1, v = 2 * (y + 0.5f) / size - 1, up = -v;
			if (face == (int)CubemapFace.PositiveY) up = 1;
			else if (face == (int)CubemapFace.NegativeY) up = -1;
			cube.SetPixel((CubemapFace)face, x, y, Tone(sky, up / Mathf.Sqrt(1 + u * u + v * v)));
		}
		cube.Apply();
		return cube;
	}

	static Texture2D Gradient(Color[] sky) {
		var t = new Texture2D(1, 64, TextureFormat.RGBA32, false);
		for (int y = 0; y < 64; y++) t.SetPixel(0, y, Tone(sky, Mathf.Sin(((y + 0.5f) / 64 - 0.5f) * Mathf.PI)));
		t.wrapMode = TextureWrapMode.Clamp;
		t.Apply();
		return t;
	}

	// Dome is a sky for pipelines that have their own: a ball around everything that is
	// seen from within.
	void Dome(Texture2D picture) {
		var o = new GameObject("Sky");
		o.transform.SetParent(Root, false);
		o.transform.localScale = new Vector3(-1, 1, 1) * (Eye == null ? 1000 : Eye.farClipPlane * 1.8f);
		o.AddComponent<MeshFilter>().sharedMesh = Shape(PrimitiveType.Sphere);
		var r = o.AddComponent<MeshRenderer>();
		r.sharedMaterial = Pictures(Paint(Color.white), "", "", "", "");
		foreach (string name in new[] { "_MainTex", "_BaseMap", "_UnlitColorMap" }) if (r.sharedMaterial.HasProperty(name)) r.sharedMaterial.SetTexture(name, picture);
		Set(r.sharedMaterial, "_CullMode", 0);
		r.shadowCastingMode = ShadowCastingMode.Off;
	}
}
