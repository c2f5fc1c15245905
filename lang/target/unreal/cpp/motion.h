// Places, turns and key frames. A program counts in metres, right-handed, with Y
// up and -Z ahead; the engine in centimetres, left-handed, with Z up and X ahead.

using Triple = std::array<double, 3>;
using Turn = std::array<double, 4>; // x, y, z, w

Triple toEngine(const Triple &metres);
Triple toModel(const Triple &centimetres);
Turn turnToEngine(const Turn &t);
Turn turnToModel(const Turn &t);
// Scale follows the axes without sign.
Triple scaleToEngine(const Triple &s);
Triple scaleToModel(const Triple &s);
// turnOf is a turn of three angles in degrees, Rx·Ry·Rz; anglesOf are its angles.
Turn turnOf(const Triple &degrees);
Triple anglesOf(const Turn &t);

// Track is a key-frame animation: each key is a time and so many numbers.
struct Track {
	const char *node, *property;
	const double *keys;
	int width, count;
	const char *easing;
	int loop; // -1: for ever
	bool autoplay, pingpong;
};

std::vector<double> sample(const Track &t, double time);
// colourOf reads a colour: three numbers, a name, or hex; the parts are sRGB.
bool colourOf(const Value &v, std::array<double, 4> &out);
