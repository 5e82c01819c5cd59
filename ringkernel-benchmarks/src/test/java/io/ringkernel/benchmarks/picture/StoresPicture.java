package io.ringkernel.benchmarks.picture;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import io.ringkernel.benchmarks.picture.Svg.Point;

/**
 * How long vector stores search beside how much they find: a panel without a filter and
 * one with.
 */
final class StoresPicture implements Picture {

	private static final Axis RECALL = Axis.linear(0.85, 1, 330);

	private static final Axis MICROS = Axis.logarithmic(1e2, 1e6, 240);

	@Override
	public Path file() {
		return Path.of("docs/stores-by-recall.svg");
	}

	@Override
	public String kind() {
		return "stores";
	}

	@Override
	public String draw(Results results) {
		Svg svg = new Svg(2, RECALL, MICROS, "Time of a search by what it finds",
				"One query at a time, p50, by recall@10", "StoresPicture from " + results.name(),
				"polyline { stroke: #bc4c00 } circle.ringkernel { fill: #0969da } circle.lucene { fill: #bc4c00 } circle.simple { fill: #59636e }",
				"polyline { stroke: #f0883e } circle.ringkernel { fill: #58a6ff } circle.lucene { fill: #f0883e } circle.simple { fill: #9198a1 }");
		svg.legendOfMark("ringkernel", "RingKernel on the CPU");
		svg.legendOfMark("lucene", "Lucene HNSW, 10 to 400 candidates");
		svg.legendOfMark("simple", "SimpleVectorStore");
		panel(svg, "without a filter", results, false);
		panel(svg, "with a filter that a tenth of the documents match", results, true);
		return svg.end();
	}

	private static void panel(Svg svg, String title, Results results, boolean filtered) {
		svg.panel(title);
		for (int percent = 85; percent <= 100; percent += 5) {
			svg.upwards(percent / 100.0, String.format(Locale.ROOT, "%.2f", percent / 100.0));
		}
		svg.caption("recall@10");
		svg.decades(1e3);
		for (String store : List.of("lucene", "simple", "ringkernel")) {
			List<Point> points = results.having("\"store\":\"" + store + '"', "\"filtered\":" + filtered)
				.stream()
				.map((line) -> new Point(Results.number(line, "recall"), Results.number(line, "p50_us")))
				.toList();
			if (points.size() > 1) {
				svg.polyline(store, points);
			}
			points.forEach((point) -> svg.mark(store, point));
		}
		svg.endPanel();
	}

}
