// The parts of Unity's scripting interface that stages are tried with: objects that
// stand in each other, with what they are made of. Turns are kept and not applied.
using System;
using System.Collections.Generic;

namespace UnityEngine {
	public struct Vector2 {
		public float x, y;
		public Vector2(float x, float y) { this.x = x; this.y = y; }
	}

	public struct Vector3 {
		public float x, y, z;
		public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
		public static Vector3 zero { get { return new Vector3(); } }
		public static Vector3 one { get { return new Vector3(1, 1, 1); } }
		public static Vector3 up { get { return new Vector3(0, 1, 0); } }
		public static Vector3 right { get { return new Vector3(1, 0, 0); } }
		public static Vector3 forward { get { return new Vector3(0, 0, 1); } }
		public float magnitude { get { return Mathf.Sqrt(sqrMagnitude); } }
		public float sqrMagnitude { get { return x * x + y * y + z * z; } }
		public static Vector3 Lerp(Vector3 a, Vector3 b, float t) { return a + (b - a) * Mathf.Clamp01(t); }
		public static Vector3 Scale(Vector3 a, Vector3 b) { return new Vector3(a.x * b.x, a.y * b.y, a.z * b.z); }
		public static Vector3 ClampMagnitude(Vector3 v, float most) { return v.magnitude > most ? v * (most / v.magnitude) : v; }
		public static Vector3 operator +(Vector3 a, Vector3 b) { return new Vector3(a.x + b.x, a.y + b.y, a.z + b.z); }
		public static Vector3 operator -(Vector3 a, Vector3 b) { return new Vector3(a.x - b.x, a.y - b.y, a.z - b.z); }
		public static Vector3 operator *(Vector3 a, float b) { return new Vector3(a.x * b, a.y * b, a.z * b); }
		public static Vector3 operator /(Vector3 a, float b) { return new Vector3(a.x / b, a.y / b, a.z / b); }
	}

	public struct Quaternion {
		public float x, y, z, w;
		public Quaternion(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
		public static Quaternion identity { get { return new Quaternion(0, 0, 0, 1); } }
		public Quaternion normalized { get { return this; } }
		public Vector3 eulerAngles { get { return new Vector3(); } }
		public static Quaternion AngleAxis(float angle, Vector3 axis) { return identity; }
		public static Quaternion Slerp(Quaternion a, Quaternion b, float t) { return a; }
		public static Quaternion Inverse(Quaternion q) { return new Quaternion(-q.x, -q.y, -q.z, q.w); }
		public static Quaternion LookRotation(Vector3 forward, Vector3 upwards) { return identity; }
		public static Quaternion FromToRotation(Vector3 from, Vector3 to) { return identity; }
		public static float Angle(Quaternion a, Quaternion b) { return 0; }
		public static Quaternion operator *(Quaternion a, Quaternion b) { return b; }
		public static Vector3 operator *(Quaternion a, Vector3 b) { return b; }
	}

	public struct Color {
		public float r, g, b, a;
		public Color(float r, float g, float b) : this(r, g, b, 1) { }
		public Color(float r, float g, float b, float a) { this.r = r; this.g = g; this.b = b; this.a = a; }
		public static Color white { get { return new Color(1, 1, 1); } }
		public static Color black { get { return new Color(0, 0, 0); } }
		public Color linear { get { return this; } }
		public Color gamma { get { return this; } }
		public float maxColorComponent { get { return Mathf.Max(r, g, b); } }
		public static Color Lerp(Color a, Color b, float t) { return a + (b + a * -1) * t; }
		public static Color operator +(Color a, Color b) { return new Color(a.r + b.r, a.g + b.g, a.b + b.b, a.a + b.a); }
		public static Color operator *(Color a, float b) { return new Color(a.r * b, a.g * b, a.b * b, a.a * b); }
	}

	public struct Color32 {
		public byte r, g, b, a;
		public Color32(byte r, byte g, byte b, byte a) { this.r = r; this.g = g; this.b = b; this.a = a; }
	}

	public struct Rect { public Rect(float x, float y, float width, float height) { } }

	public static class ColorUtility {
		public static bool TryParseHtmlString(string htmlString, out Color color) {
			int rgb = 0;
			bool ok = htmlString.Length == 7 && int.TryParse(htmlString.Substring(1), System.Globalization.NumberStyles.HexNumber, null, out rgb);
			color = new Color((rgb >> 16) / 255f, (rgb >> 8 & 255) / 255f, (rgb & 255) / 255f);
			return ok;
		}
	}

