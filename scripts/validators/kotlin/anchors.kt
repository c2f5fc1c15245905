package io.github.sceneview.ar.node

import com.google.android.filament.Engine
import com.google.ar.core.Anchor
import io.github.sceneview.node.Node

open class AnchorNode(engine: Engine, var anchor: Anchor) : Node(engine)
