// Throughput, latency and errors of one kernel over time, one above the other, with the events on their common axis.

import { clock, duration, part, perSecond, roundUp, set, short, svg } from "./dom.js";

const LEFT = 56;
const RIGHT = 30;
const EVENTS = 22;
const TITLE = 24;
const PANELS = [{ name: "requests", height: 52 }, { name: "latency", height: 68 }, { name: "errors", height: 36 }];
const AXIS = 20;
const HEIGHT = EVENTS + PANELS.reduce((sum, panel) => sum + TITLE + panel.height, 0) + AXIS;
const MINUTE = 60_000;
// Marks that are nearer to each other are one.
const NEAR = 18;

export class HistoryChart {

	constructor() {
		this.chart = svg("svg", { role: "group", height: HEIGHT, class: "rk-chart" });
		this.caption = part("figcaption");
		this.eventsTitle = part("summary");
		this.events = part("ol", "rk-events");
		this.rows = part("tbody");
		this.element = part("figure", "rk-history", this.chart, this.caption,
			part("details", "", this.eventsTitle, this.events), part("details", "", part("summary", "", "Figures by minute"),
				table(this.rows)));
		this.chart.addEventListener("pointermove", (event) => this.point(event.clientX - this.chart.getBoundingClientRect().left));
		this.chart.addEventListener("pointerleave", () => this.tell());
	}

	show(id, history) {
		const width = Math.max(240, this.chart.clientWidth);
		const shown = `${id} ${width} ${history.version}`;
		if (this.shown === shown) {
			return;
		}
		this.shown = shown;
		this.history = history;
		const from = history.now - history.span;
		this.x = (at) => LEFT + (width - LEFT - RIGHT) * (at - from) / history.span;
		const focused = this.chart.contains(document.activeElement) ? document.activeElement.dataset.key : null;
		this.chart.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
		this.chart.replaceChildren(...this.timeAxis(width), ...this.marks(), ...this.panels(width));
		if (focused) {
			this.chart.querySelector(`[data-key="${focused}"]`)?.focus();
		}
		this.chart.setAttribute("aria-label", `Last 15 minutes of ${id}. ${this.summary()}`);
		this.tell();
		this.list();
	}

	timeAxis(width) {
		const { now, span } = this.history;
		const every = width < 420 ? 5 * MINUTE : 3 * MINUTE;
		const base = HEIGHT - AXIS;
		const drawn = [];
		for (let at = Math.ceil((now - span) / every) * every; at <= now; at += every) {
			const x = this.x(at);
			drawn.push(svg("line", { class: "rk-grid", x1: x, x2: x, y1: EVENTS, y2: base }));
			// A label that would leave the chart is left out.
			if (x > LEFT - 14 && x < width - 18) {
				drawn.push(svg("text", { x, y: base + 15, "text-anchor": "middle" }, clock(at, false)));
			}
		}
		return drawn;
	}

	panels(width) {
		let y = EVENTS;
		return PANELS.flatMap(({ name, height }) => {
			y += TITLE + height;
			return this[name]({ base: y, top: y - height, right: width - RIGHT });
		});
	}

	requests(area) {
		const { samples } = this.history;
		const most = roundUp(Math.max(1, ...samples.map((sample) => sample.requests)));
		const y = (value) => area.base - (area.base - area.top) * value / most;
		return [...frame(area, "Requests/s", [[0, "0"], [most / 2, short(most / 2)], [most, short(most)]], y),
			...this.lines("rk-line", (sample) => sample.requests, y)];
	}

