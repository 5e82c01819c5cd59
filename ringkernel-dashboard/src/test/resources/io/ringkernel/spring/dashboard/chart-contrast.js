// The contrast of what the charts and the key show, by contrast.js.
() => {
	const texts = {};
	document.querySelectorAll(".rk-chart text").forEach((element, i) => {
		const isOnMark = element.closest(".rk-event");
		const fill = getComputedStyle(isOnMark ?? element).fill;
		texts[`${element.textContent} ${i}`] = contrast(fill, element.closest("article"));
	});
	const graphics = {};
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
