package androidx.activity

import android.app.Activity
import androidx.activity.result.ActivityResultLauncher
import androidx.activity.result.contract.ActivityResultContract
import androidx.lifecycle.Lifecycle
import androidx.lifecycle.LifecycleOwner

open class ComponentActivity : Activity(), LifecycleOwner {
    override val lifecycle: Lifecycle get() = throw UnsupportedOperationException()
    fun <I, O> registerForActivityResult(contract: ActivityResultContract<I, O>, callback: (O) -> Unit): ActivityResultLauncher<I> = throw UnsupportedOperationException()
}
