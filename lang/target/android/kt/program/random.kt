/** sfc32, the generator of random numbers that all interpreters have. */
internal class Random(seed: LongArray) {
    private var a = seed[0].toInt()
    private var b = seed[1].toInt()
    private var c = seed[2].toInt()
    private var d = seed[3].toInt()

    init {
        for (i in 1..12) next() // the first rounds still show the seed
    }

    private fun next(): Long {
        val t = a + b + d
        d += 1
        a = b xor (b ushr 9)
        b = c + (c shl 3)
        c = (c shl 21) or (c ushr 11)
        c += t
        return t.toLong() and 0xffffffffL
    }

    fun float(): Double = next() / 4294967296.0
}
