# What two builds, or two settings, measured that took turns: the median of each over its turns, and their ratio:
#
#   awk -v first=this -v second=other -f turns.awk turn-*.jsonl
function text(key) { return match($0, "\"" key "\":\"[^\"]*\"") ? substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 5) : "" }
function number(key) { return match($0, "\"" key "\":[0-9.]+") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0 : 0 }
# Each turn goes to its place among those of its build.
function keep(row, build, value, i) {
	for (i = ++turns[row, build]; i > 1 && values[row, build, i - 1] > value; i--) values[row, build, i] = values[row, build, i - 1]
	values[row, build, i] = value
}
function median(row, build, n) {
	n = turns[row, build]
	return n % 2 ? values[row, build, (n + 1) / 2] : (values[row, build, n / 2] + values[row, build, n / 2 + 1]) / 2
}
function range(row, build) { return sprintf("%.1f to %.1f", values[row, build, 1], values[row, build, turns[row, build]]) }

BEGIN {
	rows = split("start first-answer,call-64B p50,call-64B p99.9,stream-64B rate,replica-call-64B p50,replicas-64B-2 rate,replicas-64B-8 rate,replicas-64B-each rate,fault-elsewhere p50,fault-elsewhere p99,fault-elsewhere p99.9", names, ",")
}

{
	for (row = 1; row <= rows; row++) {
		split(names[row], name, " ")
		if (text("measure") == name[1]) {
			keep(row, text("build"), number(name[2]))
			units[row] = text("unit")
		}
	}
}

END {
	printf "%-22s %12s %12s %8s   over %s\n", "median of turns", first, second, "ratio", "turns, each"
	for (row = 1; row <= rows; row++) {
		if (!((row, first) in turns) && !((row, second) in turns)) continue
		if (!turns[row, first] || !turns[row, second]) {
			print names[row] ": " (turns[row, first] ? second : first) " has no turn"
			exit 1
		}
		compared++
		printf "%-22s %12.1f %12.1f %8.3f   %d: %s; %s\n", names[row] ", " units[row], median(row, first), median(row, second), median(row, first) / median(row, second), turns[row, first], range(row, first), range(row, second)
	}
	if (!compared) {
		print "nothing took a turn"
		exit 1
	}
}
