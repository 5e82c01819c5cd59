// One kernel: its state, figures, history, latency, rings and actions.

import { clock, count, duration, part, perSecond, set, values } from "./dom.js";
import { HistoryChart } from "./history-chart.js";
import { HERE, post } from "./http.js";
import { Latency } from "./latency.js";
import { Key, Ring } from "./ring.js";

const ACTIONS = {
	activate: { states: ["LAUNCHED", "INACTIVE"], ask: null },
	deactivate: { states: ["ACTIVE"], ask: (id) => `Deactivate ${id}? Its callers are refused until it is active again.` },
	relaunch: { states: ["ACTIVE", "INACTIVE", "LAUNCHED", "TERMINATED", "FAILED"],
		ask: (id) => `Relaunch ${id}? Its callers are refused meanwhile.` },
};
const HIDDEN = "******";
const ERRORS = ["failed", "timedOut", "rejected", "lost"];

export class KernelCard {

	constructor(id) {
		this.id = id;
		this.element = part("article");
		this.element.setAttribute("aria-label", id);
		this.state = part("span", "rk-state");
		this.plan = part("p", "rk-plan");
		this.reasons = part("ul");
		this.figures = values("Requests/s", "In flight", "Oldest waits", "Errors/s", "Failed", "Timed out", "Rejected", "Lost", "Restarts");
		this.cause = part("p", "rk-cause");
		this.history = new HistoryChart();
		this.latency = new Latency();
		this.key = new Key();
		this.rings = part("div");
		this.ring = new Map();
		this.actions = part("div", "rk-actions");
		this.buttons = Object.keys(ACTIONS).map((action) => this.button(action));
		this.actions.append(...this.buttons);
		this.note = part("p", "rk-note");
		this.note.setAttribute("role", "status");
		this.element.append(part("h2", "", part("span", "", id), this.state), this.plan,
			part("details", "", part("summary", "", "Why this plan"), this.reasons), this.figures.element, this.cause,
			this.actions, this.note,
			part("h3", "", "Last 15 minutes"), this.history.element, part("h3", "", "Latency since the start"), this.latency.element,
			part("h3", "", "Ring"), this.key.element, this.rings);
	}

	button(action) {
		const button = part("button", "", action[0].toUpperCase() + action.slice(1));
		button.type = "button";
		button.dataset.action = action;
		button.setAttribute("aria-label", `${button.textContent} ${this.id}`);
		button.addEventListener("click", () => this.act(action));
		return button;
	}

	async act(action) {
		const question = ACTIONS[action].ask;
		if (question && !confirm(question(this.id))) {
			return;
		}
		this.busy = true;
		this.buttons.forEach((button) => { button.disabled = true; });
		this.tell(`${action} …`);
		try {
			const done = await post(`${this.endpoint}/${encodeURIComponent(this.id)}`, { action });
			this.tell(`${this.id} is ${(await done.json()).state}.`);
		}
		catch (error) {
			this.tell(error.message, true);
		}
		finally {
			this.busy = false;
		}
	}

	tell(text, isAlert = false) {
		this.note.classList.toggle("rk-alert", isAlert);
		this.note.textContent = text;
	}

	lose(seen) {
		this.state.dataset.state = "UNKNOWN";
		set(this.state, `UNKNOWN, ${seen}`);
		this.before = null;
		this.buttons.forEach((button) => { button.disabled = true; });
	}

	show(kernel, near, status, history) {
		this.endpoint = new URL(status.endpoint, HERE).href;
		this.state.dataset.state = kernel.state;
		set(this.state, kernel.state);
		const device = kernel.device === undefined ? "" : `, device ${kernel.device}`;
		set(this.plan, `${kernel.backend}, ${kernel.mode}, ${kernel.transport}${device}; ${kernel.workers} workers`);
		const reasons = kernel.reasons ?? [];
		if (this.shownReasons !== reasons.join()) {
			this.shownReasons = reasons.join();
			this.reasons.replaceChildren(...reasons.map((reason) => part("li", "", reason)));
		}
		this.showFigures(kernel, history);
		this.history.show(this.id, history);
		this.latency.show(kernel, near.buckets);
		this.key.show();
		this.showRings(near.rings, kernel);
		this.actions.hidden = !status.actions;
		for (const button of this.buttons) {
			button.disabled = this.busy || !ACTIONS[button.dataset.action].states.includes(kernel.state);
		}
	}

	showFigures(kernel, { samples }) {
		const all = this.figures.all;
		const now = performance.now();
		const errors = ERRORS.reduce((sum, name) => sum + (kernel[name] ?? 0), 0);
		const last = samples.at(-1);
		let rates = last && { requests: last.requests, errors: last.errors };
		if (this.before && now > this.before.at) {
			const perSecondSince = (more) => Math.max(0, more) * 1000 / (now - this.before.at);
			rates = { requests: perSecondSince(kernel.processed - this.before.processed), errors: perSecondSince(errors - this.before.errors) };
		}
		this.before = { at: now, processed: kernel.processed, errors };
		set(all["Requests/s"], rates ? perSecond(rates.requests) : "–");
		set(all["Errors/s"], rates ? perSecond(rates.errors) : "–");
		const level = rates?.errors > 0 ? "now" : samples.some((sample) => sample.errors > 0) ? "lately" : "none";
		all["Errors/s"].dataset.errors = this.cause.dataset.errors = level;
		set(all["In flight"], `${count(kernel.inFlight)} of ${count(kernel.slots)}`);
		set(all["Oldest waits"], kernel.oldestRequestAgeMillis ? duration(kernel.oldestRequestAgeMillis * 1e6) : "–");
		set(all.Failed, count(kernel.failed));
		set(all["Timed out"], count(kernel.timedOut));
		set(all.Rejected, count(kernel.rejected));
		set(all.Lost, count(kernel.lost ?? 0));
		set(all.Restarts, count(kernel.restarts ?? 0));
		set(this.cause, causeOf(kernel.lastErrors ?? []));
	}

	showRings(rings, kernel) {
		for (const id of Object.keys(rings)) {
			if (!this.ring.has(id)) {
				const made = new Ring();
				this.ring.set(id, made);
				this.rings.append(made.element);
			}
		}
		for (const [id, made] of this.ring) {
			if (rings[id]) {
				made.show(id, rings[id]);
			}
			else if (kernel.replicas ? kernel.replicas[id] : Object.keys(rings).length === 0) {
				made.showNone((kernel.replicas?.[id] ?? kernel).state);
			}
			else {
				// A replica that was taken away. A kernel that has one left names no replicas.
				made.element.remove();
				this.ring.delete(id);
			}
		}
	}

}

function causeOf([last]) {
	if (!last) {
		return "No error since the start.";
	}
	const message = last.message === HIDDEN
		? "its message is hidden. To see it, set management.endpoint.ringkernels.show-values to always." : last.message;
	return `Last error, ${clock(Date.parse(last.at))}${last.count > 1 ? `, ${count(last.count)} in a row` : ""}: ${last.type}: ${message}`;
}
