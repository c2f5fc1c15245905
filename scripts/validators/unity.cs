// Signatures of the parts of Unity's scripting interface that artefacts use, after
// its public documentation: what compiles against it is spelt as the engine spells it.
// unity_objects.cs has the parts that do something; nothing here does.
using System;
using System.Collections.Generic;

namespace UnityEngine {
	public class MonoBehaviour : Behaviour { }
	public class ScriptableObject : Object { public static T CreateInstance<T>() where T : ScriptableObject { return null; } }
	public class TextAsset : Object { }

	public static class Resources { public static T Load<T>(string path) where T : Object { return new AudioClip() as T; } }
	public static class Debug {
		public static void Log(object message) { }
		public static void LogWarning(object message) { }
	}
	public static class Time { public static float fixedDeltaTime { get; set; } }
	public static class Screen {
		public static int width { get { return 0; } }
		public static int height { get { return 0; } }
	}

	public class Mesh : Object {
		public Vector3[] vertices { get; set; }
		public Vector3[] normals { get; set; }
		public Vector2[] uv { get; set; }
		public int[] triangles { get; set; }
		public Rendering.IndexFormat indexFormat { get; set; }
		public void Clear() { }
		public void RecalculateTangents() { }
		public void RecalculateBounds() { }
	}

	public enum TextureFormat { RGBA32 = 4 }
	public enum TextureWrapMode { Repeat, Clamp }
	public enum RenderTextureFormat { ARGB32 }
	public enum RenderTextureReadWrite { Default, Linear, sRGB }
	public enum CubemapFace { Unknown = -1, PositiveX, NegativeX, PositiveY, NegativeY, PositiveZ, NegativeZ }

	public class Texture : Object {
		public int width { get { return 0; } }
		public int height { get { return 0; } }
		public bool isDataSRGB { get { return false; } }
		public TextureWrapMode wrapMode { get; set; }
	}
	public class Texture2D : Texture {
		public Texture2D(int width, int height, TextureFormat format, bool mipChain) { }
		public Texture2D(int width, int height, TextureFormat format, bool mipChain, bool linear) { }
		public void SetPixel(int x, int y, Color color) { }
		public Color32[] GetPixels32() { return null; }
		public void SetPixels32(Color32[] colors) { }
		public void ReadPixels(Rect source, int destX, int destY) { }
		public void Apply() { }
	}
	public class Cubemap : Texture {
		public Cubemap(int width, TextureFormat format, bool mipChain) { }
		public void SetPixel(CubemapFace face, int x, int y, Color color) { }
		public void Apply() { }
	}
	public class RenderTexture : Texture {
		public static RenderTexture active { get; set; }
		public static RenderTexture GetTemporary(int width, int height, int depthBuffer, RenderTextureFormat format, RenderTextureReadWrite readWrite) { return null; }
		public static void ReleaseTemporary(RenderTexture temp) { }
	}
	public static class Graphics { public static void Blit(Texture source, RenderTexture dest) { } }

	public enum LightType { Spot, Directional, Point, Rectangle }
	public enum LightShadows { None, Hard, Soft }
	public class Light : Behaviour {
		public LightType type { get; set; }
		public Color color { get; set; }
		public float intensity { get; set; }
		public float range { get; set; }
		public float spotAngle { get; set; }
		public float innerSpotAngle { get; set; }
		public LightShadows shadows { get; set; }
	}

	public enum CameraClearFlags { Skybox = 1, SolidColor, Depth, Nothing }
	public class Camera : Behaviour {
		public float nearClipPlane { get; set; }
		public float farClipPlane { get; set; }
		public float fieldOfView { get; set; }
		public bool orthographic { get; set; }
		public float orthographicSize { get; set; }
		public CameraClearFlags clearFlags { get; set; }
		public Color backgroundColor { get; set; }
		public Vector3 WorldToScreenPoint(Vector3 position) { return position; }
		public Vector3 ScreenToWorldPoint(Vector3 position) { return position; }
	}

	public enum FogMode { Linear = 1, Exponential, ExponentialSquared }
	public static class RenderSettings {
		public static bool fog { get; set; }
		public static FogMode fogMode { get; set; }
		public static Color fogColor { get; set; }
		public static float fogDensity { get; set; }
		public static Rendering.AmbientMode ambientMode { get; set; }
		public static Color ambientSkyColor { get; set; }
		public static Color ambientEquatorColor { get; set; }
		public static Color ambientGroundColor { get; set; }
		public static Material skybox { get; set; }
	}

