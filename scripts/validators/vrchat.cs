// Signatures of the parts of UdonSharp, of VRChat's SDK for worlds, and of the
// editor's interface that artefacts use, after their public documentation.
using System;
using UnityEngine;

namespace UnityEditor {
	[AttributeUsage(AttributeTargets.Method)] public class MenuItem : Attribute { public MenuItem(string itemName) { } }
	public static class Undo { public static void RegisterCreatedObjectUndo(UnityEngine.Object objectToUndo, string name) { } }
}

namespace UdonSharp {
	public enum BehaviourSyncMode { Any, None, NoVariableSync, Continuous, Manual }
	[AttributeUsage(AttributeTargets.Class)] public class UdonBehaviourSyncModeAttribute : Attribute { public UdonBehaviourSyncModeAttribute(BehaviourSyncMode behaviourSyncMode) { } }
	[AttributeUsage(AttributeTargets.Field)] public class UdonSyncedAttribute : Attribute { }
	[AttributeUsage(AttributeTargets.Method)] public class RecursiveMethodAttribute : Attribute { }
	public abstract class UdonSharpBehaviour : MonoBehaviour {
		public string InteractionText { get; set; }
		public void RequestSerialization() { }
		public virtual void Interact() { }
		public virtual void OnPickup() { }
		public virtual void OnDrop() { }
		public virtual void OnPickupUseDown() { }
		public virtual void OnDeserialization() { }
		public virtual void OnPlayerTriggerEnter(VRC.SDKBase.VRCPlayerApi player) { }
		public virtual void OnPlayerTriggerExit(VRC.SDKBase.VRCPlayerApi player) { }
	}
}

namespace UdonSharpEditor {
	public static class UdonSharpComponentExtensions { public static T AddUdonSharpComponent<T>(this GameObject gameObject) where T : UdonSharp.UdonSharpBehaviour { return null; } }
	public static class UdonSharpEditorUtility { public static void CopyProxyToUdon(UdonSharp.UdonSharpBehaviour proxy) { } }
}

namespace VRC.Udon { public class UdonBehaviour : MonoBehaviour { } }

namespace VRC.SDKBase {
	public class VRCPlayerApi {
		public enum TrackingDataType { Head, LeftHand, RightHand, Origin }
		public struct TrackingData {
			public Vector3 position;
			public Quaternion rotation;
		}
		public string displayName;
		public TrackingData GetTrackingData(TrackingDataType tt) { return new TrackingData(); }
	}
	public static class Networking {
		public static VRCPlayerApi LocalPlayer { get { return null; } }
		public static bool IsOwner(GameObject obj) { return true; }
		public static void SetOwner(VRCPlayerApi player, GameObject obj) { }
	}
}

namespace VRC.SDK3.Components {
	public class VRCPickup : MonoBehaviour { }
	public class VRCObjectSync : MonoBehaviour { }
	public class VRCSpatialAudioSource : MonoBehaviour { public float Far; }
	public class VRCSceneDescriptor : MonoBehaviour { public Transform[] spawns; }
}
