package androidx.xr.runtime.math

class Vector3(val x: Float, val y: Float, val z: Float)

class Vector4(val x: Float, val y: Float, val z: Float, val w: Float)

class Quaternion(val x: Float, val y: Float, val z: Float, val w: Float)

class Pose(val translation: Vector3, val rotation: Quaternion)

class FloatSize2d(val width: Float, val height: Float)
