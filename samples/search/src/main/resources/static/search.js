// The page as a person uses it: search while typing, show what was found and what it took, and say what is wrong.

const DEBOUNCE_MS = 250;
const POLL_MS = 1000;
const REQUEST_TIMEOUT_MS = 20000;
const GONE = "The application does not answer. Start it again; this page goes on by itself.";

const element = (id) => document.getElementById(id);
const form = element("form");
const query = element("query");
const category = element("category");
const message = element("message");
const results = element("results");

let pending = new AbortController();
let timer;
let searchable = 0;
let waitsForPassages = false;

function say(text, isAlert = false) {
	message.classList.toggle("alert", isAlert);
	if (message.textContent !== text) {
		message.textContent = text;
	}
}

async function get(path, signal) {
	let response;
	try {
		response = await fetch(path, { signal, headers: { Accept: "application/json" } });
	}
	catch (error) {
		throw error.name === "AbortError" ? error : new Error(GONE);
	}
	const body = await response.json().catch((error) => {
		if (signal?.aborted) {
			throw error;
		}
		return {};
	});
	if (!response.ok) {
		throw new Error(body.detail ?? `The application answered with status ${response.status}. See its log.`);
	}
	return body;
}

async function show(path) {
	clearTimeout(timer);
	pending.abort();
	pending = new AbortController();
	const signal = pending.signal;
	const deadline = setTimeout(() => pending.signal === signal && pending.abort(), REQUEST_TIMEOUT_MS);
	results.setAttribute("aria-busy", "true");
	try {
		const answer = await get(path, signal);
		showHits(answer);
		showTiming(answer);
	}
	catch (error) {
		if (error.name !== "AbortError") {
			results.replaceChildren();
			say(error.message, true);
		}
		else if (pending.signal === signal) {
			say("The application has not answered in time. Search again, or see its log.", true);
		}
	}
	finally {
		clearTimeout(deadline);
		if (pending.signal === signal) {
			results.removeAttribute("aria-busy");
		}
	}
}

function search() {
	const text = query.value.trim();
	const parameters = new URLSearchParams();
	if (text) {
		parameters.set("q", text);
	}
	if (category.value) {
		parameters.set("category", category.value);
	}
	history.replaceState(null, "", parameters.size ? `?${parameters}` : location.pathname);
	if (text) {
		show(`api/search?${parameters}`);
	}
	else {
		pending.abort();
		pending = new AbortController();
		results.removeAttribute("aria-busy");
		results.replaceChildren();
		say("Describe what you look for.");
	}
}

function showHits(answer) {
	waitsForPassages = answer.passages === 0;
	if (waitsForPassages) {
		say("No noun is embedded yet. The search is repeated when the first ones are.");
	}
	else if (answer.hits.length === 0) {
		say("No noun of this kind is embedded yet. Choose any kind, or search again later.");
	}
	else {
		say(`The nearest ${answer.hits.length} of ${count(answer.passages)} nouns. The plain loop found `
			+ (answer.alsoFoundByPlainLoop === answer.hits.length ? "the same." : `${answer.alsoFoundByPlainLoop} of them.`));
	}
	results.replaceChildren(...answer.hits.map(item));
}

function item(hit) {
	const li = document.createElement("li");
	const similar = part("button", "similar", "Similar");
	similar.type = "button";
	similar.setAttribute("aria-label", `Words similar to ${hit.words[0]}`);
	similar.addEventListener("click", () => show(`api/passages/${encodeURIComponent(hit.id)}/similar`));
	li.append(part("strong", "", hit.words.join(", ")), part("span", "definition", hit.definition),
		part("span", "facts", `${hit.category} · score ${hit.score.toFixed(3)}`), similar);
	return li;
}

function part(name, className, text) {
	const made = document.createElement(name);
	made.className = className;
	made.textContent = text;
	return made;
}

function showTiming({ timing, passages }) {
	const longest = Math.max(timing.search, timing.plainLoop);
	bar("store-time", timing.search, longest);
	bar("loop-time", timing.plainLoop, longest);
	const device = timing.device === null ? "" : ` A worker on the device took ${duration(timing.device)}.`;
	const embedding = timing.embedding === 0 ? "The vector was stored."
		: `Making a vector of your words took ${duration(timing.embedding)} more.`;
	element("timing-text").textContent = `${count(passages)} vectors of 384 numbers.${device} ${embedding}`;
}

function bar(id, micros, longest) {
	const output = element(id);
	output.textContent = duration(micros);
	output.parentElement.querySelector(".bar").style.setProperty("--share", micros / longest);
}

function duration(micros) {
	return `${micros < 100 ? micros.toFixed(1) : count(Math.round(micros))} µs`;
}

function count(number) {
	return number.toLocaleString("en");
}

async function poll() {
	try {
		showStatus(await get("api/status"));
	}
	catch (error) {
		progressText(error.message, true);
	}
	setTimeout(poll, POLL_MS);
}

function showStatus({ progress, kernelState, backend }) {
	const bar = element("progress");
	bar.max = Math.max(1, progress.total);
	bar.value = progress.embedded;
	element("store-label").textContent = `Vector store on the ${backend === "cpu" ? "CPU" : "GPU"}`;
	if (kernelState !== "ACTIVE") {
		progressText(`The kernel is ${kernelState}: it takes no searches. See the application's log, and /actuator/ringkernels.`, true);
	}
	else if (progress.problem) {
		progressText(progress.problem, true);
	}
	else {
		progressText(statusText(progress), false);
	}
	if (waitsForPassages && progress.embedded > 0 && searchable === 0) {
		search();
	}
	searchable = progress.embedded;
}

function statusText(progress) {
	const far = `${count(progress.embedded)} of ${count(progress.total)}`;
	if (progress.state === "READING") {
		return "Reading WordNet, and what was embedded before.";
	}
	if (progress.state === "READY") {
		return `All ${count(progress.total)}. They are stored: the next start need not embed them again.`;
	}
	const left = (progress.total - progress.embedded) / progress.passagesPerSecond;
	const pace = progress.passagesPerSecond > 0
		? ` ${count(Math.round(progress.passagesPerSecond))} a second, about ${remaining(left)} to go.` : "";
	return `${far}, the words that are used most first.${pace} A search finds what is there.`;
}

function remaining(seconds) {
	return seconds < 90 ? `${Math.ceil(seconds)} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

function progressText(text, isAlert) {
	const note = element("progress-text");
	note.classList.toggle("alert", isAlert);
	if (note.textContent !== text) {
		note.textContent = text;
	}
}

form.addEventListener("submit", (event) => {
	event.preventDefault();
	search();
});
query.addEventListener("input", () => {
	clearTimeout(timer);
	timer = setTimeout(search, DEBOUNCE_MS);
});
category.addEventListener("change", search);
element("examples").addEventListener("click", (event) => {
	if (event.target instanceof HTMLButtonElement) {
		query.value = event.target.textContent;
		search();
	}
});

const parameters = new URLSearchParams(location.search);
query.value = parameters.get("q") ?? "";
category.value = parameters.get("category") ?? "";
if (query.value) {
	search();
}
poll();
