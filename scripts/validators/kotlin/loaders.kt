package io.github.sceneview.loaders

import com.google.android.filament.gltfio.FilamentInstance

class ModelLoader {
    fun createModelInstance(assetFileLocation: String): FilamentInstance = throw UnsupportedOperationException()
}
