// Surfaces, in the words of the render pipeline of the project: the built-in one,
// the universal one, or the high definition one.
public enum Pipeline { BuiltIn, Universal, HighDefinition }

public sealed partial class Builder {
	Pipeline? pipeline;

	public Pipeline Pipeline {
		get {
			if (pipeline == null) {
				var asset = GraphicsSettings.currentRenderPipeline;
				string name = asset == null ? "" : asset.GetType().Name;
				pipeline = name == "" ? Pipeline.BuiltIn : name.StartsWith("HD", StringComparison.Ordinal) ? Pipeline.HighDefinition : Pipeline.Universal;
			}
			return pipeline.Value;
		}
		set { pipeline = value; }
	}

	string Word(string builtIn, string universal, string high) {
		return Pipeline == Pipeline.BuiltIn ? builtIn : Pipeline == Pipeline.Universal ? universal : high;
	}

	static readonly HashSet<string> lacking = new HashSet<string>();

	// Shaded is a material of a shader; where the project or the build does not have it,
	// of the one that its own shapes have.
	static Material Shaded(string name) {
		var shader = Shader.Find(name);
		if (shader != null) return new Material(shader);
		if (lacking.Add(name)) Debug.LogWarning("the shader " + name + " is not in this build: it belongs among the Always Included Shaders of the project's graphics settings");
		var o = GameObject.CreatePrimitive(PrimitiveType.Cube);
		var m = new Material(o.GetComponent<MeshRenderer>().sharedMaterial);
		UnityEngine.Object.DestroyImmediate(o);
		return m;
	}

	// Paint is a plain colour that no light changes.
	public Material Paint(Color color) {
		var m = Shaded(Word(color.a < 1 ? "Sprites/Default" : "Unlit/Color", "Universal Render Pipeline/Unlit", "HDRP/Unlit"));
		Tint(m, color);
		if (color.a < 1) Blend(m, true);
		return m;
	}

	public void Tint(Material m, Color color) {
		foreach (string name in new[] { "_Color", "_BaseColor", "_UnlitColor" }) if (m.HasProperty(name)) m.SetColor(name, color);
	}

	public Color Tint(Material m) {
		foreach (string name in new[] { "_BaseColor", "_UnlitColor", "_Color" }) if (m.HasProperty(name)) return m.GetColor(name);
		return Color.white;
	}

	// Surface is a material. alpha is opaque, blend or mask.
	public Material Surface(Color color, float metallic, float roughness, Color emissive, float glow, string alpha, bool both, bool unlit) {
		Material m;
		if (unlit) {
			m = Shaded(Word(alpha == "" ? "Unlit/Color" : "Sprites/Default", "Universal Render Pipeline/Unlit", "HDRP/Unlit"));
		} else {
			m = Shaded(Word("Standard", "Universal Render Pipeline/Lit", "HDRP/Lit"));
			Set(m, "_Metallic", metallic);
			Rough(m, roughness);
			if (glow > 0 && emissive.maxColorComponent > 0) Glow(m, emissive, glow);
		}
		Tint(m, color);
		if (alpha == "blend") Blend(m, true);
		if (alpha == "mask") {
			Set(m, "_Mode", 1);
			Set(m, "_AlphaClip", 1);
			Set(m, "_AlphaCutoffEnable", 1);
			Set(m, "_Cutoff", 0.5f);
			Set(m, "_AlphaCutoff", 0.5f);
			m.EnableKeyword("_ALPHATEST_ON");
			m.renderQueue = 2450;
		}
		if (both) {
			Set(m, "_Cull", 0);
			Set(m, "_CullMode", 0);
			Set(m, "_DoubleSidedEnable", 1);
			m.doubleSidedGI = true;
		}
		return m;
	}

	static void Set(Material m, string name, float value) { if (m.HasProperty(name)) m.SetFloat(name, value); }

	public void Metal(Material m, float value) { Set(m, "_Metallic", value); }

	public void Rough(Material m, float roughness) {
		Set(m, "_Glossiness", 1 - roughness);
		Set(m, "_Smoothness", 1 - roughness);
	}

