// The contrast, as WCAG 2 defines it, of a colour against the ground behind an element, and of texts against theirs.
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
	window.contrast = (color, element) => {
		const [light, dark] = [color, ground(element)].map(luminance).sort((a, b) => b - a);
		return (light + 0.05) / (dark + 0.05);
	};
	window.contrastOfTexts = (selectors) => {
		const texts = {};
		for (const selector of selectors) {
			document.querySelectorAll(selector).forEach((element, i) => {
				texts[`${selector} ${i}`] = contrast(getComputedStyle(element).color, element);
			});
		}
		return texts;
	};
}
