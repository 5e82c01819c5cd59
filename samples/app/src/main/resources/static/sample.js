// The page as a person uses it: add vectors, find neighbours, watch the kernels, and be told what is wrong.

const POINTS = 4000;
const NEAREST = 10;
// Ids that nobody else is likely to use: the points share the kernel with what others store.
const FIRST_ID = -1_000_000;
const STEP = 0.02;
const GONE = "The application does not answer. Start it again, and try again.";
const DASHBOARD = "actuator/ringkernelsdashboard/";

const element = (id) => document.getElementById(id);

function say(id, text, isAlert = false) {
	const note = element(id);
	note.classList.toggle("alert", isAlert);
	note.textContent = text;
}

async function ask(path, method = "GET", body = undefined) {
	let response;
	const start = performance.now();
	try {
		response = await fetch(path, { method, body: body && JSON.stringify(body),
			headers: { Accept: "application/json, application/problem+json", ...(body && { "Content-Type": "application/json" }) } });
	}
	catch {
		throw new Error(GONE);
	}
	const answer = await response.json().catch(() => ({}));
	if (!response.ok) {
		throw new Error(answer.detail ?? `The application answered with status ${response.status}. See its log.`);
	}
	const kernel = Number(response.headers.get("Server-Timing")?.match(/kernel;dur=([\d.]+)/)?.[1]);
	return { answer, took: `The kernel's call took ${micros(kernel * 1000)}, the request ${micros((performance.now() - start) * 1000)}.` };
}

function micros(value) {
	return `${value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en")} µs`;
}

function vector(id) {
	return element(id).value.split(/[\s,;]+/).filter(Boolean).map((text) => {
		const number = Number(text);
		if (!Number.isFinite(number)) {
			throw new Error(`${id} has "${text}", which is no number. Use numbers, separated by commas or blanks.`);
		}
		return number;
	});
}

element("add").addEventListener("submit", async (event) => {
	event.preventDefault();
	try {
		const { answer, took } = await ask("api/vector-add", "POST", { a: vector("a"), b: vector("b") });
		say("sum", `Sum: ${answer.sum.join(", ")}. ${took}`);
	}
	catch (error) {
		say("sum", error.message, true);
	}
});

async function validation(method) {
	try {
		const { answer } = await ask("api/validation", method);
		element("validation").replaceChildren(...answer.rows.map(row));
		const failed = answer.rows.filter((it) => it.problem).length;
		const where = `Backend ${answer.backend}: ${answer.reasons.join("; ")}.`;
		say("validation-text", failed ? `${failed} of ${answer.rows.length} cases failed. See the application's log. ${where}`
			: `${answer.rows.length} cases, 101 rounds each. ${where}`, failed > 0);
	}
	catch (error) {
		say("validation-text", error.message, true);
	}
}

function row({ name, elements, micros: took, problem }) {
	const tr = document.createElement("tr");
	for (const text of [name, elements.toLocaleString("en"), micros(took), problem ?? "passed"]) {
		const td = document.createElement("td");
		td.textContent = text;
		tr.append(td);
	}
	return tr;
}

element("validate").addEventListener("click", () => validation("POST"));

// The same points each time: a generator of a fixed seed (mulberry32), around some centres.
function points() {
	let seed = 42;
	const random = () => {
		seed = (seed + 0x6D2B79F5) | 0;
		let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
	};
	const centres = Array.from({ length: 12 }, () => [0.1 + 0.8 * random(), 0.1 + 0.8 * random(), 0.02 + 0.1 * random()]);
	return Array.from({ length: POINTS }, (_, i) => {
		const [x, y, spread] = centres[i % centres.length];
		const radius = spread * Math.sqrt(-Math.log(1 - random()));
		const angle = 2 * Math.PI * random();
		return [clamp(x + radius * Math.cos(angle)), clamp(y + radius * Math.sin(angle))];
	});
}

function clamp(value) {
	return Math.min(1, Math.max(0, value));
}

const plane = element("plane");
const stored = { points: [], found: new Map(), cross: [0.5, 0.5], dimensions: 0 };

