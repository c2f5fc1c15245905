package io.github.sceneview.ar

import android.content.Context
import android.view.ViewGroup
import androidx.activity.ComponentActivity
import androidx.lifecycle.Lifecycle
import com.google.android.filament.Engine
import com.google.ar.core.Config
import com.google.ar.core.Frame
import com.google.ar.core.Session
import io.github.sceneview.ar.scene.PlaneRenderer
import io.github.sceneview.loaders.ModelLoader
import io.github.sceneview.node.Node

open class ARSceneView(
    context: Context, sharedActivity: ComponentActivity? = null, sharedLifecycle: Lifecycle? = null,
    var sessionConfiguration: ((session: Session, Config) -> Unit)? = null, var onSessionUpdated: ((session: Session, frame: Frame) -> Unit)? = null
) : ViewGroup(context) {
    val engine: Engine = throw UnsupportedOperationException()
    val modelLoader: ModelLoader = throw UnsupportedOperationException()
    val planeRenderer: PlaneRenderer = throw UnsupportedOperationException()
    fun addChildNode(node: Node): ARSceneView = this
    fun removeChildNode(node: Node): ARSceneView = this
    fun destroy() = Unit
}
