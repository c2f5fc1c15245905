	// What the program changes, shown.
	void Start() {
		Begin();
		for (int i = 0; i < trackOn.Length; i++) trackOn[i] = trackStarts[i];
	}

	void FixedUpdate() {
		if (!begun) return;
		rest = Mathf.Min(rest + Time.fixedDeltaTime, 0.25f);
		while (rest >= 1f / rate - 0.000001f) {
			rest -= 1f / rate;
			Step();
			for (int i = 0; i < trackNode.Length; i++) Track(i);
		}
		Look();
	}

	Vector3 Vector(object v) { return new Vector3((float)Number(Items(v)[0]), (float)Number(Items(v)[1]), -(float)Number(Count(v) > 2 ? Items(v)[2] : null)); }

	void SetProperty(string id, string key, object v) {
		if (Same(Get(props, id + "\n" + key), v)) return;
		Put(props, id + "\n" + key, v);
		int i = Node(id);
		if (i < 0 || objects == null || i >= objects.Length || objects[i] == null) return;
		Transform t = objects[i].transform;
		bool vector = Tag(v) == "list" && Count(v) >= 2;
		if (key == "position" && vector) t.localPosition = Vector(v);
		else if (key == "rotation" && vector && Count(v) == 3) t.localRotation = Turned((float)Number(Items(v)[0]), (float)Number(Items(v)[1]), (float)Number(Items(v)[2]));
		else if (key == "scale" && vector && Count(v) == 3) t.localScale = new Vector3((float)Number(Items(v)[0]), (float)Number(Items(v)[1]), (float)Number(Items(v)[2]));
		else if (key == "scale" && IsNumber(v)) t.localScale = Vector3.one * (float)(double)v;
		else if (key == "text") Letters(i, v == null ? "" : Printed(v));
		else if (key == "visible") {
			Renderer[] shown = objects[i].GetComponentsInChildren<Renderer>();
			for (int k = 0; k < shown.Length; k++) shown[k].enabled = Truthy(v);
		} else if (key == "color" || key == "base_color" || key == "emissive" || key == "opacity" || key == "emissive_intensity" || key == "metallic" || key == "roughness") Paint(i, key, v);
		else if (key == "intensity" && IsNumber(v)) {
			Light[] lights = objects[i].GetComponentsInChildren<Light>();
			for (int k = 0; k < lights.Length; k++) lights[k].intensity = (float)(double)v;
		} else if (key == "volume" && IsNumber(v) && sounds[i] != null) sounds[i].volume = (float)(double)v;
	}

	Quaternion Turned(float x, float y, float z) {
		return Quaternion.AngleAxis(-x, Vector3.right) * Quaternion.AngleAxis(-y, Vector3.up) * Quaternion.AngleAxis(z, Vector3.forward);
	}

	int Hex(string text, int at) { return "0123456789abcdef".IndexOf(text.Substring(at, 1).ToLower()); }

	bool Coloured(object v) { return IsText(v) && ((string)v).Length >= 7 && ((string)v).StartsWith("#"); }

	Color Hue(string s, float alpha) {
		return new Color((Hex(s, 1) * 16 + Hex(s, 2)) / 255f, (Hex(s, 3) * 16 + Hex(s, 4)) / 255f, (Hex(s, 5) * 16 + Hex(s, 6)) / 255f, alpha);
	}

	void Paint(int i, string key, object v) {
		if ((key == "color" || key == "base_color") && Coloured(v)) {
			Light[] lights = objects[i].GetComponentsInChildren<Light>();
			for (int k = 0; k < lights.Length; k++) lights[k].color = Hue((string)v, 1);
		}
		Transform mesh = objects[i].transform.Find("Mesh");
		if (mesh == null) return;
		Material m = mesh.GetComponent<MeshRenderer>().material;
		if (key == "opacity" && IsNumber(v)) m.color = new Color(m.color.r, m.color.g, m.color.b, (float)(double)v);
		if (key == "metallic" && IsNumber(v)) m.SetFloat("_Metallic", (float)(double)v);
		if (key == "roughness" && IsNumber(v)) m.SetFloat("_Glossiness", 1 - (float)(double)v);
		if (key == "emissive_intensity" && IsNumber(v)) {
			m.EnableKeyword("_EMISSION");
			m.SetColor("_EmissionColor", glow[i] * (float)(double)v);
		}
		if (!Coloured(v)) return;
		Color c = Hue((string)v, m.color.a);
		if (key == "emissive") {
			m.EnableKeyword("_EMISSION");
			glow[i] = c;
			m.SetColor("_EmissionColor", c);
		} else m.color = c;
	}

	void Sound(string id, string name, bool on) {
		for (int i = 0; i < ids.Length; i++) {
			if (sounds[i] == null || !(name == "" ? ids[i] == id : names[i] == name || soundFiles[i] == name)) continue;
			sounds[i].Stop();
			if (on) sounds[i].Play();
			return;
		}
	}

	// Key frames, from one to the next in a straight line.
	void Track(int i) {
		if (!trackOn[i]) return;
		trackTime[i] += 1f / rate;
		int first = trackFrom[i];
		int last = trackFrom[i + 1] - 1;
		float end = keyTime[last];
		float t = trackTime[i];
		if (end > 0 && t > end) {
			int turns = (int)(t / end);
			if (trackLoop[i] >= 0 && turns > trackLoop[i]) {
				trackOn[i] = false;
				t = end;
				Raise(trackNode[i], "animation_end", null);
			} else {
				t -= turns * end;
				if (trackBack[i] && turns % 2 == 1) t = end - t;
			}
		}
		int k = first;
		while (k < last - 1 && t > keyTime[k + 1]) k++;
		int to = k < last ? k + 1 : k;
		float span = keyTime[to] - keyTime[k];
		float u = span > 0 ? Mathf.Clamp01((t - keyTime[k]) / span) : 1;
		int n = Node(trackNode[i]);
		if (n < 0 || objects == null || objects[n] == null) return;
		Transform o = objects[n].transform;
		Vector3 now = Vector3.Lerp(keyPlace[k], keyPlace[to], u);
		if (trackPart[i] == 0) o.localPosition = now;
		else if (trackPart[i] == 1) o.localRotation = Quaternion.Slerp(keyTurn[k], keyTurn[to], u);
		else if (trackPart[i] == 2) o.localScale = now;
		else if (trackPart[i] < 6) { // one axis of the place
			Vector3 p = o.localPosition;
			o.localPosition = new Vector3(trackPart[i] == 3 ? now.x : p.x, trackPart[i] == 4 ? now.y : p.y, trackPart[i] == 5 ? now.z : p.z);
		} else {
			Vector3 p = o.localScale;
			o.localScale = new Vector3(trackPart[i] == 6 ? now.x : p.x, trackPart[i] == 7 ? now.y : p.y, trackPart[i] == 8 ? now.z : p.z);
		}
	}

	// Look says what the player's head points at.
	Actor over;

	void Look() {
		VRCPlayerApi player = Networking.LocalPlayer;
		if (player == null) return;
		VRCPlayerApi.TrackingData head = player.GetTrackingData(VRCPlayerApi.TrackingDataType.Head);
		RaycastHit hit;
		Actor found = null;
		if (Physics.Raycast(head.position, head.rotation * Vector3.forward, out hit, 20) && hit.collider != null) found = hit.collider.GetComponentInParent<Actor>();
		if (found == over) return;
		if (over != null) over.Raise("hover_exit", null);
		if (found != null) found.Raise("hover_enter", null);
		over = found;
	}