	public void Glow(Material m, Color color, float strength) {
		m.EnableKeyword("_EMISSION");
		m.globalIlluminationFlags = MaterialGlobalIlluminationFlags.RealtimeEmissive;
		foreach (string name in new[] { "_EmissionColor", "_EmissiveColor" }) if (m.HasProperty(name)) m.SetColor(name, color * strength);
	}

	// Blend lets what is behind shine through, or not.
	public void Blend(Material m, bool on) {
		Set(m, "_Mode", on ? 2 : 0);
		Set(m, "_Surface", on ? 1 : 0);
		Set(m, "_SurfaceType", on ? 1 : 0);
		Set(m, "_SrcBlend", (float)(on ? BlendMode.SrcAlpha : BlendMode.One));
		Set(m, "_DstBlend", (float)(on ? BlendMode.OneMinusSrcAlpha : BlendMode.Zero));
		Set(m, "_ZWrite", on ? 0 : 1);
		foreach (string word in new[] { "_ALPHABLEND_ON", "_SURFACE_TYPE_TRANSPARENT" }) {
			if (on) m.EnableKeyword(word);
			else m.DisableKeyword(word);
		}
		m.SetOverrideTag("RenderType", on ? "Transparent" : "Opaque");
		m.renderQueue = on ? 3000 : -1;
	}

	// Pictures are the textures of a material, by their files.
	public Material Pictures(Material m, string color, string normal, string orm, string emissive) {
		Texture2D t = File<Texture2D>(color);
		if (t != null) foreach (string name in new[] { "_MainTex", "_BaseMap", "_BaseColorMap", "_UnlitColorMap" }) if (m.HasProperty(name)) m.SetTexture(name, t);
		t = File<Texture2D>(normal);
		if (t != null) {
			m.EnableKeyword("_NORMALMAP");
			m.EnableKeyword("_NORMALMAP_TANGENT_SPACE");
			t = Raw(t, c => c);
			foreach (string name in new[] { "_BumpMap", "_NormalMap" }) if (m.HasProperty(name)) m.SetTexture(name, t);
		}
		t = File<Texture2D>(orm);
		if (t != null) { // occlusion, roughness, metal become metal, occlusion, nothing, smoothness
			t = Raw(t, c => new Color32(c.b, c.r, 0, (byte)(255 - c.g)));
			foreach (string word in new[] { "_METALLICGLOSSMAP", "_METALLICSPECGLOSSMAP", "_MASKMAP", "_OCCLUSIONMAP" }) m.EnableKeyword(word);
			foreach (string name in new[] { "_MetallicGlossMap", "_OcclusionMap", "_MaskMap" }) if (m.HasProperty(name)) m.SetTexture(name, t);
			Set(m, "_GlossMapScale", 1);
			Set(m, "_Smoothness", 1);
		}
		t = File<Texture2D>(emissive);
		if (t != null) {
			m.EnableKeyword("_EMISSION");
			m.EnableKeyword("_EMISSIVE_COLOR_MAP");
			foreach (string name in new[] { "_EmissionMap", "_EmissiveColorMap" }) if (m.HasProperty(name)) m.SetTexture(name, t);
		}
		return m;
	}

	// Raw is a picture of the numbers in its file, each pixel changed, however the
	// project imports it.
	static Texture2D Raw(Texture2D from, Func<Color32, Color32> change) {
		var mode = from.isDataSRGB ? RenderTextureReadWrite.sRGB : RenderTextureReadWrite.Linear;
		var canvas = RenderTexture.GetTemporary(from.width, from.height, 0, RenderTextureFormat.ARGB32, mode);
		var was = RenderTexture.active;
		Graphics.Blit(from, canvas);
		RenderTexture.active = canvas;
		var o = new Texture2D(from.width, from.height, TextureFormat.RGBA32, true, true);
		o.ReadPixels(new Rect(0, 0, from.width, from.height), 0, 0);
		RenderTexture.active = was;
		RenderTexture.ReleaseTemporary(canvas);
		var pixels = o.GetPixels32();
		for (int i = 0; i < pixels.Length; i++) pixels[i] = change(pixels[i]);
		o.SetPixels32(pixels);
		o.wrapMode = TextureWrapMode.Repeat;
		o.Apply();
		return o;
	}
}
