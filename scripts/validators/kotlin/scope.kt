package kotlinx.coroutines

interface CoroutineScope

interface Job

fun CoroutineScope.launch(block: suspend CoroutineScope.() -> Unit): Job = throw UnsupportedOperationException()
