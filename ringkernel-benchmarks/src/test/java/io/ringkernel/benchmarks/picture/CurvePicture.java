package io.ringkernel.benchmarks.picture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Draws the latency of {@code call} by the size of its message, from the newest committed
 * curve: a panel for each direction, both axes logarithmic, beside the usual way and the
 * floor of the same run. It needs nothing but the JDK, so its source file is the command:
 * <pre>
 * java ringkernel-benchmarks/src/test/java/io/ringkernel/benchmarks/picture/CurvePicture.java
 * </pre>
 */
final class CurvePicture {

	/** The picture, from the root of the repository. */
	static final Path PICTURE = Path.of("docs/latency-by-size.svg");

	private static final Path RESULTS = Path.of("ringkernel-benchmarks/results");

	/** The date and the device, and which run of that day. */
	private static final Pattern CURVE = Pattern.compile("(.+)-curve(?:\\.(\\d+))?\\.jsonl");

	private static final List<Direction> DIRECTIONS = List.of(new Direction("in", "bytes in the request"),
			new Direction("out", "bytes in the response"), new Direction("both", "bytes each way"));

	private static final int LEFT = 64;

	private static final int TOP = 84;

	private static final int PANEL_WIDTH = 270;

	private static final int PANEL_HEIGHT = 240;

	private static final int PANEL_STEP = 318;

	private static final Axis BYTES = new Axis(16, 16 << 20, PANEL_WIDTH);

	private static final Axis NANOS = new Axis(1e3, 1e8, PANEL_HEIGHT);

	private final StringBuilder svg = new StringBuilder();

	private CurvePicture() {
	}

	/**
	 * Draws the picture.
	 * @param arguments the root of the repository; without one, the working directory
	 */
	public static void main(String... arguments) throws IOException {
		Path root = Path.of((arguments.length > 0) ? arguments[0] : "");
		Files.writeString(root.resolve(PICTURE), draw(root));
	}

	/**
	 * Draws the newest curve.
	 * @param root the root of the repository
	 * @return the SVG document
	 */
	static String draw(Path root) throws IOException {
		Path curve = newest(root.resolve(RESULTS));
		Path floor = curve.resolveSibling(curve.getFileName().toString().replace("-curve", "-curve-floor"));
		return new CurvePicture().draw(curve.getFileName().toString(), Files.readAllLines(curve), floor(floor));
	}

	private static Path newest(Path results) throws IOException {
		try (Stream<Path> files = Files.list(results)) {
			return files.filter((file) -> curve(file).matches())
				.max(Comparator.comparing((Path file) -> day(file)).thenComparing((file) -> run(file)))
				.orElseThrow(() -> new IllegalStateException("There is no curve in " + results));
		}
		catch (UncheckedIOException ex) {
			throw ex.getCause();
		}
	}

	private static Matcher curve(Path file) {
		return CURVE.matcher(file.getFileName().toString());
	}

	private static String day(Path file) {
		Matcher name = curve(file);
		return name.matches() ? name.group(1) : "";
	}

	private static int run(Path file) {
		Matcher name = curve(file);
		return (name.matches() && name.group(2) != null) ? Integer.parseInt(name.group(2)) : 1;
	}

