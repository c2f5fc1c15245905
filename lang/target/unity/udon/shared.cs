	// What players share: the state of networked nodes in one text, a value after
	// the other. 0 is nothing, y and x are yes and no, n a number until ;, t a text of
	// so many characters behind :, o and s a node and the state of one by their ids, l
	// a list of so many elements, m an object of so many keys, each with its value. At
	// - the others keep what they have: a value nested deeper than MaxSharedDepth, as one
	// that holds itself, or one for which MaxShared leaves no room.
	const int MaxSharedDepth = 12;
	const int MaxShared = 100000; // characters of two bytes; the platform sends 280,496 bytes at once

	bool unsent;
	string[] pieces = new string[256];
	int pieceCount;
	int pieceLength;
	string given;
	int givenAt;
	bool broken;

	// Touch says that shared state may have changed; the end of the step sends it.
	void Touch() { unsent = unsent || sharesAny && !taking; }

	bool Piece(string text) {
		if (pieceLength + text.Length > MaxShared && text != "-") return false;
		if (pieceCount >= pieces.Length) {
			string[] more = new string[pieces.Length * 2];
			for (int i = 0; i < pieceCount; i++) more[i] = pieces[i];
			pieces = more;
		}
		pieces[pieceCount] = text;
		pieceCount++;
		pieceLength += text.Length;
		return true;
	}

	string Pieces() {
		string[] all = new string[pieceCount];
		for (int i = 0; i < pieceCount; i++) all[i] = pieces[i];
		return string.Join("", all);
	}

	[RecursiveMethod]
	bool Give(object v, int depth) {
		if (v == null) return Piece("0");
		if (IsBool(v)) return Piece((bool)v ? "y" : "x");
		if (IsNumber(v)) return Piece("n" + ((double)v).ToString("R", CultureInfo.InvariantCulture) + ";");
		if (IsText(v)) return Piece("t" + ((string)v).Length + ":" + (string)v);
		string tag = Tag(v);
		if (tag == "node" || tag == "state") {
			string id = (string)((object[])v)[1];
			return Piece((tag == "node" ? "o" : "s") + id.Length + ":" + id);
		}
		if (tag != "list" && tag != "map" || depth == 0 || !Piece((tag == "list" ? "l" : "m") + Count(v) + ":")) return false;
		int n = Count(v);
		for (int i = 0; i < n; i++) {
			if (tag == "map" && !Give(Items(v)[i], 0)) return false;
			if (!Give(tag == "map" ? ((object[])((object[])v)[3])[i] : Items(v)[i], depth - 1)) return false;
		}
		return true;
	}

	// Share hands the state of networked nodes to the other players, if it changed.
	void Share() {
		unsent = false;
		pieceCount = 0;
		pieceLength = 0;
		for (int i = 0; i < slots.Length; i++) {
			if (!slotShared[i]) continue;
			int count = pieceCount;
			int length = pieceLength;
			if (Give(slots[i], MaxSharedDepth)) continue;
			Debug.LogWarning(slotKey[i] + " is not sent: a value of more than " + MaxShared + " characters, or nested deeper than " + MaxSharedDepth);
			pieceCount = count;
			pieceLength = length;
			Piece("-");
		}
		string text = Pieces();
		if (text == shared) return;
		shared = text;
		if (!Networking.IsOwner(gameObject)) Networking.SetOwner(Networking.LocalPlayer, gameObject);
		RequestSerialization();
	}

	// Number of elements or characters, until :.
	int Size() {
		int n = 0;
		for (int digits = 0; digits < 7 && givenAt < given.Length; digits++) {
			int digit = "0123456789".IndexOf(given[givenAt]);
			givenAt++;
			if (digit < 0) {
				broken = broken || digits == 0 || given[givenAt - 1] != ':';
				return n;
			}
			n = n * 10 + digit;
		}
		broken = true;
		return 0;
	}

	string Characters() {
		int n = Size();
		if (broken || n > given.Length - givenAt) {
			broken = true;
			return "";
		}
		givenAt += n;
		return given.Substring(givenAt - n, n);
	}

	[RecursiveMethod]
	object Taken(int depth) {
		if (givenAt >= given.Length) {
			broken = true;
			return null;
		}
		char kind = given[givenAt];
		givenAt++;
		if (kind == '0') return null;
		if (kind == 'y' || kind == 'x') return kind == 'y';
		if (kind == 't') return Characters();
		if (kind == 'o') return NodeOf(Characters());
		if (kind == 's') return new object[] { "state", Characters() };
		if (kind == 'n') {
			int from = givenAt;
			while (givenAt < given.Length && given[givenAt] != ';') givenAt++;
			double x = 0;
			broken = givenAt >= given.Length || !double.TryParse(given.Substring(from, givenAt - from), NumberStyles.Float, CultureInfo.InvariantCulture, out x);
			givenAt++;
			return x;
		}
		int n = kind == 'l' || kind == 'm' ? Size() : 0;
		broken = broken || kind != 'l' && kind != 'm' || depth == 0 || n > given.Length - givenAt;
		if (broken) return null;
		object o = kind == 'l' ? NewList(n) : new object[] { "map", 0, new object[n < 4 ? 4 : n], new object[n < 4 ? 4 : n] };
		for (int i = 0; i < n && !broken; i++) {
			string key = "";
			if (kind == 'm') {
				broken = givenAt >= given.Length || given[givenAt] != 't';
				if (broken) return null;
				givenAt++;
				key = Characters();
			}
			object v = Taken(depth - 1);
			if (kind == 'm') Put(o, key, v);
			else Append(o, v);
		}
		return o;
	}

	public override void OnDeserialization() {
		Begin();
		given = shared;
		givenAt = 0;
		broken = false;
		taking = true;
		for (int i = 0; i < slots.Length && givenAt < given.Length; i++) {
			if (!slotShared[i]) continue;
			if (given[givenAt] == '-') {
				givenAt++;
				continue;
			}
			int from = givenAt;
			object v = Taken(MaxSharedDepth);
			if (broken) break;
			pieceCount = 0;
			pieceLength = 0;
			if (!Give(slots[i], MaxSharedDepth) || Pieces() != given.Substring(from, givenAt - from)) Set(i, v);
		}
		taking = false;
		Flush();
	}
