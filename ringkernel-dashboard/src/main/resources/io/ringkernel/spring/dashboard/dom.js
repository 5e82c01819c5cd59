// Elements, and numbers as people read them.

const SVG = "http://www.w3.org/2000/svg";

export function part(name, className = "", ...content) {
	const made = document.createElement(name);
	if (className) {
		made.className = className;
	}
	made.append(...content);
	return made;
}

export function svg(name, attributes = {}, text = "") {
	const made = document.createElementNS(SVG, name);
	Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
	if (text) {
		made.textContent = text;
	}
	return made;
}

// Only what has changed, so that a screen reader repeats nothing.
export function set(element, text) {
	if (element.textContent !== text) {
		element.textContent = text;
	}
}

// A list of names and values, and its values by name.
export function values(...names) {
	const element = part("dl");
	const all = Object.fromEntries(names.map((name) => [name, part("dd", "", "–")]));
	element.append(...names.map((name) => part("div", "", part("dt", "", name), all[name])));
	return { element, all };
}

export function count(number) {
	return number.toLocaleString("en");
}

export function perSecond(number) {
	return number > 0 && number < 10 ? number.toFixed(1) : count(Math.round(number));
}

// For an axis: as short as it can be.
export function short(number) {
	return number.toLocaleString("en", { notation: "compact", maximumSignificantDigits: 3 });
}

export function duration(nanos) {
	const [unit, name] = nanos >= 1e9 ? [1e9, "s"] : nanos >= 1e6 ? [1e6, "ms"] : [1e3, "µs"];
	const value = nanos / unit;
	return `${value.toFixed(value < 10 ? 1 : 0)} ${name}`;
}

export function uptime(millis) {
	const minutes = Math.floor(millis / 60_000);
	const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
	return days ? `${days} d ${hours} h` : hours ? `${hours} h ${minutes % 60} min`
		: minutes ? `${minutes} min` : `${Math.floor(millis / 1000)} s`;
}

export function bytes(number) {
	const [unit, name] = number >= 2 ** 30 ? [2 ** 30, "GiB"] : number >= 2 ** 20 ? [2 ** 20, "MiB"] : [2 ** 10, "KiB"];
	const value = number / unit;
	return `${value.toFixed(value < 100 ? 1 : 0)} ${name}`;
}

export function percent(share) {
	return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

export function clock(millis, isExact = true) {
	return new Date(millis).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23",
		...(isExact && { second: "2-digit" }) });
}

// The least of 1, 2 and 5 times a power of ten that is not less.
export function roundUp(number) {
	const power = 10 ** Math.floor(Math.log10(number));
	return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= number * 0.999);
}
