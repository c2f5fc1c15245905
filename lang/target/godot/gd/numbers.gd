# Numbers as text, the way scripts of the web print them: the fewest digits that
# read back as the same number.

# n_real, n_min and n_max keep all digits; those of the third version's engine
# round to single precision.
func n_real(x):
	return x * 1.0

func n_min(a, b):
	return a if a <= b else b

func n_max(a, b):
	return a if a >= b else b

func n_format(x):
	if is_nan(x):
		return "NaN"
	if is_inf(x):
		return "Infinity" if x > 0.0 else "-Infinity"
	if x == 0.0:
		return "0"
	if x < 0.0:
		return "-" + n_format(-x)
	if x < 9007199254740992.0 and floor(x) == x:
		return str(int(x))
	var found = n_short(x)
	return n_layout(found[0], found[1])

# n_short are digits and the place of the point before them: 0.digits · 10^place.
func n_short(x):
	if x >= 0.001 and x < 1000000000.0:
		# n / 10^d is rounded once: when it is x, its digits read back as x.
		var ten = 1.0
		for d in range(15):
			var n = floor(x * ten + 0.5)
			if n >= 1000000000000000.0:
				break
			if n / ten == x:
				var whole = str(int(n))
				return [whole, whole.length() - d]
			ten *= 10.0
	return n_exact(x)

# n_parts are a whole number m below 2^53 and e, so that x = m · 2^e.
func n_parts(x):
	var e = 0
	while x < 4503599627370496.0 and e > -1074:
		x *= 2.0
		e -= 1
	while x >= 9007199254740992.0:
		x /= 2.0
		e += 1
	return [int(x), e]

# n_times multiplies a number of limbs of nine digits, the least first.
func n_times(limbs, by):
	var carry = 0
	for i in range(limbs.size()):
		var v = limbs[i] * by + carry
		limbs[i] = v % 1000000000
		carry = v / 1000000000
	while carry > 0:
		limbs.append(carry % 1000000000)
		carry = carry / 1000000000

func n_limbs(m):
	var out = []
	while m > 0:
		out.append(m % 1000000000)
		m = m / 1000000000
	return out

func n_digits(limbs):
	if limbs.size() == 0:
		return "0"
	var out = str(limbs[limbs.size() - 1])
	for i in range(limbs.size() - 2, -1, -1):
		var part = str(limbs[i])
		while part.length() < 9:
			part = "0" + part
		out += part
	return out

# n_decimal is m · 2^e in digits, with how many of them stand behind the point.
func n_decimal(m, e):
	var limbs = n_limbs(m)
	if e >= 0:
		while e >= 20:
			n_times(limbs, 1048576)
			e -= 20
		n_times(limbs, 1 << e)
		return [n_digits(limbs), 0]
	var places = -e
	var left = places
	while left >= 8:
		n_times(limbs, 390625)
		left -= 8
	for i in range(left):
		n_times(limbs, 5)
	return [n_digits(limbs), places]

func n_pad(s, n):
	var out = s
	while out.length() < n:
		out = "0" + out
	return out

# n_up adds one to digits.
func n_up(s):
	var i = s.length() - 1
	while i >= 0 and s.substr(i, 1) == "9":
		i -= 1
	var zeros = n_zeros(s.length() - 1 - i)
	if i < 0:
		return "1" + zeros
	return s.substr(0, i) + str(int(s.substr(i, 1)) + 1) + zeros

func n_zeros(n):
	var out = ""
	for i in range(n):
		out += "0"
	return out

# n_exact finds the digits by writing out the number and the ends of what rounds
# to it.
func n_exact(x):
	var parts = n_parts(x)
	var m = parts[0]
	var e = parts[1]
	var low = n_decimal(m * 4 - (1 if m == 4503599627370496 and e > -1074 else 2), e - 2)
	var mid = n_decimal(m * 4, e - 2)
	var high = n_decimal(m * 4 + 2, e - 2)
	var width = int(n_max(high[0].length(), mid[0].length()))
	var a = n_pad(low[0], width)
	var b = n_pad(mid[0], width)
	var c = n_pad(high[0], width)
	var lead = 0
	while b.substr(lead, 1) == "0":
		lead += 1
	var even = m % 2 == 0
	for digits in range(1, 18):
		var cut = lead + digits
		if cut >= width:
			break
		var head = b.substr(0, cut)
		if d_ord(b, cut) >= 53:
			head = n_up(head)
		var extra = head.length() - cut
		var whole = head + n_zeros(width - cut)
		var l = a if extra == 0 else "0" + a
		var h = c if extra == 0 else "0" + c
		if (whole > l or even and whole == l) and (whole < h or even and whole == h):
			return n_trim(head, head.length() - mid[1] + width - cut)
	return n_trim(b, width - mid[1])