	public static class Mathf {
		public const float PI = 3.14159274f;
		public static float Cos(float f) { return (float)Math.Cos(f); }
		public static float Sin(float f) { return (float)Math.Sin(f); }
		public static float Sqrt(float f) { return (float)Math.Sqrt(f); }
		public static float Log(float f, float p) { return (float)Math.Log(f, p); }
		public static float Min(float a, float b) { return Math.Min(a, b); }
		public static float Max(float a, float b) { return Math.Max(a, b); }
		public static float Max(params float[] values) {
			float most = values[0];
			foreach (float v in values) most = Math.Max(most, v);
			return most;
		}
		public static int Max(int a, int b) { return Math.Max(a, b); }
		public static int Clamp(int value, int min, int max) { return Math.Max(min, Math.Min(max, value)); }
		public static float Clamp01(float value) { return Math.Max(0, Math.Min(1, value)); }
	}

	[AttributeUsage(AttributeTargets.Field)]
	public sealed class SerializeField : Attribute { }

	// An object that was destroyed equals null.
	public class Object {
		public string name { get; set; }
		protected internal bool Destroyed;
		public static void Destroy(Object obj) { if (!ReferenceEquals(obj, null)) obj.End(); }
		public static void DestroyImmediate(Object obj) { Destroy(obj); }
		protected internal virtual void End() { Destroyed = true; }
		protected internal Object Twin() { return (Object)MemberwiseClone(); }
		public static T FindObjectOfType<T>() where T : Object { return null; }
		public static T Instantiate<T>(T original, Transform parent, bool worldPositionStays) where T : Object {
			var made = original as GameObject;
			return ReferenceEquals(made, null) ? (T)original.Twin() : (T)(Object)made.Copied(parent);
		}
		static bool None(Object o) { return ReferenceEquals(o, null) || o.Destroyed; }
		public static bool operator ==(Object a, Object b) { return ReferenceEquals(a, b) || None(a) && None(b); }
		public static bool operator !=(Object a, Object b) { return !(a == b); }
		public override bool Equals(object o) { return ReferenceEquals(this, o); }
		public override int GetHashCode() { return System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(this); }
	}

	public class Component : Object {
		protected internal GameObject Of;
		public GameObject gameObject { get { return Of; } }
		public Transform transform { get { return Of.transform; } }
		public string tag { get; set; }
		public T GetComponent<T>() { return Of.GetComponent<T>(); }
		public T GetComponentInParent<T>() { return Of.GetComponentInParent<T>(); }
		protected internal override void End() {
			base.End();
			Of.Parts.Remove(this);
		}
	}

	public class Behaviour : Component {
		public bool enabled { get; set; }
		public Behaviour() { enabled = true; }
	}

	public class Transform : Component {
		protected internal readonly List<Transform> Children = new List<Transform>();
		public Transform parent { get; private set; }
		public Vector3 localPosition { get; set; }
		public Quaternion localRotation { get; set; }
		public Vector3 localScale { get; set; }
		public Transform() { localScale = Vector3.one; }
		public Quaternion rotation { get { return localRotation; } set { localRotation = value; } }
		public Vector3 lossyScale { get { return parent == null ? localScale : Vector3.Scale(parent.lossyScale, localScale); } }
		public Vector3 position {
			get { return parent == null ? localPosition : parent.TransformPoint(localPosition); }
			set { localPosition = parent == null ? value : parent.InverseTransformPoint(value); }
		}
		public void SetParent(Transform to, bool worldPositionStays) {
			var was = position;
			if (parent != null) parent.Children.Remove(this);
			parent = to;
			if (parent != null) parent.Children.Add(this);
			if (worldPositionStays) position = was;
		}
		public Vector3 TransformPoint(Vector3 at) { return position + Vector3.Scale(lossyScale, at); }
		public Vector3 InverseTransformPoint(Vector3 at) {
			Vector3 d = at - position, s = lossyScale;
			return new Vector3(d.x / s.x, d.y / s.y, d.z / s.z);
		}
		public Transform Find(string n) { return Children.Find(c => c.gameObject.name == n); }
	}

	public enum PrimitiveType { Sphere, Capsule, Cylinder, Cube, Plane, Quad }

