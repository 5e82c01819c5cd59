# The bars of modes and transports, each beside its C++ baseline of the same run:
#
#   awk -f modes.awk baseline.jsonl modes.jsonl
function text(key) { return match($0, "\"" key "\":\"[^\"]*\"") ? substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 5) : "" }
function number(key) { return match($0, "\"" key "\":[0-9.]+") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0 : 0 }
# The best of all numbers of workers.
function least(name, value) { if (!(name in best) || value < best[name]) best[name] = value }
function most(name, value) { if (!(name in best) || value > best[name]) best[name] = value }
function row(what, value, unit, baseline, bar) {
	if (value == "") {
		printf "%-45s not measured\n", what
		return
	}
	if (baseline) {
		unit = sprintf("%-5s / %.2f = %.2f", unit, baseline, value / baseline)
	}
	printf "%-45s %8.2f %s (bar %s)\n", what, value, unit, bar
}

text("name") != "" {
	base[text("name")] = number("p50_ns") / 1000
	tail[text("name")] = number("p99_ns") / 1000
}
text("measure") == "call-64B" { least("call " text("plan"), number("p50") / 1000) }
text("measure") == "call-64B-with-launch" {
	least("launch " text("plan"), number("p50") / 1000)
	most("longest launch " text("plan"), number("p50") / 1000)
}
text("measure") == "call-64B-default-waiting" {
	least("waiting " text("plan"), number("p50") / 1000)
	least("waiting tail " text("plan"), number("p99") / 1000)
}
text("measure") == "batch-256x64B" { most("batch " text("plan"), number("M/s")) }
text("measure") == "stream-64B" { most("stream " text("plan"), number("rate")) }

END {
	row("event-driven/mapped, a launch a message, p50", best["launch event-driven/mapped"], "us", base["ring, a graph launch per message, 64 B"], "1")
	row("  with the workers that take longest", best["longest launch event-driven/mapped"], "us", base["ring, a graph launch per message, 64 B"], "1")
	row("  beside launches 20 us apart, as these are", best["launch event-driven/mapped"], "us", base["ring, a graph launch per message, 64 B, 20 us apart"], "none")
	row("event-driven/mapped, saturated", best["stream event-driven/mapped"], "M/s", best["stream persistent/mapped"], "0.8")
	row("event-driven/bridged, one message, p50", best["call event-driven/bridged"], "us", base["copy + launch + copy + sync, 64 B"], "1.1")
	row("  with the default wait, p50", best["waiting event-driven/bridged"], "us", base["copy + launch + copy + sync, 64 B"], "1.1")
	row("  with the default wait, p99", best["waiting tail event-driven/bridged"], "us", tail["copy + launch + copy + sync, 64 B"], "2")
	row("event-driven/bridged, batch of 256 x 64 B", best["batch event-driven/bridged"], "M/s", 0, "3")
}