	latency(area) {
		const timed = this.history.samples.filter((sample) => sample.p50 != null);
		const low = Math.floor(Math.log10(Math.max(1e3, Math.min(1e5, ...timed.map((sample) => sample.p50)))));
		const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, ...timed.map((sample) => sample.p99)))));
		const y = (nanos) => area.base - (area.base - area.top) * (Math.log10(Math.max(10 ** low, nanos)) - low) / (high - low);
		const step = Math.ceil((high - low) / 3);
		const ticks = [];
		for (let decade = low; decade <= high; decade += step) {
			ticks.push([10 ** decade, duration(10 ** decade).replace(".0", "")]);
		}
		const drawn = [...frame(area, "Latency p50, p99", ticks, y),
			...this.lines("rk-line", (sample) => sample.p50, y), ...this.lines("rk-line rk-dashed", (sample) => sample.p99, y)];
		const last = timed.at(-1);
		if (last) {
			const [low50, high99] = apart(y(last.p50), y(last.p99), area);
			drawn.push(svg("text", { x: area.right + 4, y: low50 + 4, class: "rk-p50" }, "p50"),
				svg("text", { x: area.right + 4, y: high99 + 4, class: "rk-p99" }, "p99"));
		}
		return drawn;
	}

	errors(area) {
		const { samples, step } = this.history;
		const most = roundUp(Math.max(1, ...samples.map((sample) => sample.errors)));
		const y = (value) => area.base - (area.base - area.top) * value / most;
		return [...frame(area, "Errors/s", [[0, "0"], [most, short(most)]], y),
			...samples.filter((sample) => sample.errors > 0).map((sample) => {
				const left = Math.max(LEFT, this.x(sample.at - step));
				const top = Math.min(y(sample.errors), area.base - 2);
				return svg("rect", { class: "rk-error", x: left, y: top, width: Math.max(2, this.x(sample.at) - left), height: area.base - top });
			})];
	}

	// Where the application was not there, or had nothing to tell, there is no line.
	lines(className, value, y) {
		const { samples, step } = this.history;
		let path = "";
		let before = -Infinity;
		for (const sample of samples.filter((each) => value(each) != null)) {
			const isNext = sample.at - before < 1.5 * step;
			// A sample of its own is a dot.
			path += `${isNext ? "L" : "M"}${this.x(sample.at).toFixed(1)} ${y(value(sample)).toFixed(1)}${isNext ? "" : "h0.1"}`;
			before = sample.at;
		}
		return path ? [svg("path", { class: className, d: path })] : [];
	}

	marks() {
		const groups = [];
		for (const event of this.history.events) {
			const x = Math.max(LEFT + 5, this.x(event.at));
			const last = groups.at(-1);
			if (last && x - last.x < NEAR) {
				last.events.push(event);
			}
			else {
				groups.push({ x, events: [event] });
			}
		}
		return groups.map(({ x, events }) => this.mark(x, events));
	}

	mark(x, events) {
		const text = events.map(describe).join("\n");
		const isProblem = events.some((event) => event.problem);
		const mark = svg("g", { class: `rk-event${isProblem ? " rk-problem" : ""}`, tabindex: 0, role: "img", "aria-label": text });
		mark.dataset.key = `${events[0].at} ${events[0].number}`;
		mark.append(svg("title", {}, text),
			svg("rect", { class: "rk-target", x: x - 12, y: 0, width: 24, height: EVENTS }),
			svg("line", { x1: x, x2: x, y1: EVENTS - 4, y2: HEIGHT - AXIS }),
			isProblem ? svg("rect", { x: x - 7, y: 4, width: 14, height: 14 }) : svg("circle", { cx: x, cy: 11, r: 7 }),
			svg("text", { x, y: 15, "text-anchor": "middle" }, sign(events.length, isProblem)));
		const tell = () => { this.tell(text); };
		mark.addEventListener("focus", tell);
		mark.addEventListener("pointermove", (event) => { event.stopPropagation(); tell(); });
		mark.addEventListener("blur", () => this.tell());
		return mark;
	}

	point(x) {
		const { samples, step } = this.history;
		const near = samples.reduce((best, sample) => (!best || Math.abs(this.x(sample.at) - x) < Math.abs(this.x(best.at) - x) ? sample : best), null);
		this.tell(near && Math.abs(this.x(near.at) - x) < Math.max(12, this.x(near.at) - this.x(near.at - 2 * step)) ? figures(near) : null);
	}

	tell(text = null) {
		set(this.caption, text ?? this.summary());
	}

	summary() {
		const last = this.history.samples.at(-1);
		return last ? `Now, ${figures(last)}` : "The first figures come after 10 s.";
	}

	list() {
		const { events } = this.history;
		const last = events.at(-1);
		set(this.eventsTitle, last ? `Events (${events.length}), latest ${clock(last.at)} ${last.title}` : "Events (0)");
		this.events.replaceChildren(...events.toReversed().map((event) => part("li", event.problem ? "rk-problem" : "", describe(event))));
		this.rows.replaceChildren(...byMinute(this.history).map((cells) => part("tr", "", ...cells.map((cell, i) => {
			const made = part(i ? "td" : "th", "", cell);
			if (!i) {
				made.scope = "row";
			}
			return made;
		}))));
	}

}

// Grid lines with their numbers, and the name and unit above.
function frame({ top, right }, title, ticks, y) {
	return [svg("text", { x: LEFT, y: top - 6, class: "rk-title" }, title), ...ticks.flatMap(([value, label]) => [
		svg("line", { class: "rk-grid", x1: LEFT, x2: right, y1: y(value), y2: y(value) }),
		svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end", class: "rk-count" }, label),
	])];
}

// Two labels, the second above the first, that do not meet.
function apart(lower, upper, { top, base }) {
	const gap = 13;
	if (lower - upper >= gap) {
		return [lower, upper];
	}
	const middle = Math.min(base - gap / 2, Math.max(top + gap / 2, (lower + upper) / 2));
	return [middle + gap / 2, middle - gap / 2];
}

// Not by color alone.
function sign(number, isProblem) {
	return number > 9 ? "+" : number > 1 ? String(number) : isProblem ? "!" : "";
}

function describe({ at, title, text }) {
	return `${clock(at)} ${title}: ${text}`;
}

function figures({ at, requests, p50, p99, errors }) {
	const latency = p50 == null ? "no request timed" : `p50 ${duration(p50)}, p99 ${duration(p99)}`;
	return `${clock(at)}: ${perSecond(requests)} requests/s, ${latency}, ${perSecond(errors)} errors/s`;
}

function table(rows) {
	const head = ["Time", "Requests/s", "p50, median", "p99, highest", "Errors/s"].map((name) => {
		const cell = part("th", "", name);
		cell.scope = "col";
		return cell;
	});
	return part("table", "", part("thead", "", part("tr", "", ...head)), rows);
}

function byMinute({ samples }) {
	const minutes = new Map();
	samples.forEach((sample) => {
		const minute = Math.floor(sample.at / MINUTE) * MINUTE;
		minutes.set(minute, [...(minutes.get(minute) ?? []), sample]);
	});
	return [...minutes].reverse().map(([minute, all]) => {
		const mean = (value) => perSecond(all.reduce((sum, sample) => sum + value(sample), 0) / all.length);
		const timed = all.filter((sample) => sample.p50 != null);
		const medians = timed.map((sample) => sample.p50).sort((a, b) => a - b);
		return [clock(minute, false), mean((sample) => sample.requests),
			timed.length ? duration(medians[Math.floor(medians.length / 2)]) : "–",
			timed.length ? duration(Math.max(...timed.map((sample) => sample.p99))) : "–", mean((sample) => sample.errors)];
	});
}
