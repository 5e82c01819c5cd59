// How the latencies of a kernel are distributed over its life, on a logarithmic axis.

import { count, duration, part, roundUp, set, short, svg } from "./dom.js";

const SHORTEST_NS = 1e3;
const LONGEST_NS = 1e10;
const MARKS = [[1e3, "1 µs"], [1e4, "10 µs"], [1e5, "100 µs"], [1e6, "1 ms"], [1e7, "10 ms"], [1e8, "100 ms"], [1e9, "1 s"]];
const NAMES = ["p50", "p99", "max"];
const LEFT = 44;
const ROW = 15;
// A row for the unit, and one for the label of each line, so that labels do not meet however near the lines are.
const TOP = ROW * (1 + NAMES.length);
const PLOT = 72;
const HEIGHT = TOP + PLOT + 20;
const NARROW = 480;

export class Latency {

	constructor() {
		this.chart = svg("svg", { role: "img", height: HEIGHT, class: "rk-chart" });
		this.caption = part("figcaption");
		this.element = part("figure", "rk-latency", this.chart, this.caption);
	}

	show(kernel, buckets) {
		const width = Math.max(200, this.chart.clientWidth);
		const total = kernel.latency?.total;
		const x = (nanos) => LEFT + (width - LEFT) * Math.log(Math.min(LONGEST_NS, Math.max(SHORTEST_NS, nanos)) / SHORTEST_NS)
			/ Math.log(LONGEST_NS / SHORTEST_NS);
		this.chart.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
		this.chart.replaceChildren(...timeAxis(x, width), ...(buckets.length ? bars(x, width, buckets) : []),
			...(total ? NAMES.map((name, row) => line(x(total[name]), width, row, `${name} ${duration(total[name])}`)) : []));
		set(this.caption, total
			? `Latency: p50 ${duration(total.p50)}, p99 ${duration(total.p99)}, p99.9 ${duration(total["p99.9"])}, max ${duration(total.max)}.`
			: "Latency: no request timed yet.");
		this.chart.setAttribute("aria-label", this.caption.textContent);
	}

}

function timeAxis(x, width) {
	const base = TOP + PLOT;
	const shown = MARKS.filter((_, i) => width >= NARROW || i % 2 === 0);
	return [svg("line", { class: "rk-axis", x1: LEFT, x2: width, y1: base, y2: base }), ...shown.flatMap(([nanos, name]) => [
		svg("line", { class: "rk-axis", x1: x(nanos), x2: x(nanos), y1: base, y2: base + 4 }),
		svg("text", { x: x(nanos), y: base + 16, "text-anchor": nanos === SHORTEST_NS ? "start" : "middle" }, name),
	])];
}

function bars(x, width, buckets) {
	const base = TOP + PLOT;
	const most = roundUp(Math.max(1, ...buckets.map((bucket) => bucket.count)));
	const drawn = [svg("text", { x: 0, y: ROW - 4 }, "timed requests")];
	for (const [value, y] of [[0, base], [most, TOP]]) {
		drawn.push(svg("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end", class: "rk-count" }, short(value)),
			svg("line", { class: "rk-grid", x1: LEFT, x2: width, y1: y, y2: y }));
	}
	for (const { from, below, count: number } of buckets) {
		const height = number === 0 ? 0 : Math.max(2, PLOT * number / most);
		const bar = svg("rect", { class: "rk-bar", x: x(from), y: base - height, width: Math.max(1, x(below) - x(from) - 1), height });
		bar.append(svg("title", {}, `${count(number)} below ${duration(below)}`));
		drawn.push(bar);
	}
	return drawn;
}

function line(x, width, row, label) {
	const y = ROW * (row + 1);
	const isLeft = x > width - 90;
	const drawn = svg("g", { class: "rk-percentile" });
	drawn.append(svg("line", { x1: x, x2: x, y1: y + 1, y2: TOP + PLOT }),
		svg("text", { x: x + (isLeft ? -4 : 4), y: y + 11, "text-anchor": isLeft ? "end" : "start" }, label));
	return drawn;
}
