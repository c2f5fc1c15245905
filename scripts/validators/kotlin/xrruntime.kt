package androidx.xr.runtime

import android.app.Activity

class PlaneTrackingMode private constructor() {
    companion object {
        val DISABLED: PlaneTrackingMode = PlaneTrackingMode()
        val HORIZONTAL_AND_VERTICAL: PlaneTrackingMode = PlaneTrackingMode()
    }
}

class Config(val planeTracking: PlaneTrackingMode = PlaneTrackingMode.DISABLED) {
    fun copy(planeTracking: PlaneTrackingMode = this.planeTracking): Config = this
}

sealed class SessionCreateResult

class SessionCreateSuccess(val session: Session) : SessionCreateResult()

class SessionConfigureResult

class Session private constructor() {
    val config: Config = Config()
    fun configure(config: Config): SessionConfigureResult = SessionConfigureResult()

    companion object {
        fun create(activity: Activity): SessionCreateResult = throw UnsupportedOperationException()
    }
}