# n_trim drops zeros at both ends of digits with the point at a place.
func n_trim(s, place):
	var from = 0
	while from < s.length() - 1 and s.substr(from, 1) == "0":
		from += 1
	var to = s.length()
	while to > from + 1 and s.substr(to - 1, 1) == "0":
		to -= 1
	return [s.substr(from, to - from), place - from]

func n_layout(digits, place):
	var found = n_trim(digits, place)
	var s = found[0]
	var n = found[1]
	var k = s.length()
	if k <= n and n <= 21:
		return s + n_zeros(n - k)
	if 0 < n and n <= 21:
		return s.substr(0, n) + "." + s.substr(n, k - n)
	if -6 < n and n <= 0:
		return "0." + n_zeros(-n) + s
	var mark = "+" if n > 0 else "-"
	var power = str(int(abs(n - 1)))
	if k == 1:
		return s + "e" + mark + power
	return s.substr(0, 1) + "." + s.substr(1, k - 1) + "e" + mark + power

# n_fixed is a number with a count of digits behind the point, halves upwards.
func n_fixed(x, digits):
	var d = 0
	if not is_nan(digits):
		d = int(n_max(0.0, n_min(20.0, digits)))
	if is_nan(x) or abs(x) >= 1e21:
		return n_format(x)
	var mark = ""
	if x < 0.0:
		mark = "-"
		x = -x
	var whole = "0"
	var places = 0
	if x > 0.0:
		var parts = n_parts(x)
		var found = n_decimal(parts[0], parts[1])
		whole = found[0]
		places = found[1]
	if places > d:
		whole = n_pad(whole, places + 1)
		var cut = whole.length() - (places - d)
		var up = d_ord(whole, cut) >= 53
		whole = whole.substr(0, cut)
		if up:
			whole = n_up(whole)
	else:
		whole += n_zeros(d - places)
	whole = n_pad(whole, d + 1)
	if d == 0:
		return mark + whole
	return mark + whole.substr(0, whole.length() - d) + "." + whole.substr(whole.length() - d, d)

# n_read reads a number of decimal digits; null where the text is none.
func n_read(t):
	var i = 0
	var n = t.length()
	if i < n and (t.substr(i, 1) == "+" or t.substr(i, 1) == "-"):
		i += 1
	var digits = 0
	while i < n and d_ord(t, i) >= 48 and d_ord(t, i) <= 57:
		i += 1
		digits += 1
	if i < n and t.substr(i, 1) == ".":
		i += 1
		while i < n and d_ord(t, i) >= 48 and d_ord(t, i) <= 57:
			i += 1
			digits += 1
	if digits == 0:
		return null
	if i < n and (t.substr(i, 1) == "e" or t.substr(i, 1) == "E"):
		i += 1
		if i < n and (t.substr(i, 1) == "+" or t.substr(i, 1) == "-"):
			i += 1
		var from = i
		while i < n and d_ord(t, i) >= 48 and d_ord(t, i) <= 57:
			i += 1
		if i == from:
			return null
	if i < n:
		return null
	if t.substr(0, 1) == "+":
		return d_float(t.substr(1, n - 1))
	return d_float(t)

# n_whole is a number on 32 bits.
func n_whole(x):
	if is_nan(x) or is_inf(x):
		return 0
	return n_wrap(int(fmod(x, 4294967296.0)))

func n_wrap(n):
	n = n & 0xffffffff
	if n >= 0x80000000:
		return n - 0x100000000
	return n

func n_negative_zero(x):
	return x == 0.0 and atan2(x, -1.0) < 0.0

func n_divide(a, b):
	if b != 0.0 or is_nan(b):
		return a / b
	if is_nan(a) or a == 0.0:
		return NAN
	return INF if (a > 0.0) != n_negative_zero(b) else -INF

func n_mod(a, b):
	if b == 0.0 or is_inf(a) or is_nan(a) or is_nan(b):
		return NAN
	if is_inf(b):
		return a
	return fmod(a, b)

func n_power(a, b):
	if is_nan(b) or is_inf(b) and abs(a) == 1.0:
		return NAN
	return pow(a, b)

# sfc32 is the generator of random numbers that the compiler's interpreter has too.
var rng = [0, 0, 0, 0]

func n_seed(four):
	for i in range(4):
		rng[i] = int(four[i]) & 0xffffffff
	for i in range(12):
		n_random() # the first rounds still show the seed

func n_random():
	var t = (rng[0] + rng[1] + rng[3]) & 0xffffffff
	rng[3] = (rng[3] + 1) & 0xffffffff
	rng[0] = rng[1] ^ (rng[1] >> 9)
	rng[1] = (rng[2] + (rng[2] << 3)) & 0xffffffff
	rng[2] = ((rng[2] << 21) & 0xffffffff) | (rng[2] >> 11)
	rng[2] = (rng[2] + t) & 0xffffffff
	return n_real(t) / 4294967296.0
