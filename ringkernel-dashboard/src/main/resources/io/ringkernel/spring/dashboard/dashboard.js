// Shows every ring kernel, live, in each element with the attribute data-ringkernels. An application's own page may import it.

import { clock, part, set } from "./dom.js";
import { History } from "./history.js";
import { KernelCard } from "./kernel.js";
import { Platform } from "./platform.js";
import { answer, HERE } from "./http.js";

const RETRY_MS = 2000;
const SILENCE_MS = 15000;
const NO_STREAM = "The application's answer is no live stream. Load this page again; if that does not help, see what is between it and "
	+ "the application.";

class Live {

	constructor(root) {
		this.root = root;
		this.note = part("p", "rk-note", "Asking the application …");
		this.note.setAttribute("role", "status");
		this.platform = new Platform();
		this.list = part("div", "rk-kernels");
		this.cards = new Map();
		this.history = new History();
		root.replaceChildren(this.note, this.platform.element, this.list);
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
					this.lose(error.message);
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
			silence = setTimeout(() => {
				this.lose(`The application has said nothing for ${SILENCE_MS / 1000} s. This page asks it again.`);
				stop.abort();
			}, SILENCE_MS);
		};
		try {
			heard();
			const response = await answer(fetch(new URL("events", HERE),
				{ signal: stop.signal, headers: { Accept: "text/event-stream, application/problem+json" }, cache: "no-store",
					redirect: "manual" }));
			const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
			let text = "";
			let isStream = false;
			for (;;) {
				const { value, done } = await reader.read().catch(() => ({ done: true }));
				if (done) {
					if (!isStream && !stop.signal.aborted) {
						throw new Error(NO_STREAM);
					}
					return;
				}
				heard();
				const events = (text + value).split("\n\n");
				text = events.pop();
				for (const event of events.filter(Boolean)) {
					this.show(JSON.parse(event.replace(/^data:/gm, "")));
					isStream = true;
				}
			}
		}
		finally {
			clearTimeout(silence);
			document.removeEventListener("visibilitychange", onHide);
			stop.abort();
		}
	}

	// What is shown from now on is what was, and nothing can be done about it.
	lose(reason) {
		const seen = this.seenAt ? `last seen ${clock(this.seenAt)}` : "never seen";
		this.root.dataset.stale = "";
		this.platform.lose(seen);
		this.cards.forEach((card) => card.lose(seen));
		this.say(reason, true);
	}

	say(text, isAlert = false) {
		this.note.classList.toggle("rk-alert", isAlert);
		set(this.note, text);
	}

	show(status) {
		delete this.root.dataset.stale;
		this.seenAt = Date.now();
		status.kernels ??= {};
		this.history.add(status.history);
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
		this.platform.show(status, this.history);
		for (const [id, card] of this.cards) {
			if (!ids.includes(id)) {
				card.element.remove();
				this.cards.delete(id);
			}
		}
		for (const id of ids) {
			if (!this.cards.has(id)) {
				const card = new KernelCard(id);
				this.cards.set(id, card);
				this.list.append(card.element);
			}
		}
		// When all are there: one more makes the others narrower.
		for (const id of ids) {
			this.cards.get(id).show(status.kernels[id], { rings: {}, buckets: [], ...status.near?.[id] }, status,
				this.history.of(id));
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

function visible() {
	return document.hidden
		? new Promise((resume) => document.addEventListener("visibilitychange", resume, { once: true })).then(visible) : Promise.resolve();
}

document.querySelectorAll("[data-ringkernels]").forEach((root) => new Live(root));
