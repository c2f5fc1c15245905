package meshd.controls

import android.content.Context
import android.text.InputFilter
import android.text.InputType
import android.view.KeyEvent
import android.view.View
import android.view.ViewGroup
import android.widget.AdapterView
import android.widget.ArrayAdapter
import android.widget.Button
import android.widget.CheckBox
import android.widget.EditText
import android.widget.LinearLayout
import android.widget.ProgressBar
import android.widget.SeekBar
import android.widget.Spinner
import android.widget.TextView
import meshd.program.EVERYWHERE
import meshd.program.MapValue
import meshd.program.ListValue
import meshd.program.SCENE_OWNER
import meshd.program.formatNumber
import meshd.program.parseDocument
import meshd.program.textOf
import meshd.stage.Stage

/** Brings a key of a keyboard to the whole scene, by its sign or by its name. */
fun raise(stage: Stage, e: KeyEvent) {
    val map = LinkedHashMap<String, Any?>()
    map["key"] = if (e.unicodeChar > 32) String(Character.toChars(e.unicodeChar)) else KeyEvent.keyCodeToString(e.keyCode).replace("KEYCODE_", "")
    stage.raise(EVERYWHERE, if (e.action == KeyEvent.ACTION_DOWN) "key_down" else "key_up", MapValue(map))
}

/** The controls of a scene as views in one column, bound to its state. It has none where the document is empty. */
class Controls(private val context: Context, doc: String) {
    /** Receives the controls; without it they change nothing. */
    var stage: Stage? = null
    private val bound = HashMap<String, ArrayList<(Any?) -> Unit>>()
    private val filled = ArrayList<Pair<TextView, String>>()
    private val values = HashMap<String, Any?>()
    private var telling = false

    /** The column; null without controls. */
    val view: View?

    init {
        val list = if (doc == "") ArrayList<Any?>() else ArrayList((parseDocument(doc) as ListValue).items)
        if (list.isEmpty()) {
            view = null
        } else {
            val column = column()
            for (w in list) column.addView(control((w as MapValue).map))
            view = column
        }
    }

    private fun column(): LinearLayout {
        val out = LinearLayout(context)
        out.orientation = LinearLayout.VERTICAL
        val gap = (12 * context.resources.displayMetrics.density).toInt()
        out.setPadding(gap, gap, gap, gap)
        return out
    }

    private fun said(v: Any?): String = when (v) {
        null -> ""
        is Double -> formatNumber(Math.floor(v * 100 + 0.5) / 100)
        else -> textOf(v)
    }

    private fun control(w: Map<String, Any?>): View {
        val label = said(w["label"])
        val params = (w["params"] as? MapValue)?.map ?: HashMap<String, Any?>()
        val made: View = when (w["kind"]) {
            "button" -> return button(w, label, params)
            "text" -> return text(w, label)
            "image" -> return TextView(context).also { it.text = if (label != "") label else "Picture" }
            "slider" -> slider(w, params)
            "checkbox" -> checkbox(w)
            "input" -> input(w, params)
            "dropdown" -> dropdown(w, params)
            "progress" -> progress(w, params)
            else -> return section(w, label)
        }
        made.contentDescription = if (label != "") label else "Choice"
        val row = LinearLayout(context)
        row.orientation = LinearLayout.HORIZONTAL
        val name = TextView(context)
        name.text = if (label != "") label else "Choice"
        row.addView(name)
        row.addView(made, LinearLayout.LayoutParams((200 * context.resources.displayMetrics.density).toInt(), ViewGroup.LayoutParams.WRAP_CONTENT))
        return row
    }

    private fun section(w: Map<String, Any?>, label: String): View {
        val out = column()
        if (label != "") out.addView(TextView(context).also { it.text = label })
        val children = (w["children"] as? ListValue)?.items ?: ArrayList<Any?>()
        for (c in children) out.addView(control((c as MapValue).map))
        return out
    }

    private fun id(w: Map<String, Any?>): String = said(w["id"] ?: w["label"])

    private fun button(w: Map<String, Any?>, label: String, params: Map<String, Any?>): View {
        val out = Button(context)
        fill(out, if (label != "") label else "Button")
        out.isEnabled = params["disabled"] != true && params["enabled"] != false
        out.setOnClickListener {
            val map = LinkedHashMap<String, Any?>()
            map["id"] = id(w)
            stage?.raise(SCENE_OWNER, "ui:" + id(w), MapValue(map))
        }
        return out
    }

    private fun text(w: Map<String, Any?>, label: String): View {
        val out = TextView(context)
        if (w["bind"] is String) bind(w) { out.text = said(it) } else fill(out, if (label != "") label else said(w["value"]))
        return out
    }

    private fun number(v: Any?, otherwise: Double): Double = v as? Double ?: otherwise

