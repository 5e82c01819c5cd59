// The last 15 minutes of all kernels. The application keeps them; what it has told before it was started anew stays here.

export class History {

	constructor() {
		this.samples = new Map();
		this.events = new Map();
		this.span = 900_000;
		this.step = 5_000;
		this.now = Date.now();
		this.version = 0;
	}

	// A part of the application's history: all of it when the page begins to listen, and what is new afterwards. An application may
	// leave out what is empty.
	add(part) {
		if (!part) {
			return;
		}
		this.now = part.now;
		this.span = part.spanMillis;
		this.step = part.stepMillis;
		for (const [id, added] of Object.entries(part.kernels ?? {})) {
			if (added.length) {
				const before = (this.samples.get(id) ?? []).filter((sample) => sample.at < added[0].at);
				this.samples.set(id, [...before, ...added]);
				this.version++;
			}
		}
		for (const event of part.events ?? []) {
			this.events.set(`${event.at} ${event.number}`, event);
			this.version++;
		}
		this.forget();
	}

	forget() {
		const oldest = this.now - this.span;
		this.samples.forEach((all, id) => this.samples.set(id, all.filter((sample) => sample.at >= oldest)));
		this.events.forEach((event, key) => event.at < oldest && this.events.delete(key));
	}

	// What concerns one kernel: its samples, and the events of it, of its replicas and of all.
	of(id) {
		return {
			version: this.version, now: this.now, span: this.span, step: this.step, samples: this.samples.get(id) ?? [],
			events: [...this.events.values()]
				.filter(({ kernel }) => kernel == null || kernel === id || kernel.startsWith(`${id}.`))
				.sort((a, b) => a.at - b.at),
		};
	}

}
