package io.github.sceneview.node

import com.google.android.filament.Engine
import com.google.android.filament.LightManager
import com.google.android.filament.gltfio.FilamentInstance
import dev.romainguy.kotlin.math.Float3
import dev.romainguy.kotlin.math.Quaternion

open class Node(val engine: Engine, val entity: Int = 0, parent: Node? = null) {
    var name: String? = null
    var position: Float3 = Float3()
    var quaternion: Quaternion = Quaternion()
    var scale: Float3 = Float3()
    var worldPosition: Float3 = Float3()
    var isVisible: Boolean = true
    var parent: Node? = parent
    fun addChildNode(node: Node): Node = this
    fun removeChildNode(node: Node): Node = this
    open fun destroy() = Unit
}

open class ModelNode(val modelInstance: FilamentInstance, autoAnimate: Boolean = true, scaleToUnits: Float? = null, centerOrigin: Float3? = null) :
    Node(throw UnsupportedOperationException())

open class LightNode(engine: Engine, type: LightManager.Type, entity: Int = 0, apply: LightManager.Builder.() -> Unit) : Node(engine, entity)
