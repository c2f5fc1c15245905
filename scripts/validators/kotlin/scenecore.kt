package androidx.xr.scenecore

import android.media.MediaPlayer
import androidx.xr.runtime.Session
import androidx.xr.runtime.math.FloatSize2d
import androidx.xr.runtime.math.Pose
import androidx.xr.runtime.math.Vector3
import androidx.xr.runtime.math.Vector4
import java.nio.file.Path
import java.util.concurrent.Executor
import java.util.function.Consumer

private fun no(): Nothing = throw UnsupportedOperationException()

interface ScenePose {
    fun transformPositionTo(position: Vector3, destination: ScenePose): Vector3
    fun transformDirectionTo(direction: Vector3, destination: ScenePose): Vector3
}

abstract class Component

open class Entity internal constructor() : ScenePose {
    override fun transformPositionTo(position: Vector3, destination: ScenePose): Vector3 = no()
    override fun transformDirectionTo(direction: Vector3, destination: ScenePose): Vector3 = no()
    var parent: Entity? = null
    var contentDescription: CharSequence = ""
    fun addComponent(component: Component): Boolean = true
    fun setPose(pose: Pose) = Unit
    fun setAlpha(alpha: Float) = Unit
    fun setEnabled(enabled: Boolean) = Unit

    companion object {
        fun create(session: Session, name: String?, pose: Pose, parent: Entity?): Entity = no()
    }
}

abstract class SpaceEntity internal constructor() : Entity()

class ActivitySpace internal constructor() : SpaceEntity()

class AnchorSpace internal constructor() : SpaceEntity() {
    val state: State get() = no()
    fun addStateChangedListener(executor: Executor, listener: Consumer<State>) = Unit

    class State internal constructor() {
        companion object {
            val ANCHORED: State = State()
        }
    }

    companion object {
        fun create(
            session: Session, minimumPlaneExtents: FloatSize2d, planeOrientations: Set<PlaneOrientation>, planeSemanticTypes: Set<PlaneSemanticType>
        ): AnchorSpace = no()
    }
}

class PlaneOrientation internal constructor() {
    companion object {
        val HORIZONTAL: PlaneOrientation = PlaneOrientation()
        val VERTICAL: PlaneOrientation = PlaneOrientation()
        val ALL: Set<PlaneOrientation> = setOf(HORIZONTAL, VERTICAL)
    }
}

class PlaneSemanticType internal constructor() {
    companion object {
        val CEILING: PlaneSemanticType = PlaneSemanticType()
        val ALL: Set<PlaneSemanticType> = setOf(CEILING)
    }
}

class GltfModel internal constructor() : AutoCloseable {
    override fun close() = Unit

    companion object {
        suspend fun create(session: Session, path: Path): GltfModel = no()
    }
}

class GltfModelNode internal constructor() {
    var localScale: Vector3 = Vector3(1f, 1f, 1f)
    fun setMaterialOverride(material: Material) = Unit
}

class GltfModelEntity internal constructor() : Entity() {
    val nodes: List<GltfModelNode> get() = no()

    companion object {
        fun create(session: Session, model: GltfModel, pose: Pose, parent: Entity?): GltfModelEntity = no()
    }
}

interface Material : AutoCloseable {
    override fun close()
}

class AlphaMode internal constructor() {
    companion object {
        val OPAQUE: AlphaMode = AlphaMode()
        val BLEND: AlphaMode = AlphaMode()
    }
}

class KhronosPbrMaterial internal constructor() : Material {
    override fun close() = Unit
    fun setBaseColorFactor(factor: Vector4) = Unit
    fun setEmissiveFactor(factor: Vector3) = Unit
    fun setMetallicFactor(factor: Float) = Unit
    fun setRoughnessFactor(factor: Float) = Unit

    companion object {
        suspend fun create(session: Session, alphaMode: AlphaMode): KhronosPbrMaterial = no()
    }
}

class InputEvent internal constructor(
    val source: Source, val pointerType: Pointer, val timestamp: Long, val origin: Vector3, val direction: Vector3, val action: Action
) {
    class Source internal constructor() {
        companion object {
            val GAZE_AND_GESTURE: Source = Source()
            val HEAD: Source = Source()
        }
    }

    class Pointer internal constructor() {
        companion object {
            val LEFT: Pointer = Pointer()
            val RIGHT: Pointer = Pointer()
        }
    }

    class Action internal constructor() {
        companion object {
            val DOWN: Action = Action()
            val UP: Action = Action()
            val MOVE: Action = Action()
            val CANCEL: Action = Action()
            val HOVER_ENTER: Action = Action()
            val HOVER_MOVE: Action = Action()
            val HOVER_EXIT: Action = Action()
        }
    }
}

class InteractableComponent internal constructor() : Component() {
    companion object {
        fun create(session: Session, executor: Executor, inputEventListener: Consumer<InputEvent>): InteractableComponent = no()
    }
}

class PointSourceParams

object SpatialMediaPlayer {
    fun setPointSourceParams(session: Session, mediaPlayer: MediaPlayer, params: PointSourceParams, entity: Entity) = Unit
}

class Scene internal constructor() {
    val activitySpace: ActivitySpace get() = no()
}

val Session.scene: Scene get() = no()