	public sealed class GameObject : Object {
		internal readonly List<Component> Parts = new List<Component>();
		public Transform transform { get; private set; }
		public string tag { get; set; }
		public GameObject(string name) {
			this.name = name;
			transform = AddComponent<Transform>();
		}
		public static GameObject CreatePrimitive(PrimitiveType type) {
			var o = new GameObject(type.ToString());
			o.AddComponent<MeshFilter>().sharedMesh = new Mesh { name = o.name };
			o.AddComponent<MeshRenderer>().sharedMaterial = new Material((Shader)null);
			return o;
		}
		public T AddComponent<T>() where T : Component {
			var c = Activator.CreateInstance<T>();
			c.Of = this;
			Parts.Add(c);
			if (c is ParticleSystem) AddComponent<ParticleSystemRenderer>();
			return c;
		}
		public Component AddComponent(Type componentType) {
			var c = (Component)Activator.CreateInstance(componentType);
			c.Of = this;
			Parts.Add(c);
			return c;
		}
		public T[] GetComponents<T>() {
			var o = new List<T>();
			foreach (var c in Parts) if (c is T) o.Add((T)(object)c);
			return o.ToArray();
		}
		public T[] GetComponentsInChildren<T>() {
			var o = new List<T>(GetComponents<T>());
			foreach (var child in transform.Children) o.AddRange(child.gameObject.GetComponentsInChildren<T>());
			return o.ToArray();
		}
		static T First<T>(T[] of) { return of.Length > 0 ? of[0] : default(T); }
		public T GetComponent<T>() { return First(GetComponents<T>()); }
		public T GetComponentInChildren<T>() { return First(GetComponentsInChildren<T>()); }
		public T GetComponentInParent<T>() {
			for (var at = transform; at != null; at = at.parent) if (at.gameObject.GetComponents<T>().Length > 0) return at.gameObject.GetComponent<T>();
			return default(T);
		}
		protected internal override void End() {
			if (Destroyed) return;
			base.End();
			foreach (var child in transform.Children.ToArray()) child.gameObject.End();
			if (transform.parent != null) transform.parent.Children.Remove(transform);
			foreach (var c in Parts) c.Destroyed = true;
		}
		internal GameObject Copied(Transform parent) {
			var o = new GameObject(name);
			o.transform.localPosition = transform.localPosition;
			o.transform.localScale = transform.localScale;
			o.transform.SetParent(parent, false);
			foreach (var c in Parts) {
				if (c is Transform) continue;
				var twin = (Component)c.Twin();
				twin.Of = o;
				o.Parts.Add(twin);
			}
			foreach (var child in transform.Children) child.gameObject.Copied(o.transform);
			return o;
		}
	}

	public class MeshFilter : Component {
		public Mesh sharedMesh { get; set; }
		public Mesh mesh { get; set; }
	}
	public class Renderer : Component {
		public bool enabled { get; set; }
		public Material sharedMaterial { get; set; }
		public Material material { get; set; }
		public Rendering.ShadowCastingMode shadowCastingMode { get; set; }
		public Renderer() { enabled = true; }
	}
	public class MeshRenderer : Renderer { }
	public class ParticleSystemRenderer : Renderer { }
	public class Shader : Object { public static Shader Find(string name) { return new Shader { name = name }; } }
	[Flags] public enum MaterialGlobalIlluminationFlags { None, RealtimeEmissive, BakedEmissive, EmissiveIsBlack = 4 }

	public class Material : Object {
		readonly Dictionary<string, Color> colors = new Dictionary<string, Color> { { "_Color", Color.white }, { "_EmissionColor", Color.black } };
		public Material(Shader shader) { }
		public Material(Material source) { foreach (var c in source.colors) colors[c.Key] = c.Value; }
		public bool doubleSidedGI { get; set; }
		public Color color { get; set; }
		public int renderQueue { get; set; }
		public MaterialGlobalIlluminationFlags globalIlluminationFlags { get; set; }
		public bool HasProperty(string name) { return colors.ContainsKey(name); }
		public void SetColor(string name, Color value) { colors[name] = value; }
		public Color GetColor(string name) { return colors[name]; }
		public void SetFloat(string name, float value) { }
		public void SetTexture(string name, Texture value) { }
		public void EnableKeyword(string keyword) { }
		public void DisableKeyword(string keyword) { }
		public void SetOverrideTag(string tag, string val) { }
	}

	public class Collider : Component {
		public bool enabled { get; set; }
		public bool isTrigger { get; set; }
		public PhysicMaterial material { get; set; }
		public PhysicMaterial sharedMaterial { get; set; }
		public Collider() { enabled = true; }
	}

	public class AudioClip : Object { }
	public class AudioListener : Behaviour { }
	public class AudioSource : Behaviour {
		public AudioClip clip { get; set; }
		public float volume { get; set; }
		public bool loop { get; set; }
		public bool playOnAwake { get; set; }
		public float spatialBlend { get; set; }
		public float minDistance { get; set; }
		public float maxDistance { get; set; }
		public bool isPlaying { get; private set; }
		public void Play() { isPlaying = true; }
		public void Stop() { isPlaying = false; }
	}
}
