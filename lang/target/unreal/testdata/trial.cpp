// Runs cases one after the other: each argument is a path, with .program.json and
// .case.json behind it. It prints the entries of their traces.
#include "Program.h"

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>

using namespace meshd;

static std::string contents(const std::string &path) {
	std::ifstream in(path, std::ios::binary);
	return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

static std::string word(const Value &v, const char *key) { return textOf(v.fields().get(key)); }

static void trial(const std::string &path) {
	Program program;
	Value given;
	if (!load(contents(path + ".program.json"), program) || !parse(contents(path + ".case.json"), given, 64)) {
		std::printf("UNREADABLE\n");
		return;
	}
	std::vector<Node> nodes;
	for (const Value &n : given.fields().get("nodes").items().items)
		nodes.push_back({word(n, "id"), word(n, "parent"), word(n, "name"), n.fields().get("props")});
	Machine machine(std::move(program), nodes, nullptr, truthy(given.fields().get("long")));
	machine.tracing = true;
	machine.start();
	const int steps = static_cast<int>(given.fields().get("steps").real());
	const std::vector<Value> events = given.fields().get("events").items().items;
	for (int i = 0; i < steps; i++) {
		for (const Value &e : events)
			if (static_cast<int>(e.fields().get("step").real()) == i)
				machine.inject(word(e, "node"), word(e, "name"), copyOf(e.fields().get("payload"), 64));
		machine.step();
	}
	for (const Entry &e : machine.trace)
		std::printf("TRACE [%s,%s,%s,%s,%s,%s,%d,%d]\n", formatNumber(e.at).c_str(), quote(e.kind).c_str(), quote(e.node).c_str(), quote(e.name).c_str(),
			quote(e.value).c_str(), quote(e.function).c_str(), e.line, e.column);
}

// motion says where the axes, the turns and the key frames lead.
static void motion() {
	const auto print = [](const char *what, const double *v, std::size_t n) {
		std::printf("%s", what);
		for (std::size_t i = 0; i < n; i++)
			std::printf(" %.9g", v[i]);
		std::printf("\n");
	};
	const Triple at = toEngine({{1, 2, 3}}), back = toModel(at), size = scaleToEngine({{1, 2, 3}}), sizeBack = scaleToModel(size);
	print("place", at.data(), 3);
	print("place back", back.data(), 3);
	print("scale", size.data(), 3);
	print("scale back", sizeBack.data(), 3);
	const Turn t = turnOf({{10, 20, 30}}), e = turnToEngine(t), b = turnToModel(e);
	print("turn", t.data(), 4);
	print("turn in the engine", e.data(), 4);
	print("turn back", b.data(), 4);
	for (const Triple &d : {Triple{{10, 20, 30}}, Triple{{-80, -45, 170}}, Triple{{0, 90, 0}}}) {
		const Triple a = anglesOf(turnOf(d));
		print("angles", a.data(), 3);
	}
	const double up[] = {0, 0, 2, 10}, half[] = {0, 0, 0, 0, 1, 1, 0, 1, 0, 0};
	const Track once{"", "t.y", up, 2, 2, "linear", 0, true, false}, swing{"", "t.y", up, 2, 2, "linear", -1, true, true}, twist{"", "r", half, 5, 2, "linear", 0, true, false};
	for (const double time : {0.5, 2.5})
		for (const Track *track : {&once, &swing})
			print("sample", sample(*track, time).data(), 1);
	print("halfway", sample(twist, 0.5).data(), 4);
	std::array<double, 4> c;
	for (const char *name : {"Tomato", "#0f8", "#336699cc", "no such"}) {
		const bool known = colourOf(Value::str(name), c);
		std::printf("colour %d %.3f %.3f %.3f\n", known ? 1 : 0, c[0], c[1], c[2]);
	}
}

int main(int count, char **arguments) {
	if (count == 2 && std::string(arguments[1]) == "letters") { // the other case of every character
		for (char32_t c = 0x80; c < 0x20000; c++) {
			if (c >= 0xd800 && c < 0xe000)
				continue;
			std::printf("%x %x %x\n", static_cast<unsigned>(c), static_cast<unsigned>(otherCase(c, true)), static_cast<unsigned>(otherCase(c, false)));
		}
		return 0;
	}
	if (count == 2 && std::string(arguments[1]) == "motion") {
		motion();
		return 0;
	}
	for (int i = 1; i < count; i++) {
		const auto since = std::chrono::steady_clock::now();
		std::printf("CASE %s\n", arguments[i]);
		trial(arguments[i]);
		std::printf("DONE %d\n", static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - since).count()));
	}
	return 0;
}
