package io.ringkernel.benchmarks.picture;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.ringkernel.benchmarks.picture.Svg.Point;

/**
 * How long a call of a tree model takes by the number of its rows: a panel for each shape
 * of the ensemble, both axes logarithmic, beside XGBoost4J and LightGBM4J with as many
 * threads as are best. A mark shows from where on the device is the fastest.
 */
final class ModelsPicture implements Picture {

	private static final Map<String, String> SERIES = series();

	private static final Axis ROWS = Axis.logarithmic(1, 65_536, 270);

	private static final int HEIGHT = 240;

	private static final String SHAPE = "\"trees\":%.0f,\"depth\":%.0f";

	private static Map<String, String> series() {
		Map<String, String> series = new LinkedHashMap<>();
		series.put("device", "RingKernel, device");
		series.put("cpu", "RingKernel, CPU");
		series.put("xgboost", "XGBoost4J");
		series.put("lightgbm", "LightGBM4J");
		return series;
	}

	@Override
	public Path file() {
		return Path.of("docs/tree-models-by-rows.svg");
	}

	@Override
	public String kind() {
		return "models";
	}

	@Override
	public String draw(Results results) {
		List<String> scores = results.having("\"measure\":\"score\"");
		List<String> shapes = scores.stream()
			.map((line) -> SHAPE.formatted(Results.number(line, "trees"), Results.number(line, "depth")))
			.distinct()
			.toList();
		Svg svg = new Svg(shapes.size(), ROWS, nanos(scores), "Time of a call of a tree model by its rows",
				"Time of a call, p50, by the rows in it", "ModelsPicture from " + results.name(),
				".device { stroke: #0969da } .cpu { stroke: #0969da; stroke-dasharray: 7 3 } .xgboost { stroke: #bc4c00 } .lightgbm { stroke: #1a7f37 } circle { fill: #0969da }",
				".device, .cpu { stroke: #58a6ff } .xgboost { stroke: #f0883e } .lightgbm { stroke: #3fb950 } circle { fill: #58a6ff }");
		SERIES.forEach(svg::legend);
		svg.legendOfMark("device", "from here on, the device is the fastest");
		for (String shape : shapes) {
			panel(svg, shape, results);
		}
		return svg.end();
	}

	private static void panel(Svg svg, String shape, Results results) {
		String sample = results.having(shape).get(0);
		svg.panel(
				"%.0f trees of depth %.0f".formatted(Results.number(sample, "trees"), Results.number(sample, "depth")));
		for (double rows = ROWS.first(); rows <= ROWS.last(); rows *= 16) {
			svg.upwards(rows, "%.0f".formatted(rows));
		}
		svg.caption("rows a call");
		svg.decades(1);
		SERIES.keySet().forEach((by) -> svg.polyline(by, points(results, shape, by)));
		results.lines()
			.stream()
			.filter((line) -> line.contains("\"measure\":\"crossover\"," + shape + ','))
			.map((line) -> Results.number(line, "rows"))
			.forEach((rows) -> points(results, shape, "device").stream()
				.filter((point) -> point.x() == rows)
				.forEach((point) -> svg.mark("device", point)));
		svg.endPanel();
	}

	/** The least time for each number of rows. */
	private static List<Point> points(Results results, String shape, String by) {
		Map<Double, Double> least = new TreeMap<>();
		results.having("\"measure\":\"score\"", shape, "\"by\":\"" + by + '"')
			.forEach((line) -> least.merge(Results.number(line, "rows"), Results.number(line, "p50"), Math::min));
		return least.entrySet().stream().map((entry) -> new Point(entry.getKey(), entry.getValue())).toList();
	}

	/** The decades that have points. */
	private static Axis nanos(List<String> scores) {
		double[] nanos = scores.stream().mapToDouble((line) -> Results.number(line, "p50")).sorted().toArray();
		return Axis.logarithmic(Math.pow(10, Math.floor(Math.log10(nanos[0]))),
				Math.pow(10, Math.ceil(Math.log10(nanos[nanos.length - 1]))), HEIGHT);
	}

}
