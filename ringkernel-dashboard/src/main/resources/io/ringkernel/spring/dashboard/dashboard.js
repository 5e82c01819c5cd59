// Shows every ring kernel, live, in each element with the attribute data-ringkernels. An application's own page may import it.

const HERE = new URL("./", import.meta.url);
const RETRY_MS = 2000;
const SILENCE_MS = 15000;
const CELL = 12;
const CHART_HEIGHT = 90;
const SHORTEST_NS = 1e3;
const LONGEST_NS = 1e10;
const MARKS = [[1e3, "1 µs"], [1e4, "10 µs"], [1e5, "100 µs"], [1e6, "1 ms"], [1e7, "10 ms"], [1e8, "100 ms"], [1e9, "1 s"]];
const SLOTS = { F: "free", C: "claimed", R: "requested", A: "answered", P: "passed over" };
const ACTIONS = {
	activate: { states: ["LAUNCHED", "INACTIVE"], ask: null },
	deactivate: { states: ["ACTIVE"], ask: (id) => `Deactivate ${id}? Its callers are refused until it is active again.` },
	relaunch: { states: ["ACTIVE", "INACTIVE", "LAUNCHED", "TERMINATED", "FAILED"],
		ask: (id) => `Relaunch ${id}? Its callers are refused meanwhile.` },
};
const GONE = "The application does not answer. Start it again; this page goes on by itself.";
const MESSAGES = {
	401: "Log in to see the kernels.",
	403: "You may not do that. Ask for the role that the application's security demands of this endpoint, and see that a token "
		+ "against cross-site request forgery (CSRF) is not missing.",
	404: "There is no live stream here. Expose the endpoints ringkernels and ringkernelsdashboard by "
		+ "management.endpoints.web.exposure.include.",
};

class Live {

	constructor(root) {
		this.root = root;
		this.note = part("p", "rk-note", "Asking the application …");
		this.note.setAttribute("role", "status");
		this.list = part("div", "rk-kernels");
		this.cards = new Map();
		root.replaceChildren(this.note, this.list);
		this.follow();
	}

	async follow() {
		for (;;) {
			await visible();
			try {
				await this.listen();
			}
			catch (error) {
				if (!document.hidden) {
					this.root.dataset.stale = "";
					this.say(error.message, true);
				}
			}
			await new Promise((resume) => setTimeout(resume, RETRY_MS));
		}
	}

	// Until the stream ends: a stream ends by itself from time to time, and the next attempt tells if there is more to it. A page
	// that nobody sees takes no place of another one.
	async listen() {
		const stop = new AbortController();
		const onHide = () => document.hidden && stop.abort();
		document.addEventListener("visibilitychange", onHide);
		let silence;
		const heard = () => {
			clearTimeout(silence);
			silence = setTimeout(() => stop.abort(), SILENCE_MS);
		};
		try {
			heard();
			const response = await answer(fetch(new URL("events", HERE),
				{ signal: stop.signal, headers: { Accept: "text/event-stream, application/problem+json" }, cache: "no-store" }));
			const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
			let text = "";
			for (;;) {
				const { value, done } = await reader.read().catch(() => ({ done: true }));
				if (done) {
					return;
				}
				heard();
				const events = (text + value).split("\n\n");
				text = events.pop();
				events.filter(Boolean).forEach((event) => this.show(JSON.parse(event.replace(/^data:/gm, ""))));
			}
		}
		finally {
			clearTimeout(silence);
			document.removeEventListener("visibilitychange", onHide);
			stop.abort();
		}
	}

	say(text, isAlert = false) {
		this.note.classList.toggle("rk-alert", isAlert);
		if (this.note.textContent !== text) {
			this.note.textContent = text;
		}
	}

	show(status) {
		delete this.root.dataset.stale;
		const ids = Object.keys(status.kernels);
		const problems = problemsOf(status);
		if (ids.length === 0) {
			this.say("There is no ring kernel. Annotate a RingKernelHandler bean with @RingKernel.", true);
		}
		else {
			const actions = status.actions ? ""
				: " To activate, deactivate and relaunch from here, set management.endpoint.ringkernels.access to unrestricted.";
			this.say(problems.length ? problems.join(" ") : `${ids.length} ${ids.length === 1 ? "kernel" : "kernels"}, live.${actions}`,
				problems.length > 0);
		}
		for (const [id, card] of this.cards) {
			if (!ids.includes(id)) {
				card.element.remove();
				this.cards.delete(id);
			}
		}
		for (const id of ids) {
			if (!this.cards.has(id)) {
				const card = new Card(id);
				this.cards.set(id, card);
				this.list.append(card.element);
			}
		}
		// When all are there: one more makes the others narrower.
		for (const id of ids) {
			this.cards.get(id).show(status.kernels[id], status.near[id] ?? { rings: {}, buckets: [] }, status);
		}
	}

}

