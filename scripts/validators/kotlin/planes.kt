package io.github.sceneview.ar.scene

class PlaneRenderer {
    var isEnabled: Boolean = true
}