function draw() {
	const style = getComputedStyle(document.documentElement);
	const ratio = devicePixelRatio;
	const [width, height] = [plane.clientWidth, plane.clientHeight];
	plane.width = Math.round(width * ratio);
	plane.height = Math.round(height * ratio);
	const drawn = plane.getContext("2d");
	drawn.scale(ratio, ratio);
	drawn.fillStyle = style.getPropertyValue("--point");
	stored.points.forEach(([x, y], i) => {
		if (!stored.found.has(i)) {
			drawn.fillRect(x * width - 1, y * height - 1, 2, 2);
		}
	});
	drawn.fillStyle = style.getPropertyValue("--accent");
	for (const i of stored.found.keys()) {
		const [x, y] = stored.points[i];
		drawn.beginPath();
		drawn.arc(x * width, y * height, 5, 0, 2 * Math.PI);
		drawn.fill();
	}
	const [x, y] = stored.cross;
	drawn.fillStyle = style.getPropertyValue("--text");
	drawn.fillRect(x * width - 8, y * height - 1, 16, 2);
	drawn.fillRect(x * width - 1, y * height - 8, 2, 16);
}

function embed([x, y]) {
	const vector = new Array(stored.dimensions).fill(0);
	// The plane is twice as wide as it is high.
	[vector[0], vector[1]] = [2 * x, y];
	return vector;
}

async function place() {
	element("place").disabled = true;
	say("neighbours-text", "Storing the points …");
	try {
		const { answer: bounds } = await ask("api/neighbours");
		if (bounds.dimensions < 2) {
			throw new Error("A plane needs two dimensions. Set sample.nearest-neighbours.dimensions to 2 or more.");
		}
		stored.dimensions = bounds.dimensions;
		const made = points();
		await ask("api/neighbours/vectors", "POST",
			{ vectors: made.map((point, i) => ({ id: FIRST_ID + i, vector: embed(point) })) });
		stored.points = made;
		draw();
		say("neighbours-text", `${made.length.toLocaleString("en")} points are stored, as vectors of ${bounds.dimensions} elements. `
			+ "Click into the plane, or move the cross by the arrow keys and press Enter.");
	}
	catch (error) {
		say("neighbours-text", error.message, true);
	}
	finally {
		element("place").disabled = false;
	}
}

async function search() {
	if (stored.points.length === 0) {
		say("neighbours-text", "Nothing is stored yet. Store the points first.", true);
		return;
	}
	try {
		const { answer, took } = await ask("api/neighbours/query", "POST", { vector: embed(stored.cross), k: NEAREST });
		const ours = answer.neighbours.filter(({ id }) => id >= FIRST_ID && id < FIRST_ID + POINTS);
		stored.found = new Map(ours.map(({ id, distance }) => [id - FIRST_ID, distance]));
		element("nearest").replaceChildren(...ours.map(({ id, distance }) => {
			const item = document.createElement("li");
			item.textContent = `#${id - FIRST_ID}, ${Math.sqrt(distance).toFixed(4)} away`;
			return item;
		}));
		draw();
		const others = answer.neighbours.length - ours.length;
		say("neighbours-text", `The ${ours.length} nearest points. ${took}${others
			? ` ${others} more vectors that were found are not of this page.` : ""}`);
	}
	catch (error) {
		stored.found = new Map();
		element("nearest").replaceChildren();
		draw();
		say("neighbours-text", error.message, true);
	}
}

element("place").addEventListener("click", place);
plane.addEventListener("click", (event) => {
	stored.cross = [clamp(event.offsetX / plane.clientWidth), clamp(event.offsetY / plane.clientHeight)];
	draw();
	search();
});
plane.addEventListener("keydown", (event) => {
	const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
	if (move) {
		event.preventDefault();
		stored.cross = stored.cross.map((value, i) => clamp(value + STEP * move[i]));
		draw();
	}
	else if (event.key === "Enter") {
		search();
	}
});
addEventListener("resize", draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

async function live() {
	try {
		const style = document.createElement("link");
		style.rel = "stylesheet";
		style.href = `${DASHBOARD}dashboard.css`;
		// Nothing is shown unstyled, so that nothing moves.
		const styled = new Promise((resolve, reject) => {
			style.onload = resolve;
			style.onerror = () => reject(new Error(style.href));
		});
		document.head.append(style);
		await styled;
		await import(new URL(`${DASHBOARD}dashboard.js`, document.baseURI).href);
		say("live-text", "From the dashboard that any application can add.");
	}
	catch {
		say("live-text", "The kernels are not shown here. If Actuator has a port of its own, open /actuator/ringkernelsdashboard there. "
			+ "If it has none, expose ringkernels and ringkernelsdashboard by management.endpoints.web.exposure.include.", true);
	}
}

async function neighbours() {
	try {
		const { answer } = await ask("api/neighbours");
		say("neighbours-text", `${answer.size.toLocaleString("en")} of ${answer.capacity.toLocaleString("en")} vectors are stored. `
			+ "Store the points of this page, then click into the plane.");
	}
	catch (error) {
		say("neighbours-text", error.message, true);
	}
}

draw();
validation("GET");
neighbours();
live();