	/**
	 * The round trip of a flag in nanoseconds, p50.
	 */
	private static double floor(Path results) throws IOException {
		return Files.readAllLines(results)
			.stream()
			.filter((line) -> line.contains("(floor)"))
			.mapToDouble((line) -> number(line, "p50_ns"))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("There is no floor in " + results));
	}

	private static double number(String line, String key) {
		Matcher number = Pattern.compile('"' + key + "\":([0-9.]+)").matcher(line);
		if (!number.find()) {
			throw new IllegalStateException("There is no " + key + " in " + line);
		}
		return Double.parseDouble(number.group(1));
	}

	private String draw(String source, List<String> results, double floor) {
		int width = LEFT + (DIRECTIONS.size() - 1) * PANEL_STEP + PANEL_WIDTH + 26;
		int height = TOP + PANEL_HEIGHT + 36;
		line("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">",
				width, height, width, height);
		line("<title>Latency of a call by the size of its message</title>");
		line("<desc>Drawn by CurvePicture from %s</desc>", source);
		style();
		line("<rect class=\"page\" width=\"%d\" height=\"%d\"/>", width, height);
		line("<text class=\"name\" x=\"%d\" y=\"24\">Latency of a call, p50, default settings</text>", LEFT);
		legend();
		for (int i = 0; i < DIRECTIONS.size(); i++) {
			line("<g transform=\"translate(%d %d)\">", LEFT + i * PANEL_STEP, TOP);
			panel(DIRECTIONS.get(i), i == 0, results, floor);
			line("</g>");
		}
		line("</svg>");
		return this.svg.toString();
	}

	/** Readers of a dark page get its colors, where their browser says so. */
	private void style() {
		line("<style>");
		line("text { font: 12px sans-serif; fill: #1f2328 } .name { font-size: 15px; font-weight: bold }");
		line(".page { fill: #ffffff } .grid { stroke: #d8dee4 } polyline, .line { fill: none; stroke-width: 2 }");
		line(".call { stroke: #0969da } .usual-way { stroke: #bc4c00; stroke-dasharray: 7 3 }");
		line(".floor { stroke: #59636e; stroke-dasharray: 2 3 }");
		line("@media (prefers-color-scheme: dark) {");
		line("text { fill: #e6edf3 } .page { fill: #0d1117 } .grid { stroke: #30363d }");
		line(".call { stroke: #58a6ff } .usual-way { stroke: #f0883e } .floor { stroke: #9198a1 }");
		line("}");
		line("</style>");
	}

	private void legend() {
		int x = LEFT;
		x = legend(x, "call", "RingKernel, call");
		x = legend(x, "usual-way", "usual way: copy, launch, copy, synchronize, in Java");
		legend(x, "floor", "floor: a flag there and back");
	}

	private int legend(int x, String series, String text) {
		line("<line class=\"line %s\" x1=\"%d\" y1=\"42\" x2=\"%d\" y2=\"42\"/>", series, x, x + 30);
		line("<text x=\"%d\" y=\"46\">%s</text>", x + 36, text);
		return x + 66 + 6 * text.length();
	}

	private void panel(Direction direction, boolean isFirst, List<String> results, double floor) {
		line("<text x=\"0\" y=\"-10\">%s</text>", direction.text());
		for (double bytes = BYTES.first(); bytes <= BYTES.last(); bytes *= 16) {
			double x = BYTES.at(bytes);
			line("<line class=\"grid\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%d\"/>", x, x, PANEL_HEIGHT);
			line("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x, PANEL_HEIGHT + 18, size(bytes));
		}
		for (double nanos = NANOS.first(); nanos <= NANOS.last(); nanos *= 10) {
			double y = PANEL_HEIGHT - NANOS.at(nanos);
			line("<line class=\"grid\" x1=\"0\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", y, PANEL_WIDTH, y);
			if (isFirst) {
				line("<text x=\"-8\" y=\"%.1f\" text-anchor=\"end\">%s</text>", y + 4, time(nanos));
			}
		}
		double y = PANEL_HEIGHT - NANOS.at(floor);
		line("<line class=\"line floor\" x1=\"0\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", y, PANEL_WIDTH, y);
		series("usual-way", direction, results);
		series("call", direction, results);
	}

	private void series(String measure, Direction direction, List<String> results) {
		StringBuilder points = new StringBuilder();
		for (String line : results) {
			if (line.contains("\"measure\":\"" + measure + '"')
					&& line.contains("\"direction\":\"" + direction.key() + '"')) {
				points.append(String.format(Locale.ROOT, " %.1f,%.1f", BYTES.at(number(line, "bytes")),
						PANEL_HEIGHT - NANOS.at(number(line, "p50"))));
			}
		}
		if (points.isEmpty()) {
			throw new IllegalStateException("There is no '" + measure + "' of '" + direction.key() + "'");
		}
		line("<polyline class=\"%s\" points=\"%s\"/>", measure, points.substring(1));
	}

	private static String size(double bytes) {
		if (bytes >= 1 << 20) {
			return "%.0f MiB".formatted(bytes / (1 << 20));
		}
		return (bytes >= 1 << 10) ? "%.0f KiB".formatted(bytes / (1 << 10)) : "%.0f B".formatted(bytes);
	}

	private static String time(double nanos) {
		return (nanos >= 1e6) ? "%.0f ms".formatted(nanos / 1e6) : "%.0f µs".formatted(nanos / 1e3);
	}

	private void line(String format, Object... arguments) {
		this.svg.append((arguments.length > 0) ? String.format(Locale.ROOT, format, arguments) : format).append('\n');
	}

	/**
	 * Which messages grow.
	 *
	 * @param key how the results name it
	 * @param text how the picture names it
	 */
	private record Direction(String key, String text) {
	}

	/**
	 * A logarithmic axis.
	 *
	 * @param first the value at its beginning
	 * @param last the value at its end
	 * @param length its length in pixels
	 */
	private record Axis(double first, double last, int length) {

		double at(double value) {
			if (value < this.first || value > this.last) {
				throw new IllegalArgumentException(
						value + " is off the axis from " + this.first + " to " + this.last + "; extend the axis");
			}
			return this.length * Math.log(value / this.first) / Math.log(this.last / this.first);
		}

	}

}