    private fun slider(w: Map<String, Any?>, params: Map<String, Any?>): View {
        val low = number(params["min"], 0.0)
        val high = Math.max(number(params["max"], 100.0), low + 1e-6)
        val step = number(params["step"], (high - low) / 1000)
        val steps = Math.max(1.0, Math.min(100000.0, Math.floor((high - low) / Math.max(step, 1e-9) + 0.5))).toInt()
        val out = SeekBar(context)
        out.max = steps
        bind(w) { if (it is Double) out.progress = Math.floor((it - low) / (high - low) * steps + 0.5).toInt() }
        out.setOnSeekBarChangeListener(object : SeekBar.OnSeekBarChangeListener {
            override fun onProgressChanged(bar: SeekBar, progress: Int, fromUser: Boolean) {
                if (fromUser) changed(w, low + (high - low) * progress / steps)
            }

            override fun onStartTrackingTouch(bar: SeekBar) = Unit

            override fun onStopTrackingTouch(bar: SeekBar) = Unit
        })
        return out
    }

    private fun checkbox(w: Map<String, Any?>): View {
        val out = CheckBox(context)
        bind(w) { out.isChecked = it == true }
        out.setOnCheckedChangeListener { _, on -> changed(w, on) }
        return out
    }

    private fun input(w: Map<String, Any?>, params: Map<String, Any?>): View {
        val out = EditText(context)
        out.hint = said(params["placeholder"])
        out.filters = arrayOf<InputFilter>(InputFilter.LengthFilter(10000))
        val number = params["type"] == "number"
        out.inputType = when (params["type"]) {
            "number" -> InputType.TYPE_CLASS_NUMBER or InputType.TYPE_NUMBER_FLAG_DECIMAL or InputType.TYPE_NUMBER_FLAG_SIGNED
            "password" -> InputType.TYPE_CLASS_TEXT or InputType.TYPE_TEXT_VARIATION_PASSWORD
            else -> InputType.TYPE_CLASS_TEXT
        }
        bind(w) { out.setText(said(it)) }
        out.setOnFocusChangeListener { _, focused ->
            val now = out.text.toString()
            if (!focused) changed(w, if (number) now.toDoubleOrNull() ?: Double.NaN else now)
        }
        return out
    }

    private fun dropdown(w: Map<String, Any?>, params: Map<String, Any?>): View {
        val choices = ((params["options"] as? ListValue)?.items ?: ArrayList<Any?>()).map { said(it) }
        val out = Spinner(context)
        out.adapter = ArrayAdapter<String>(context, android.R.layout.simple_spinner_dropdown_item, choices)
        bind(w) { if (choices.contains(said(it))) out.setSelection(choices.indexOf(said(it))) }
        out.onItemSelectedListener = object : AdapterView.OnItemSelectedListener {
            override fun onItemSelected(parent: AdapterView<*>, view: View?, position: Int, id: Long) {
                val choice = choices[position]
                if (said(values[said(w["bind"])]) != choice) changed(w, choice)
            }

            override fun onNothingSelected(parent: AdapterView<*>) = Unit
        }
        return out
    }

    private fun progress(w: Map<String, Any?>, params: Map<String, Any?>): View {
        val out = ProgressBar(context, null, android.R.attr.progressBarStyleHorizontal)
        val most = number(params["max"], 1.0)
        out.max = 1000
        bind(w) { if (it is Double) out.progress = (1000 * it / most).toInt() }
        return out
    }

    private fun bind(w: Map<String, Any?>, show: (Any?) -> Unit) {
        if (w["value"] != null) quietly { show(w["value"]) }
        val key = w["bind"] as? String ?: return
        bound.getOrPut(key) { ArrayList() }.add(show)
    }

    private fun quietly(work: () -> Unit) {
        telling = true
        work()
        telling = false
    }

    private fun changed(w: Map<String, Any?>, value: Any?) {
        if (telling) return
        val s = stage ?: return
        val key = w["bind"] as? String
        if (key != null) s.setState(key, value)
        val map = LinkedHashMap<String, Any?>()
        map["id"] = id(w)
        map["value"] = value
        s.raise(SCENE_OWNER, "change", MapValue(map))
    }

    /** Shows a text whose places in braces are state keys. */
    private fun fill(view: TextView, source: String) {
        filled.add(Pair(view, source))
        view.text = filledIn(source)
    }

    private val hole = Regex("\\$\\{([^}]*)\\}")

    private fun key(inside: String): String = inside.trim().replace("state.", "").replace("this.", "")

    private fun filledIn(source: String): String = hole.replace(source) { said(values[key(it.groupValues[1])]) }

    /** A state key of the scene has another value. */
    fun state(key: String, value: Any?) {
        values[key] = value
        quietly { for (show in bound[key] ?: ArrayList<(Any?) -> Unit>()) show(value) }
        for ((view, source) in filled) if (hole.findAll(source).any { key(it.groupValues[1]) == key }) view.text = filledIn(source)
    }
}