	public class PhysicsMaterial : PhysicMaterial { } // what the sixth version calls it
	public class PhysicMaterial : Object {
		public float dynamicFriction { get; set; }
		public float staticFriction { get; set; }
		public float bounciness { get; set; }
	}
	public class BoxCollider : Collider {
		public Vector3 center { get; set; }
		public Vector3 size { get; set; }
	}
	public class SphereCollider : Collider {
		public Vector3 center { get; set; }
		public float radius { get; set; }
	}
	public class CapsuleCollider : Collider {
		public Vector3 center { get; set; }
		public float radius { get; set; }
		public float height { get; set; }
		public int direction { get; set; }
	}
	public class MeshCollider : Collider {
		public Mesh sharedMesh { get; set; }
		public bool convex { get; set; }
	}
	public class Collision { public GameObject gameObject { get { return null; } } }
	public struct RaycastHit {
		public Vector3 point { get; set; }
		public Collider collider { get { return null; } }
	}
	public static class Physics {
		public static bool Raycast(Vector3 origin, Vector3 direction, out RaycastHit hitInfo, float maxDistance) { hitInfo = new RaycastHit(); return false; }
	}
	public enum ForceMode { Force, Impulse, VelocityChange, Acceleration = 5 }
	public class Rigidbody : Component {
		public bool isKinematic { get; set; }
		public bool useGravity { get; set; }
		public float mass { get; set; }
		public float drag { get; set; }
		public float angularDrag { get; set; }
		public Vector3 velocity { get; set; }
		public Vector3 angularVelocity { get; set; }
		public void AddForce(Vector3 force, ForceMode mode) { }
		public void WakeUp() { }
	}
	public class ConstantForce : Behaviour { public Vector3 force { get; set; } }

	public struct JointLimits {
		public float min { get; set; }
		public float max { get; set; }
	}
	public struct JointSpring { public float spring, damper, targetPosition; }
	public struct SoftJointLimit { public float limit { get; set; } }
	public struct JointDrive {
		public float positionSpring { get; set; }
		public float positionDamper { get; set; }
		public float maximumForce { get; set; }
	}
	public enum ConfigurableJointMotion { Locked, Limited, Free }
	public class Joint : Component {
		public Rigidbody connectedBody { get; set; }
		public Vector3 axis { get; set; }
		public Vector3 anchor { get; set; }
	}
	public class FixedJoint : Joint { }
	public class HingeJoint : Joint {
		public JointLimits limits { get; set; }
		public bool useLimits { get; set; }
		public JointSpring spring { get; set; }
		public bool useSpring { get; set; }
	}
	public class ConfigurableJoint : Joint {
		public ConfigurableJointMotion xMotion { get; set; }
		public ConfigurableJointMotion yMotion { get; set; }
		public ConfigurableJointMotion zMotion { get; set; }
		public ConfigurableJointMotion angularXMotion { get; set; }
		public ConfigurableJointMotion angularYMotion { get; set; }
		public ConfigurableJointMotion angularZMotion { get; set; }
		public SoftJointLimit linearLimit { get; set; }
		public JointDrive xDrive { get; set; }
	}

	public struct GradientColorKey { public GradientColorKey(Color col, float time) { } }
	public struct GradientAlphaKey { public GradientAlphaKey(float alpha, float time) { } }
	public class Gradient { public void SetKeys(GradientColorKey[] colorKeys, GradientAlphaKey[] alphaKeys) { } }
	public class AnimationCurve { public static AnimationCurve Linear(float timeStart, float valueStart, float timeEnd, float valueEnd) { return null; } }
	public enum ParticleSystemSimulationSpace { Local, World, Custom }
	public enum ParticleSystemShapeType { Sphere = 0, Cone = 4, Box = 5, ConeVolume = 8 }
	public class ParticleSystem : Component {
		public struct MinMaxCurve {
			public MinMaxCurve(float constant) { }
			public MinMaxCurve(float min, float max) { }
			public MinMaxCurve(float multiplier, AnimationCurve curve) { }
		}
		public struct MinMaxGradient { public MinMaxGradient(Gradient gradient) { } }
		public struct MainModule {
			public bool loop { get; set; }
			public bool prewarm { get; set; }
			public int maxParticles { get; set; }
			public MinMaxCurve startLifetime { get; set; }
			public MinMaxCurve startSpeed { get; set; }
			public MinMaxCurve startSize { get; set; }
			public ParticleSystemSimulationSpace simulationSpace { get; set; }
		}
		public struct EmissionModule { public MinMaxCurve rateOverTime { get; set; } }
		public struct ShapeModule {
			public ParticleSystemShapeType shapeType { get; set; }
			public float angle { get; set; }
			public float radius { get; set; }
			public float length { get; set; }
			public Vector3 rotation { get; set; }
		}
		public struct ForceOverLifetimeModule {
			public bool enabled { get; set; }
			public ParticleSystemSimulationSpace space { get; set; }
			public MinMaxCurve x { get; set; }
			public MinMaxCurve y { get; set; }
			public MinMaxCurve z { get; set; }
		}
		public struct ColorOverLifetimeModule {
			public bool enabled { get; set; }
			public MinMaxGradient color { get; set; }
		}
		public struct SizeOverLifetimeModule {
			public bool enabled { get; set; }
			public MinMaxCurve size { get; set; }
		}
		public MainModule main { get { return new MainModule(); } }
		public EmissionModule emission { get { return new EmissionModule(); } }
		public ShapeModule shape { get { return new ShapeModule(); } }
		public ForceOverLifetimeModule forceOverLifetime { get { return new ForceOverLifetimeModule(); } }
		public ColorOverLifetimeModule colorOverLifetime { get { return new ColorOverLifetimeModule(); } }
		public SizeOverLifetimeModule sizeOverLifetime { get { return new SizeOverLifetimeModule(); } }
		public void Play() { }
		public void Stop() { }
	}

