// Texts: their characters, their spaces, their large and small letters.

// decode is the character at a byte of a text, which moves behind it. Bytes that
// are no UTF-8 are U+FFFD, one by one.
char32_t decode(const std::string &s, std::size_t &at) {
	const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
	const unsigned char first = byte(at++);
	if (first < 0x80)
		return first;
	const int more = first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xc2 && first < 0xe0 ? 1 : 0;
	if (more == 0)
		return 0xfffd;
	char32_t c = first & (0x3f >> more);
	for (int i = 0; i < more; i++) {
		if (at + static_cast<std::size_t>(i) >= s.size() || (byte(at + static_cast<std::size_t>(i)) & 0xc0) != 0x80)
			return 0xfffd;
		c = (c << 6) | (byte(at + static_cast<std::size_t>(i)) & 0x3f);
	}
	if ((more == 2 && c < 0x800) || (more == 3 && (c < 0x10000 || c > 0x10ffff)) || (c >= 0xd800 && c < 0xe000))
		return 0xfffd;
	at += static_cast<std::size_t>(more);
	return c;
}

void encode(std::string &to, char32_t c) {
	if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		c = 0xfffd;
	const auto put = [&](char32_t b) { to += static_cast<char>(static_cast<unsigned char>(b)); };
	if (c < 0x80) {
		put(c);
	} else if (c < 0x800) {
		put(0xc0 | (c >> 6));
		put(0x80 | (c & 63));
	} else if (c < 0x10000) {
		put(0xe0 | (c >> 12));
		put(0x80 | ((c >> 6) & 63));
		put(0x80 | (c & 63));
	} else {
		put(0xf0 | (c >> 18));
		put(0x80 | ((c >> 12) & 63));
		put(0x80 | ((c >> 6) & 63));
		put(0x80 | (c & 63));
	}
}

std::size_t countOf(const std::string &s) {
	std::size_t n = 0;
	for (std::size_t at = 0; at < s.size(); n++)
		decode(s, at);
	return n;
}

std::vector<std::string> charactersOf(const std::string &s) {
	std::vector<std::string> out;
	for (std::size_t at = 0; at < s.size();) {
		const std::size_t from = at;
		decode(s, at);
		out.push_back(s.substr(from, at - from));
	}
	return out;
}

bool isSpace(char32_t c) {
	return (c >= 9 && c <= 13) || c == ' ' || c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
		c == 0x202f || c == 0x205f || c == 0x3000;
}

std::string trimmed(const std::string &s) {
	std::size_t from = s.size(), to = 0;
	for (std::size_t at = 0; at < s.size();) {
		const std::size_t start = at;
		if (isSpace(decode(s, at)))
			continue;
		from = std::min(from, start);
		to = at;
	}
	return from < to ? s.substr(from, to - from) : std::string();
}

bool startsWith(const std::string &s, const std::string &part) { return s.size() >= part.size() && s.compare(0, part.size(), part) == 0; }
bool endsWith(const std::string &s, const std::string &part) { return s.size() >= part.size() && s.compare(s.size() - part.size(), part.size(), part) == 0; }

// countParts is how often a part is in a text; the empty one is around every
// character.
std::size_t countParts(const std::string &s, const std::string &part) {
	if (part.empty())
		return countOf(s) + 1;
	std::size_t n = 0;
	for (std::size_t at = s.find(part); at != std::string::npos; at = s.find(part, at + part.size()))
		n++;
	return n;
}

std::vector<std::string> split(const std::string &s, const std::string &part) {
	if (part.empty())
		return charactersOf(s);
	std::vector<std::string> out;
	std::size_t at = 0;
	for (std::size_t i = s.find(part); i != std::string::npos; i = s.find(part, at)) {
		out.push_back(s.substr(at, i - at));
		at = i + part.size();
	}
	out.push_back(s.substr(at));
	return out;
}

std::string replaced(const std::string &s, const std::string &part, const std::string &with, bool all) {
	std::string out;
	if (part.empty()) {
		if (!all)
			return with + s;
		out = with;
		for (const std::string &c : charactersOf(s))
			out += c + with;
		return out;
	}
	std::size_t at = 0;
	for (std::size_t i = s.find(part); i != std::string::npos; i = s.find(part, at)) {
		out.append(s, at, i - at);
		out += with;
		at = i + part.size();
		if (!all)
			break;
	}
	out.append(s, at, std::string::npos);
	return out;
}

// cased maps each character by itself; those that would become several stay as
// they are.
std::string cased(const std::string &s, bool upper) {
	std::string out;
	for (std::size_t at = 0; at < s.size();) {
		char32_t c = decode(s, at);
		if (c < 0x80) {
			if (upper ? c >= 'a' && c <= 'z' : c >= 'A' && c <= 'Z')
				c ^= 0x20;
		} else if (c != 0x130 && !(c >= 0x1f80 && c <= 0x1ffc)) {
			c = otherCase(c, upper);
		}
		encode(out, c);
	}
	return out;
}

std::string clip(const std::string &s) {
	std::size_t at = 0;
	for (int n = 0; at < s.size(); n++) {
		if (n == 200)
			return s.substr(0, at) + "\xe2\x80\xa6";
		decode(s, at);
	}
	return s;
}

std::string brief(const std::string &s) {
	if (s.size() <= MaxNoted)
		return s;
	std::size_t at = 0, end = 0;
	while (at < MaxNoted) {
		decode(s, at);
		if (at <= MaxNoted)
			end = at;
	}
	return s.substr(0, end) + "\xe2\x80\xa6";
}
