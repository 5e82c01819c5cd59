// The contrast, as WCAG 2 defines it, of each kind of text against the ground behind it.
() => {
	const channels = (color) => color.match(/[\d.]+/g).map(Number);
	const luminance = (color) => {
		const [r, g, b] = channels(color).slice(0, 3).map((channel) => {
			const share = channel / 255;
			return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
		});
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const ground = (element) => {
		const color = getComputedStyle(element).backgroundColor;
		const [, , , alpha = 1] = channels(color);
		return alpha > 0 ? color : ground(element.parentElement);
	};
	const contrast = (color, element) => {
		const [light, dark] = [color, ground(element)].map(luminance).sort((a, b) => b - a);
		return (light + 0.05) / (dark + 0.05);
	};
	const texts = {};
	for (const selector of ["h1", "h2", "h3", ".rk-note", ".rk-plan", ".rk-state", ".rk-cause", "summary", "dt", "dd", "figcaption", "button",
		".rk-key li", "th", "td", ".rk-events li"]) {
		document.querySelectorAll(selector).forEach((element, i) => {
			texts[`${selector} ${i}`] = contrast(getComputedStyle(element).color, element);
		});
	}
	const graphics = {};
	document.querySelectorAll(".rk-chart text").forEach((element, i) => {
		const isOnMark = element.closest(".rk-event");
		const fill = getComputedStyle(isOnMark ?? element).fill;
		texts[`${element.textContent} ${i}`] = contrast(fill, element.closest("article"));
	});
	for (const [selector, property] of [[".rk-line", "stroke"], [".rk-error", "fill"], [".rk-bar", "fill"], [".rk-event line", "stroke"],
		[".rk-percentile line", "stroke"]]) {
		document.querySelectorAll(selector).forEach((element, i) => {
			graphics[`${selector} ${i}`] = contrast(getComputedStyle(element)[property], element.closest("article"));
		});
	}
	document.querySelectorAll(".rk-key canvas").forEach((element) => {
		const probe = document.createElement("span");
		probe.style.color = `var(${element.dataset.color})`;
		element.parentElement.append(probe);
		graphics[element.parentElement.textContent] = contrast(getComputedStyle(probe).color, element);
		probe.remove();
	});
	return { texts, graphics };
}
