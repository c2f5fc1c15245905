# The controls of a scene, bound to its state.

var bound = {} # state key → [[control, widget]]
var filled = [] # [control, pieces]: texts with ${key} in them
var last_values = {}
var telling = false

func x_controls():
	if WIDGETS.size() == 0:
		return
	var layer = CanvasLayer.new()
	layer.name = "Controls"
	var box = VBoxContainer.new()
	layer.add_child(box)
	for name in ["margin_left", "margin_top", "offset_left", "offset_top"]: # of the third version, of the fourth
		box.set(name, 12)
	for w in WIDGETS:
		box.add_child(x_control(w))
	add_child(layer)

func x_of(w, key, otherwise):
	return w[key] if w.has(key) and w[key] != null else otherwise

func x_control(w):
	var label = x_of(w, "label", x_of(w, "id", ""))
	var params = x_of(w, "params", {})
	var o
	match w.kind:
		"button":
			o = Button.new()
			x_fill(o, label if label != "" else "Button")
			o.disabled = x_of(params, "disabled", false) == true or x_of(params, "enabled", true) == false
			d_connect(o, "pressed", "x_pressed", [x_of(w, "id", x_of(w, "label", ""))])
			return o
		"text":
			o = Label.new()
			if w.has("bind"):
				x_bind(w, o)
			else:
				x_fill(o, label if label != "" else x_said(x_of(w, "value", "")))
			return o
		"slider":
			o = HSlider.new()
			o.min_value = x_of(params, "min", 0)
			o.max_value = x_of(params, "max", 100)
			o.step = x_of(params, "step", 0.001)
			d_connect(o, "value_changed", "x_changed", [w])
		"checkbox":
			o = CheckBox.new()
			d_connect(o, "toggled", "x_changed", [w])
		"input":
			o = LineEdit.new()
			o.max_length = 10000
			o.placeholder_text = x_said(x_of(params, "placeholder", ""))
			o.secret = x_said(x_of(params, "type", "")) == "password"
			d_connect(o, d_entered(), "x_changed", [w])
		"dropdown":
			o = OptionButton.new()
			for choice in x_of(params, "options", []):
				o.add_item(x_said(choice))
			d_connect(o, "item_selected", "x_chosen", [o, w])
		"image":
			var file = x_said(x_of(params, "src", x_of(params, "url", x_of(w, "value", ""))))
			var picture = x_resource(file)
			if picture != null:
				o = TextureRect.new()
				o.texture = picture
			else:
				o = Label.new()
				o.text = label if label != "" else "Picture"
			return o
		_:
			o = VBoxContainer.new()
			if label != "":
				var head = Label.new()
				head.text = label
				o.add_child(head)
			for c in x_of(w, "children", []):
				o.add_child(x_control(c))
			return o
	x_bind(w, o)
	o.set("custom_minimum_size", Vector2(160, 0))
	o.set("rect_min_size", Vector2(160, 0))
	var row = HBoxContainer.new()
	var name_of = Label.new()
	name_of.text = label if label != "" else "Choice"
	row.add_child(name_of)
	row.add_child(o)
	return row

func x_bind(w, o):
	if w.has("value"):
		x_show_value(o, w.value)
	if w.has("bind"):
		if not bound.has(w.bind):
			bound[w.bind] = []
		bound[w.bind].append(o)

# x_fill shows a text whose ${key} are state keys.
func x_fill(o, source):
	var pieces = [] # a text, then a key, and so on
	var at = 0
	while true:
		var i = source.find("${", at)
		var end = source.find("}", i) if i >= 0 else -1
		if end < 0:
			break
		pieces.append(source.substr(at, i - at))
		pieces.append(t_trim(source.substr(i + 2, end - i - 2)).replace("state.", "").replace("this.", ""))
		at = end + 1
	pieces.append(source.substr(at, source.length() - at))
	filled.append([o, pieces])
	o.text = x_pieced(pieces)

func x_pieced(pieces):
	var out = ""
	for i in range(pieces.size()):
		if i % 2 == 0:
			out += pieces[i]
		else:
			out += x_said(last_values[pieces[i]]) if last_values.has(pieces[i]) else ""
	return out

func x_said(v):
	match typeof(v):
		NIL:
			return ""
		TEXT:
			return v
		NUM, 2:
			return n_format(floor(v * 100.0 + 0.5) / 100.0)
	return v_text(v_in(v))

func x_show_value(o, v):
	telling = true
	if o is Label:
		o.text = x_said(v)
	elif o is CheckBox:
		d_press(o, typeof(v) == BOOL and v)
	elif o is OptionButton:
		for i in range(o.get_item_count()):
			if o.get_item_text(i) == x_said(v):
				o.select(i)
	elif o is LineEdit:
		o.text = x_said(v)
	elif o is HSlider and (typeof(v) == NUM or typeof(v) == 2):
		o.value = v
	telling = false

func x_control_state(key, v):
	last_values[key] = v
	if bound.has(key):
		for o in bound[key]:
			x_show_value(o, v)
	for f in filled:
		if f[1].size() > 1 and key in f[1]:
			f[0].text = x_pieced(f[1])

func x_pressed(id):
	raise_event(SCENE, "ui:" + id, {"id": id})

func x_chosen(_index, o, w):
	x_changed(o.get_item_text(o.selected), w)

func x_changed(value, w):
	if telling:
		return
	var v = value
	if typeof(v) == TEXT and x_of(x_of(w, "params", {}), "type", "") == "number":
		var n = n_read(t_trim(v))
		v = NAN if n == null else n
	if w.has("bind"):
		set_state(w.bind, v)
	raise_event(SCENE, "change", {"id": x_of(w, "id", x_of(w, "label", "")), "value": v})
