	// Texts that the program writes, as triangles in the mesh of the letters that the
	// editor gave to their nodes. A text ends where its mesh would be too large.
	const int MaxCorners = 32000; // of one side: a mesh has 65,535

	bool Blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\u00a0' || c == '\u3000'; }

	int Glyph(char c) {
		int g = glyphs.IndexOf(c);
		return g >= 0 ? g : glyphs.IndexOf('?');
	}

	float Wide(string line) {
		float across = 0;
		float wide = 0;
		for (int i = 0; i < line.Length; i++) {
			int g = Blank(line[i]) ? -1 : Glyph(line[i]);
			if (g >= 0) {
				across += glyphWide[g] + 2;
				wide = across - 2;
			} else if (Blank(line[i])) across += 3;
		}
		return wide;
	}

	// Corners are those of a text at a node, seen from the front.
	Vector3[] Corners(int node, string text) {
		int n = 0;
		int end = 0;
		while (end < text.Length) {
			int g = text[end] == '\n' || Blank(text[end]) ? -1 : Glyph(text[end]);
			int more = g < 0 ? 0 : (glyphFrom[g + 1] - glyphFrom[g]) / 2;
			if (n + more > MaxCorners) break;
			n += more;
			end++;
		}
		Vector3[] at = new Vector3[n];
		string[] lines = text.Substring(0, end).Split('\n');
		float unit = letterSize[node] / 6;
		int k = 0;
		for (int row = 0; row < lines.Length; row++) {
			string line = lines[row];
			float up = ((lines.Length - 1) / 2f - row) * 10;
			float across = letterSide[node] == "left" ? 0 : letterSide[node] == "right" ? -Wide(line) : -Wide(line) / 2;
			for (int i = 0; i < line.Length; i++) {
				if (Blank(line[i])) {
					across += 3;
					continue;
				}
				int g = Glyph(line[i]);
				if (g < 0) continue;
				for (int p = glyphFrom[g]; p + 5 < glyphFrom[g + 1]; p += 6) {
					for (int c = 4; c >= 0; c -= 2) { // seen from the other side: the order turns
						at[k] = new Vector3((across + glyphCorners[p + c]) * unit, (up + glyphCorners[p + c + 1]) * unit, -letterFront[node]);
						k++;
					}
				}
				across += glyphWide[g] + 2;
			}
		}
		return at;
	}

	// Draw makes a mesh that of a text, with both its sides.
	void Draw(Mesh mesh, int node, string text) {
		Vector3[] front = Corners(node, text);
		int n = front.Length;
		Vector3[] at = new Vector3[2 * n];
		Vector3[] facing = new Vector3[2 * n];
		int[] order = new int[2 * n];
		for (int i = 0; i < n; i++) {
			at[i] = front[i];
			at[n + i] = front[i];
			facing[i] = new Vector3(0, 0, -1);
			facing[n + i] = new Vector3(0, 0, 1);
			order[i] = i;
			order[n + i] = n + i - i % 3 + 2 - i % 3;
		}
		mesh.Clear();
		mesh.vertices = at;
		mesh.normals = facing;
		mesh.triangles = order;
		mesh.RecalculateBounds();
	}

	void Letters(int node, string text) {
		Transform letters = objects[node].transform.Find("Letters");
		if (letters != null && glyphs.Length > 0) Draw(letters.GetComponent<MeshFilter>().mesh, node, text);
	}