function problemsOf({ platform, kernels }) {
	const lost = Object.values(platform.devices ?? {}).map((device) => device.problem).filter(Boolean);
	for (const [id, kernel] of Object.entries(kernels)) {
		if (kernel.state === "FAILED") {
			lost.push(`${id} has failed: ${kernel.lastFailure ?? "see the application's log"}. Relaunch it.`);
		}
		else if (kernel.stuck) {
			lost.push(`${id} is stuck: a caller waits, and it answers nothing. If one request takes very long, raise request-timeout; `
				+ "otherwise relaunch it.");
		}
		else if (kernel.state !== "ACTIVE") {
			lost.push(`${id} is ${kernel.state} and takes no requests. ${kernel.state === "TERMINATED" ? "Relaunch" : "Activate"} it.`);
		}
	}
	return lost;
}

class Card {

	constructor(id) {
		this.id = id;
		this.element = document.createElement("article");
		this.element.setAttribute("aria-label", id);
		const title = part("h2", "", "");
		this.state = part("span", "rk-state");
		title.append(part("span", "", id), this.state);
		this.plan = part("p", "rk-plan");
		const why = document.createElement("details");
		this.reasons = document.createElement("ul");
		why.append(part("summary", "", "Why this plan"), this.reasons);
		this.numbers = Object.fromEntries(["Requests/s", "In flight", "Oldest", "Failed", "Timed out", "Rejected"]
			.map((name) => [name, part("dd", "", "–")]));
		const list = document.createElement("dl");
		for (const [name, value] of Object.entries(this.numbers)) {
			const pair = document.createElement("div");
			pair.append(part("dt", "", name), value);
			list.append(pair);
		}
		this.rings = part("div", "");
		this.ring = new Map();
		this.latency = figure();
		this.actions = part("div", "rk-actions");
		this.buttons = Object.keys(ACTIONS).map((action) => this.button(action));
		this.actions.append(...this.buttons);
		this.note = part("p", "rk-note");
		this.note.setAttribute("role", "status");
		this.element.append(title, this.plan, why, list, this.rings, this.latency.element, this.actions, this.note);
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
			const done = await answer(fetch(`${this.endpoint}/${encodeURIComponent(this.id)}`,
				{ method: "POST", headers: headers(), body: JSON.stringify({ action }) }));
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

	show(kernel, near, status) {
		this.endpoint = new URL(status.endpoint, HERE).href;
		this.state.dataset.state = kernel.state;
		set(this.state, kernel.state);
		const device = kernel.device === undefined ? "" : `, device ${kernel.device}`;
		set(this.plan, `${kernel.backend}, ${kernel.mode}, ${kernel.transport}${device}; ${kernel.workers} workers`);
		if (this.shownReasons !== kernel.reasons.join()) {
			this.shownReasons = kernel.reasons.join();
			this.reasons.replaceChildren(...kernel.reasons.map((reason) => part("li", "", reason)));
		}
		const now = performance.now();
		if (this.before && now > this.before.at) {
			const perSecond = Math.max(0, kernel.processed - this.before.processed) * 1000 / (now - this.before.at);
			set(this.numbers["Requests/s"], count(Math.round(perSecond)));
		}
		this.before = { at: now, processed: kernel.processed };
		set(this.numbers["In flight"], `${count(kernel.inFlight)} of ${count(kernel.slots)}`);
		set(this.numbers.Oldest, duration(kernel.oldestRequestAgeMillis * 1e6));
		set(this.numbers.Failed, count(kernel.failed));
		set(this.numbers["Timed out"], count(kernel.timedOut));
		set(this.numbers.Rejected, count(kernel.rejected));
		this.showRings(near.rings, kernel.state);
		showLatency(this.latency, kernel, near.buckets);
		this.actions.hidden = !status.actions;
		for (const button of this.buttons) {
			button.disabled = this.busy || !ACTIONS[button.dataset.action].states.includes(kernel.state);
		}
	}

	showRings(rings, state) {
		for (const id of Object.keys(rings)) {
			if (!this.ring.has(id)) {
				const made = figure();
				this.ring.set(id, made);
				this.rings.append(made.element);
			}
		}
		for (const [id, made] of this.ring) {
			if (rings[id]) {
				showRing(made, id, rings[id]);
			}
			else {
				set(made.caption, `There is no ring while the kernel is ${state}.`);
				context(made.canvas, made.canvas.clientHeight);
			}
		}
	}

}

function showRing(made, id, { total, slots, violations }) {
	const columns = Math.max(1, Math.floor(made.canvas.clientWidth / CELL));
	const drawn = context(made.canvas, Math.ceil(slots.length / columns) * CELL);
	const counts = {};
	[...slots].forEach((slot, i) => {
		counts[slot] = (counts[slot] ?? 0) + 1;
		const x = (i % columns) * CELL;
		const y = Math.floor(i / columns) * CELL;
		drawn.fillStyle = color(made.canvas, { F: "--rk-line", A: "--rk-accent", P: "--rk-alert" }[slot] ?? "--rk-busy");
		// Not by color alone: what is in use is as large as its cell.
		const inset = slot === "F" ? 4 : 1;
		drawn.fillRect(x + inset, y + inset, CELL - 2 * inset, CELL - 2 * inset);
	});
	const said = Object.entries(counts).map(([slot, n]) => `${count(n)} ${SLOTS[slot] ?? slot}`).join(", ");
	const more = total > slots.length ? `The first ${count(slots.length)} of ${count(total)} slots of ${id}: ` : `Ring of ${id}: `;
	set(made.caption, `${more}${said}.${violations.length ? ` Violations of the protocol: ${violations.join(" ")}` : ""}`);
	made.canvas.setAttribute("aria-label", made.caption.textContent);
}

// Differences over the life of the kernel, on a logarithmic axis.
function showLatency(made, kernel, buckets) {
	const drawn = context(made.canvas, CHART_HEIGHT);
	const width = made.canvas.clientWidth;
	const base = CHART_HEIGHT - 18;
	const x = (nanos) => width * Math.log(Math.min(LONGEST_NS, Math.max(SHORTEST_NS, nanos)) / SHORTEST_NS)
		/ Math.log(LONGEST_NS / SHORTEST_NS);
	drawn.font = "11px system-ui, sans-serif";
	drawn.fillStyle = color(made.canvas, "--rk-soft");
	MARKS.forEach(([nanos, name]) => {
		drawn.fillRect(x(nanos), base, 1, 4);
		drawn.fillText(name, x(nanos) + 2, CHART_HEIGHT - 4);
	});
	drawn.fillRect(0, base, width, 1);
	const most = Math.max(1, ...buckets.map((bucket) => bucket.count));
	drawn.fillStyle = color(made.canvas, "--rk-accent");
	let from = SHORTEST_NS;
	for (const { below, count: number } of buckets) {
		const height = number === 0 ? 0 : Math.max(2, base * number / most);
		drawn.fillRect(x(from), base - height, Math.max(1, x(below) - x(from) - 1), height);
		from = below;
	}
	const total = kernel.latency.total;
	drawn.fillStyle = color(made.canvas, "--rk-busy");
	for (const name of total ? ["p50", "p99", "max"] : []) {
		drawn.fillRect(x(total[name]), 0, 2, base);
	}
	const shape = buckets.length ? "" : " Name buckets in management.metrics.distribution.slo[ringkernel.request] to see their shape.";
	set(made.caption, total
		? `Latency: p50 ${duration(total.p50)}, p99 ${duration(total.p99)}, p99.9 ${duration(total["p99.9"])}, max ${duration(total.max)}.${shape}`
		: "Latency: no request timed yet.");
	made.canvas.setAttribute("aria-label", made.caption.textContent);
}

function figure() {
	const element = document.createElement("figure");
	const canvas = document.createElement("canvas");
	canvas.setAttribute("role", "img");
	const caption = part("figcaption", "");
	element.append(canvas, caption);
	return { element, canvas, caption };
}

function context(canvas, height) {
	const ratio = devicePixelRatio;
	canvas.style.height = `${height}px`;
	canvas.width = Math.round(canvas.clientWidth * ratio);
	canvas.height = Math.round(height * ratio);
	const drawn = canvas.getContext("2d");
	drawn.scale(ratio, ratio);
	return drawn;
}

function color(element, name) {
	return getComputedStyle(element).getPropertyValue(name);
}

async function answer(pending) {
	let response;
	try {
		response = await pending;
	}
	catch {
		throw new Error(GONE);
	}
	if (!response.ok) {
		const body = await response.json().catch(() => ({}));
		throw new Error(body.detail ?? MESSAGES[response.status] ?? `The application answered with status ${response.status}. See its log.`);
	}
	return response;
}

// Spring Security's cookie, if there is one.
function headers() {
	const token = document.cookie.match(/(?:^|; )XSRF-TOKEN=([^;]+)/)?.[1];
	return { "Content-Type": "application/json", Accept: "application/json, application/problem+json",
		...(token && { "X-XSRF-TOKEN": decodeURIComponent(token) }) };
}

function visible() {
	return document.hidden
		? new Promise((resume) => document.addEventListener("visibilitychange", resume, { once: true })).then(visible) : Promise.resolve();
}

function part(name, className, text = "") {
	const made = document.createElement(name);
	if (className) {
		made.className = className;
	}
	made.textContent = text;
	return made;
}

function set(element, text) {
	if (element.textContent !== text) {
		element.textContent = text;
	}
}

function count(number) {
	return number.toLocaleString("en");
}

function duration(nanos) {
	const [unit, name] = nanos >= 1e9 ? [1e9, "s"] : nanos >= 1e6 ? [1e6, "ms"] : [1e3, "µs"];
	const value = nanos / unit;
	return `${value.toFixed(value < 10 ? 1 : 0)} ${name}`;
}

document.querySelectorAll("[data-ringkernels]").forEach((root) => new Live(root));
