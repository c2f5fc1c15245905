// Signatures of the parts of Unity's universal render pipeline that artefacts use,
// after its public documentation.
namespace UnityEngine.Rendering {
	public class VolumeParameter<T> { public void Override(T x) { } }
	public class VolumeComponent : ScriptableObject { }
	public class VolumeProfile : ScriptableObject {
		public bool TryGet<T>(out T component) where T : VolumeComponent { component = null; return false; }
		public T Add<T>(bool overrides) where T : VolumeComponent { return null; }
	}
	public class Volume : MonoBehaviour {
		public bool isGlobal { get; set; }
		public VolumeProfile sharedProfile;
	}
}

namespace UnityEngine.Rendering.Universal {
	public class UniversalAdditionalCameraData : MonoBehaviour { public bool renderPostProcessing { get; set; } }
	public static class CameraExtensions { public static UniversalAdditionalCameraData GetUniversalAdditionalCameraData(this Camera camera) { return null; } }
	public class Bloom : VolumeComponent { public VolumeParameter<float> intensity, threshold; }
	public class Vignette : VolumeComponent { public VolumeParameter<float> intensity; }
	public class ChromaticAberration : VolumeComponent { public VolumeParameter<float> intensity; }
	public class FilmGrain : VolumeComponent { public VolumeParameter<float> intensity; }
	public class ColorAdjustments : VolumeComponent { public VolumeParameter<float> postExposure, contrast, saturation; }
	public enum TonemappingMode { None, Neutral, ACES }
	public class Tonemapping : VolumeComponent { public VolumeParameter<TonemappingMode> mode; }
}
