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
	const ratios = {};
	for (const selector of ["h1", "header p", "label", "#query", "#category", "button[type=submit]", ".examples button",
		"#progress-text", "#timing dt", "#timing output", "#message", "li strong", "li .definition", "li .facts",
		".similar", "footer p"]) {
		const element = document.querySelector(selector);
		const [light, dark] = [getComputedStyle(element).color, ground(element)].map(luminance).sort((a, b) => b - a);
		ratios[selector] = (light + 0.05) / (dark + 0.05);
	}
	return ratios;
}
