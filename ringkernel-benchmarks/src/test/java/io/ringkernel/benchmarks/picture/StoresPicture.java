package io.ringkernel.benchmarks.picture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Draws how long vector stores search beside how much they find, from the newest
 * committed comparison: a panel without a filter and one with. It needs nothing but the
 * JDK, so its source file is the command: <pre>
 * java ringkernel-benchmarks/src/test/java/io/ringkernel/benchmarks/picture/StoresPicture.java
 * </pre>
 */
final class StoresPicture {

	/** The picture, from the root of the repository. */
	static final Path PICTURE = Path.of("docs/stores-by-recall.svg");

	private static final Path RESULTS = Path.of("ringkernel-benchmarks/results");

	private static final int LEFT = 64;

	private static final int TOP = 84;

	private static final int WIDTH = 330;

	private static final int HEIGHT = 240;

	private static final int STEP = 390;

	private static final double LEAST_RECALL = 0.85;

	private static final double SHORTEST_MICROS = 1e2;

	private static final double LONGEST_MICROS = 1e6;

	private final StringBuilder svg = new StringBuilder();

	private StoresPicture() {
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
	 * Draws the newest comparison.
	 * @param root the root of the repository
	 * @return the SVG document
	 */
	static String draw(Path root) throws IOException {
		Path results = newest(root.resolve(RESULTS));
		return new StoresPicture().draw(results.getFileName().toString(), Files.readAllLines(results));
	}

	private static Path newest(Path results) throws IOException {
		try (Stream<Path> files = Files.list(results)) {
			return files.filter((file) -> file.getFileName().toString().endsWith("-stores.jsonl"))
				.max(Comparator.comparing((Path file) -> file.getFileName().toString()))
				.orElseThrow(() -> new IllegalStateException("There is no comparison of stores in " + results));
		}
	}

	private String draw(String source, List<String> results) {
		int width = LEFT + STEP + WIDTH + 26;
		int height = TOP + HEIGHT + 52;
		line("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">",
				width, height, width, height);
		line("<title>Time of a search by what it finds</title>");
		line("<desc>Drawn by StoresPicture from %s</desc>", source);
		style();
		line("<rect class=\"page\" width=\"%d\" height=\"%d\"/>", width, height);
		line("<text class=\"name\" x=\"%d\" y=\"24\">One query at a time, p50, by recall@10</text>", LEFT);
		legend(0, "ringkernel", "RingKernel on the CPU");
		legend(220, "lucene", "Lucene HNSW, 10 to 400 candidates");
		legend(490, "simple", "SimpleVectorStore");
		panel(0, "without a filter", results, false);
		panel(STEP, "with a filter that a tenth of the documents match", results, true);
		line("</svg>");
		return this.svg.toString();
	}

	/** Readers of a dark page get its colors, where their browser says so. */
	private void style() {
		line("<style>");
		line("text { font: 12px sans-serif; fill: #1f2328 } .name { font-size: 15px; font-weight: bold }");
		line(".page { fill: #ffffff } .grid { stroke: #d8dee4 } polyline { fill: none; stroke-width: 2 }");
		line("polyline { stroke: #bc4c00 } .ringkernel { fill: #0969da } .lucene { fill: #bc4c00 }");
		line(".simple { fill: #59636e }");
		line("@media (prefers-color-scheme: dark) {");
		line("text { fill: #e6edf3 } .page { fill: #0d1117 } .grid { stroke: #30363d }");
		line("polyline { stroke: #f0883e } .ringkernel { fill: #58a6ff } .lucene { fill: #f0883e }");
		line(".simple { fill: #9198a1 }");
		line("}");
		line("</style>");
	}

	private void legend(int x, String store, String text) {
		mark(store, LEFT + x + 5, 42);
		line("<text x=\"%d\" y=\"46\">%s</text>", LEFT + x + 16, text);
	}

	private void panel(int left, String title, List<String> results, boolean filtered) {
		line("<g transform=\"translate(%d %d)\">", LEFT + left, TOP);
		line("<text x=\"0\" y=\"-10\">%s</text>", title);
		for (int percent = (int) (100 * LEAST_RECALL); percent <= 100; percent += 5) {
			double x = x(percent / 100.0);
			line("<line class=\"grid\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%d\"/>", x, x, HEIGHT);
			line("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.2f</text>", x, HEIGHT + 18, percent / 100.0);
		}
		line("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">recall@10</text>", WIDTH / 2, HEIGHT + 36);
		for (double micros = SHORTEST_MICROS; micros <= LONGEST_MICROS; micros *= 10) {
			double y = y(micros);
			line("<line class=\"grid\" x1=\"0\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", y, WIDTH, y);
			line("<text x=\"-8\" y=\"%.1f\" text-anchor=\"end\">%s</text>", y + 4,
					(micros >= 1e3) ? "%.0f ms".formatted(micros / 1e3) : "%.0f µs".formatted(micros));
		}
		for (String store : List.of("lucene", "simple", "ringkernel")) {
			series(store, results, filtered);
		}
		line("</g>");
	}

	private void series(String store, List<String> results, boolean filtered) {
		List<double[]> points = new ArrayList<>();
		for (String line : results) {
			if (line.contains("\"store\":\"" + store + '"') && line.contains("\"filtered\":" + filtered)) {
				points.add(new double[] { x(number(line, "recall")), y(number(line, "p50_us")) });
			}
		}
		if (points.isEmpty()) {
			throw new IllegalStateException("There is no '" + store + "' with filtered = " + filtered);
		}
		if (points.size() > 1) {
			StringBuilder way = new StringBuilder();
			points.forEach((point) -> way.append(String.format(Locale.ROOT, " %.1f,%.1f", point[0], point[1])));
			line("<polyline points=\"%s\"/>", way.substring(1));
		}
		points.forEach((point) -> mark(store, point[0], point[1]));
	}

	private void mark(String store, double x, double y) {
		line("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>", store, x, y);
	}

	private static double x(double recall) {
		return position(recall, LEAST_RECALL, 1) * WIDTH;
	}

	private static double y(double micros) {
		return HEIGHT - position(Math.log(micros), Math.log(SHORTEST_MICROS), Math.log(LONGEST_MICROS)) * HEIGHT;
	}

	private static double position(double value, double first, double last) {
		if (value < first || value > last) {
			throw new IllegalArgumentException(
					value + " is off the axis from " + first + " to " + last + "; extend the axis");
		}
		return (value - first) / (last - first);
	}

	private static double number(String line, String key) {
		Matcher number = Pattern.compile('"' + key + "\":([0-9.]+)").matcher(line);
		if (!number.find()) {
			throw new IllegalStateException("There is no " + key + " in " + line);
		}
		return Double.parseDouble(number.group(1));
	}

	private void line(String format, Object... arguments) {
		this.svg.append((arguments.length > 0) ? String.format(Locale.ROOT, format, arguments) : format).append('\n');
	}

}
