package meshd.controls

import android.content.Context
import android.media.MediaPlayer
import java.io.IOException
import meshd.stage.Sound

/** The sounds of a scene, from files among the assets. */
class Sounds(private val context: Context, private val ended: (String) -> Unit) {
    private class Playing(val sound: Sound, val player: MediaPlayer) {
        var volume = sound.volume
        var resume = false
    }

    private val playing = HashMap<String, Playing>()
    private var begun = false

    /** The things that have a sound. */
    val ids: List<String> get() = ArrayList(playing.keys)

    /** Gets a sound ready. The player is given to whoever makes it heard from a place; null without its file. */
    fun add(id: String, sound: Sound): MediaPlayer? {
        val player = MediaPlayer()
        try {
            val file = context.assets.openFd(sound.file)
            player.setDataSource(file.fileDescriptor, file.startOffset, file.length)
            file.close()
            player.isLooping = sound.loop
            player.setOnCompletionListener { ended(id) }
        } catch (e: IOException) {
            player.release()
            return null
        }
        playing[id] = Playing(sound, player)
        return player
    }

    /** Loads what add got ready, and starts what plays by itself. */
    fun begin() {
        begun = true
        for (id in ids) ready(id)
    }

    /** Loads one that came after the beginning; before that it waits for it. */
    fun ready(id: String) {
        val p = playing[id] ?: return
        if (!begun) return
        try {
            p.player.prepare()
        } catch (e: IOException) {
            return
        }
        level(p, 1.0)
        if (p.sound.autoplay) p.player.start()
    }

    fun remove(id: String) {
        playing.remove(id)?.player?.release()
    }

    fun play(id: String, on: Boolean) {
        val p = playing[id] ?: return
        if (on) {
            p.player.seekTo(0)
            p.player.start()
        } else if (p.player.isPlaying) {
            p.player.pause()
        }
    }

    fun volume(id: String, volume: Double) {
        val p = playing[id] ?: return
        p.volume = volume
        level(p, 1.0)
    }

    /** Makes a sound as loud as it is heard from metres away. */
    fun distance(id: String, metres: Double) {
        val p = playing[id] ?: return
        val near = Math.max(p.sound.near, 0.01)
        level(p, if (metres >= p.sound.far) 0.0 else if (metres <= near) 1.0 else near / metres)
    }

    private fun level(p: Playing, by: Double) {
        val v = Math.max(0.0, Math.min(1.0, p.volume * by)).toFloat()
        p.player.setVolume(v, v)
    }

    fun pause() {
        for (p in playing.values) {
            p.resume = p.player.isPlaying
            if (p.resume) p.player.pause()
        }
    }

    fun resume() {
        for (p in playing.values) if (p.resume) p.player.start()
    }

    fun release() {
        for (p in playing.values) p.player.release()
        playing.clear()
    }
}
