// Texts that meet each other, or leave the page or the card that they are in.
() => {
	const SLACK = 1.5;
	const texts = [];
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const node = walker.currentNode;
		const parent = node.parentElement;
		if (node.data.trim() && !parent.closest("noscript, script, title") && parent.checkVisibility()) {
			const range = document.createRange();
			range.selectNodeContents(node);
			const boxes = parent instanceof SVGElement ? [parent.getBoundingClientRect()] : [...range.getClientRects()];
			boxes.filter((box) => box.width > 0).forEach((box) => texts.push({ text: node.data.trim(), box, node }));
		}
	}
	const inside = (element) => {
		const { left, right } = element.getBoundingClientRect();
		const { paddingLeft, paddingRight } = getComputedStyle(element);
		return { left: left + parseFloat(paddingLeft), right: right - parseFloat(paddingRight) };
	};
	const problems = [];
	texts.forEach(({ text, box, node }, i) => {
		const room = inside(node.parentElement.closest("article, .rk-platform") ?? document.body);
		if (box.left < room.left - SLACK || box.right > room.right + SLACK) {
			problems.push(`'${text}' leaves its room`);
		}
		for (const other of texts.slice(i + 1)) {
			if (other.node !== node && box.left < other.box.right - SLACK && other.box.left < box.right - SLACK
				&& box.top < other.box.bottom - SLACK && other.box.top < box.bottom - SLACK) {
				problems.push(`'${text}' meets '${other.text}'`);
			}
		}
	});
	return { texts: texts.length, problems };
}
