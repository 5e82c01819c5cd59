# What a call of 64 B takes in two builds that took turns, and their ratio:
#
#   awk -f turns.awk turn-*.jsonl
function text(key) { return match($0, "\"" key "\":\"[^\"]*\"") ? substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 5) : "" }
function number(key) { return match($0, "\"" key "\":[0-9.]+") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0 : 0 }
# Each turn goes to its place among those of its build.
function keep(build, value, i) {
	for (i = ++turns[build]; i > 1 && nanos[build, i - 1] > value; i--) nanos[build, i] = nanos[build, i - 1]
	nanos[build, i] = value
}
function median(build, n) {
	n = turns[build]
	return n % 2 ? nanos[build, (n + 1) / 2] : (nanos[build, n / 2] + nanos[build, n / 2 + 1]) / 2
}
function row(build) {
	printf "call of 64 B, p50, %-5s %7.0f ns, median of %d turns from %.0f to %.0f\n", build, median(build), turns[build], nanos[build, 1], nanos[build, turns[build]]
}

text("measure") == "call-64B" { keep(text("build"), number("p50")) }

END {
	if (!turns["this"] || !turns["other"]) {
		print "a build has no turn"
		exit 1
	}
	row("this")
	row("other")
	printf "this / other = %.3f (bar 1.02)\n", median("this") / median("other")
}
