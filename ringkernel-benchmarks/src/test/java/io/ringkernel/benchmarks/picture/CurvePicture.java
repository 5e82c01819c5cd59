package io.ringkernel.benchmarks.picture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.ringkernel.benchmarks.picture.Svg.Point;

/**
 * The latency of {@code call} by the size of its message: a panel for each direction,
 * both axes logarithmic, beside the usual way and the floor of the same run.
 */
final class CurvePicture implements Picture {

	private static final List<Direction> DIRECTIONS = List.of(new Direction("in", "bytes in the request"),
			new Direction("out", "bytes in the response"), new Direction("both", "bytes each way"));

	private static final Axis BYTES = Axis.logarithmic(16, 16 << 20, 270);

	private static final Axis NANOS = Axis.logarithmic(1e3, 1e8, 240);

	@Override
	public Path file() {
		return Path.of("docs/latency-by-size.svg");
	}

	@Override
	public String kind() {
		return "curve";
	}

	@Override
	public String draw(Results results) throws IOException {
		double floor = Results.number(results.beside("curve", "curve-floor").having("(floor)\"").get(0), "p50_ns");
		Svg svg = new Svg(DIRECTIONS.size(), BYTES, NANOS, "Latency of a call by the size of its message",
				"Latency of a call, p50, default settings", "CurvePicture from " + results.name(),
				".call { stroke: #0969da } .usual-way { stroke: #bc4c00; stroke-dasharray: 7 3 } .floor { stroke: #59636e; stroke-dasharray: 2 3 }",
				".call { stroke: #58a6ff } .usual-way { stroke: #f0883e } .floor { stroke: #9198a1 }");
		svg.legend("call", "RingKernel, call");
		svg.legend("usual-way", "usual way: copy, launch, copy, synchronize, in Java");
		svg.legend("floor", "floor: a flag there and back");
		for (Direction direction : DIRECTIONS) {
			svg.panel(direction.text());
			for (double bytes = BYTES.first(); bytes <= BYTES.last(); bytes *= 16) {
				svg.upwards(bytes, size(bytes));
			}
			svg.decades(1);
			svg.across("line floor", floor);
			for (String measure : List.of("usual-way", "call")) {
				svg.polyline(measure, points(results, measure, direction));
			}
			svg.endPanel();
		}
		return svg.end();
	}

	private static List<Point> points(Results results, String measure, Direction direction) {
		return results.having("\"measure\":\"" + measure + '"', "\"direction\":\"" + direction.key() + '"')
			.stream()
			.map((line) -> new Point(Results.number(line, "bytes"), Results.number(line, "p50")))
			.toList();
	}

	private static String size(double bytes) {
		if (bytes >= 1 << 20) {
			return "%.0f MiB".formatted(bytes / (1 << 20));
		}
		return (bytes >= 1 << 10) ? "%.0f KiB".formatted(bytes / (1 << 10)) : "%.0f B".formatted(bytes);
	}

	/**
	 * Which messages grow.
	 *
	 * @param key how the results name it
	 * @param text how the picture names it
	 */
	private record Direction(String key, String text) {
	}

}