	public enum KeyCode { None }
	public enum EventType { MouseDown, MouseUp, MouseMove, MouseDrag, KeyDown, KeyUp }
	public class Event {
		public static Event current { get; set; }
		public bool isKey { get { return false; } }
		public KeyCode keyCode { get; set; }
		public EventType type { get; set; }
	}
	public class GUIStyle { }
	public class GUISkin : ScriptableObject { public GUIStyle box { get; set; } }
	public class GUILayoutOption { }
	public static class GUI {
		public static bool enabled { get; set; }
		public static GUISkin skin { get; set; }
	}
	public static class GUILayout {
		public static void BeginArea(Rect screenRect) { }
		public static void EndArea() { }
		public static void BeginVertical(GUIStyle style, params GUILayoutOption[] options) { }
		public static void EndVertical() { }
		public static void Label(string text, params GUILayoutOption[] options) { }
		public static void Label(Texture image, params GUILayoutOption[] options) { }
		public static bool Button(string text, params GUILayoutOption[] options) { return false; }
		public static float HorizontalSlider(float value, float leftValue, float rightValue, params GUILayoutOption[] options) { return 0; }
		public static bool Toggle(bool value, string text, params GUILayoutOption[] options) { return false; }
		public static string TextField(string text, int maxLength, params GUILayoutOption[] options) { return text; }
		public static string PasswordField(string password, char maskChar, params GUILayoutOption[] options) { return password; }
		public static int SelectionGrid(int selected, string[] texts, int xCount, params GUILayoutOption[] options) { return 0; }
	}
}

namespace UnityEngine.Rendering {
	public enum IndexFormat { UInt16, UInt32 }
	public enum ShadowCastingMode { Off, On }
	public enum AmbientMode { Skybox, Trilight, Flat = 3 }
	public enum BlendMode { Zero, One, SrcAlpha = 5, OneMinusSrcAlpha = 10 }
	public class RenderPipelineAsset : ScriptableObject { }
	public static class GraphicsSettings { public static RenderPipelineAsset currentRenderPipeline { get { return null; } } }
}

namespace UnityEngine.XR {
	public enum XRNode { LeftEye, RightEye, CenterEye, Head, LeftHand, RightHand }
	public struct InputFeatureUsage<T> { }
	public static class CommonUsages {
		public static InputFeatureUsage<Vector3> devicePosition;
		public static InputFeatureUsage<Quaternion> deviceRotation;
		public static InputFeatureUsage<bool> triggerButton, gripButton;
	}
	public struct InputDevice {
		public bool isValid { get { return false; } }
		public bool TryGetFeatureValue(InputFeatureUsage<bool> usage, out bool value) { value = false; return false; }
		public bool TryGetFeatureValue(InputFeatureUsage<Vector3> usage, out Vector3 value) { value = new Vector3(); return false; }
		public bool TryGetFeatureValue(InputFeatureUsage<Quaternion> usage, out Quaternion value) { value = new Quaternion(); return false; }
	}
	public static class InputDevices { public static InputDevice GetDeviceAtXRNode(XRNode node) { return new InputDevice(); } }
}

namespace UnityEngine.EventSystems {
	public struct RaycastResult { public Vector3 worldPosition; }
	public class PointerEventData {
		public RaycastResult pointerCurrentRaycast { get; set; }
		public RaycastResult pointerPressRaycast { get; set; }
		public bool dragging { get; set; }
		public int clickCount { get; set; }
		public Vector2 position { get; set; }
		public Camera pressEventCamera { get { return null; } }
	}
	public interface IPointerEnterHandler { void OnPointerEnter(PointerEventData eventData); }
	public interface IPointerExitHandler { void OnPointerExit(PointerEventData eventData); }
	public interface IPointerDownHandler { void OnPointerDown(PointerEventData eventData); }
	public interface IPointerUpHandler { void OnPointerUp(PointerEventData eventData); }
	public interface IPointerClickHandler { void OnPointerClick(PointerEventData eventData); }
	public interface IBeginDragHandler { void OnBeginDrag(PointerEventData eventData); }
	public interface IDragHandler { void OnDrag(PointerEventData eventData); }
	public interface IEndDragHandler { void OnEndDrag(PointerEventData eventData); }
	public class EventSystem : MonoBehaviour { public static EventSystem current { get; set; } }
	public class StandaloneInputModule : MonoBehaviour { }
	public class PhysicsRaycaster : MonoBehaviour { }
}
