// The slots of a ring, each a cell, and what their shapes and colors mean.

import { count, part, set } from "./dom.js";

const CELL = 12;
const SMALL_CELL = 9;
const NARROW = 480;

// Not by color alone: each state has a shape of its own, in a cell of 12 by 12.
const SLOTS = {
	F: { name: "free", color: "--rk-free", draw: (on) => on.fillRect(4, 4, 4, 4) },
	C: { name: "claimed", color: "--rk-busy", draw: (on) => on.strokeRect(2, 2, 8, 8) },
	R: { name: "requested", color: "--rk-busy", draw: (on) => on.fillRect(1, 1, 10, 10) },
	A: { name: "answered", color: "--rk-accent", draw: disc },
	P: { name: "passed over", color: "--rk-alert", draw: cross },
};

function disc(on) {
	on.beginPath();
	on.arc(6, 6, 5, 0, 2 * Math.PI);
	on.fill();
}

function cross(on) {
	on.beginPath();
	on.moveTo(2, 2);
	on.lineTo(10, 10);
	on.moveTo(10, 2);
	on.lineTo(2, 10);
	on.stroke();
}

function draw(canvas, on, state, x = 0, y = 0, size = CELL) {
	const { color, draw } = SLOTS[state] ?? SLOTS.R;
	on.save();
	on.translate(x, y);
	on.scale(size / CELL, size / CELL);
	on.fillStyle = on.strokeStyle = getComputedStyle(canvas).getPropertyValue(color);
	on.lineWidth = 2;
	draw(on);
	on.restore();
}

export class Ring {

	constructor() {
		this.canvas = part("canvas");
		this.canvas.setAttribute("role", "img");
		this.caption = part("figcaption");
		this.element = part("figure", "rk-ring", this.canvas, this.caption);
	}

	show(id, { slots, violations = [] }) {
		const size = this.canvas.clientWidth < NARROW ? SMALL_CELL : CELL;
		const columns = Math.max(1, Math.floor(this.canvas.clientWidth / size));
		const drawn = context(this.canvas, Math.ceil(slots.length / columns) * size);
		const counts = {};
		[...slots].forEach((slot, i) => {
			counts[slot] = (counts[slot] ?? 0) + 1;
			draw(this.canvas, drawn, slot, (i % columns) * size, Math.floor(i / columns) * size, size);
		});
		const said = Object.entries(counts).map(([slot, n]) => `${count(n)} ${SLOTS[slot]?.name ?? slot}`).join(", ");
		set(this.caption, `Ring of ${id}: ${said}.${violations.length ? ` Violations of the protocol: ${violations.join(" ")}` : ""}`);
		this.canvas.setAttribute("aria-label", this.caption.textContent);
	}

	showNone(state) {
		set(this.caption, `There is no ring while the kernel is ${state}.`);
		this.canvas.setAttribute("aria-label", this.caption.textContent);
		context(this.canvas, this.canvas.clientHeight);
	}

}

// What the cells mean. Its canvases are drawn when they are in the page, whose colors they have.
export class Key {

	constructor() {
		this.element = part("ul", "rk-key");
		this.element.setAttribute("aria-label", "Slots");
		this.canvases = Object.entries(SLOTS).map(([state, { name, color }]) => {
			const canvas = part("canvas");
			canvas.setAttribute("aria-hidden", "true");
			canvas.dataset.color = color;
			this.element.append(part("li", "", canvas, name));
			return [state, canvas];
		});
	}

	show() {
		this.canvases.forEach(([state, canvas]) => draw(canvas, context(canvas, CELL), state));
	}

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
