package dev.romainguy.kotlin.math

data class Float3(var x: Float = 0f, var y: Float = 0f, var z: Float = 0f)

data class Quaternion(var x: Float = 0f, var y: Float = 0f, var z: Float = 0f, var w: Float = 0f)
