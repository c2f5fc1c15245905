package androidx.lifecycle

import kotlinx.coroutines.CoroutineScope

abstract class Lifecycle

interface LifecycleOwner {
    val lifecycle: Lifecycle
}

val LifecycleOwner.lifecycleScope: CoroutineScope get() = throw UnsupportedOperationException()
