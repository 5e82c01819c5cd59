// What the kernels run on: devices, kernel hosts and the application.

import { bytes, part, percent, set, uptime } from "./dom.js";

export class Platform {

	constructor() {
		this.element = part("section", "rk-platform");
		this.element.setAttribute("aria-label", "Platform");
		this.list = part("dl");
		this.element.append(this.list);
		this.element.hidden = true;
		this.pairs = new Map();
	}

	show(status, history) {
		this.element.hidden = false;
		const items = [...devices(status, history), hosts(status.platform.hosts ?? []), application(status.application),
			["Connection", "live"]];
		const names = items.map(([name]) => name);
		for (const [name, pair] of this.pairs) {
			if (!names.includes(name)) {
				pair.remove();
				this.pairs.delete(name);
			}
		}
		items.forEach(([name, value]) => this.set(name, value));
		this.list.append(...names.map((name) => this.pairs.get(name)).filter((pair, i) => this.list.children[i] !== pair));
	}

	set(name, value) {
		if (!this.pairs.has(name)) {
			const pair = part("div", "", part("dt", "", name), part("dd"));
			this.pairs.set(name, pair);
			this.list.append(pair);
		}
		set(this.pairs.get(name).lastElementChild, value);
	}

	lose(seen) {
		this.set("Connection", `UNKNOWN, ${seen}`);
	}

}

function devices({ platform, kernels, application = {} }, history) {
	const all = platform.devices ?? { [platform.plan?.device ?? ""]: platform };
	const isOne = Object.keys(all).length === 1;
	return Object.entries(all).flatMap(([number, device]) => {
		const name = (what) => (isOne ? what : `${what} ${number}`);
		return device.device === undefined ? processor(device, application)
			: [[name("Device"), device.device], [name("Device memory"), memory(number, device, kernels)],
				[name("Utilization"), utilization(number, kernels, history)]];
	});
}

function processor(platform, { processors, cpuUsage, heapUsedBytes, heapMaxBytes }) {
	return [["Device", `CPU${platform.architecture ? `, ${platform.architecture}` : ""}${processors ? `, ${processors} processors` : ""}`],
		["Memory (heap)", heapUsedBytes === undefined ? "not known" : `${bytes(heapUsedBytes)} of ${heapMaxBytes ? bytes(heapMaxBytes) : "?"}`],
		["Utilization", cpuUsage === undefined ? "not known" : `${percent(cpuUsage)} of the CPU`]];
}

function on(number, kernel) {
	return String(kernel.device) === number;
}

function memory(number, device, kernels) {
	const held = Object.values(kernels)
		.flatMap((kernel) => Object.values(kernel.replicas ?? { kernel }))
		.filter((kernel) => on(number, kernel))
		.reduce((sum, kernel) => sum + kernel.deviceMemoryBytes, 0);
	return `${bytes(held)} held by kernels, of ${device.memory ?? "?"}`;
}

function utilization(number, kernels, history) {
	let busy = 0;
	let workers = 0;
	for (const [id, kernel] of Object.entries(kernels)) {
		const last = history.of(id).samples.at(-1)?.busy;
		if (last != null && Object.values(kernel.replicas ?? { kernel }).some((replica) => on(number, replica))) {
			busy += last * kernel.workers;
			workers += kernel.workers;
		}
	}
	return workers ? `${percent(busy / workers)} of the workers' time` : "not known";
}

function hosts(all) {
	return ["Kernel host", all.length === 0 ? "none, kernels run in the application" : all.map((host) => (host.pid
		? `process ${host.pid}, up ${uptime(host.uptimeMillis)}, restarted ${host.restarts === 1 ? "once" : `${host.restarts} times`}`
		: `lost: ${host.lastExit ?? "not started"}`)).join("; ")];
}

function application({ name, pid, uptimeMillis } = {}) {
	return ["Application", pid ? `${name}, process ${pid}, up ${uptime(uptimeMillis)}` : "not known"];
}
