package io.ringkernel.benchmarks.picture;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * An SVG document of panels side by side, each with a grid. Readers of a dark page get
 * its colors, if their browser says so.
 */
final class Svg {

	private static final int LEFT = 64;

	private static final int TOP = 84;

	private static final int GAP = 48;

	private static final int LEGEND_Y = 42;

	private final StringBuilder text = new StringBuilder();

	private final Axis x;

	private final Axis y;

	private int legendX = LEFT;

	private int panels;

	/**
	 * Begins a document.
	 * @param count how many panels it has
	 * @param x the axis of all panels to the right
	 * @param y the axis of all panels upwards
	 * @param title what the document shows
	 * @param name the text above it
	 * @param source what has drawn it, and from what
	 * @param light the style of the series
	 * @param dark what differs in it on a dark page
	 */
	Svg(int count, Axis x, Axis y, String title, String name, String source, String light, String dark) {
		this.x = x;
		this.y = y;
		int width = LEFT + count * (x.length() + GAP) - GAP + 26;
		int height = TOP + y.length() + 52;
		line("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">",
				width, height, width, height);
		line("<title>%s</title>", title);
		line("<desc>Drawn by %s</desc>", source);
		line("<style>");
		line("text { font: 12px sans-serif; fill: #1f2328 } .name { font-size: 15px; font-weight: bold }");
		line(".page { fill: #ffffff } .grid { stroke: #d8dee4 } polyline, .line { fill: none; stroke-width: 2 }");
		line(light);
		line("@media (prefers-color-scheme: dark) {");
		line("text { fill: #e6edf3 } .page { fill: #0d1117 } .grid { stroke: #30363d }");
		line(dark);
		line("}");
		line("</style>");
		line("<rect class=\"page\" width=\"%d\" height=\"%d\"/>", width, height);
		line("<text class=\"name\" x=\"%d\" y=\"24\">%s</text>", LEFT, name);
	}

	/** Says what a line is. */
	void legend(String series, String meaning) {
		line("<line class=\"line %s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>", series, this.legendX, LEGEND_Y,
				this.legendX + 30, LEGEND_Y);
		legend(36, meaning);
	}

	/** Says what a mark is. */
	void legendOfMark(String series, String meaning) {
		mark(series, this.legendX + 5.0, LEGEND_Y);
		legend(16, meaning);
	}

	private void legend(int indent, String meaning) {
		line("<text x=\"%d\" y=\"%d\">%s</text>", this.legendX + indent, LEGEND_Y + 4, meaning);
		this.legendX += indent + 30 + 6 * meaning.length();
	}

	/** Begins the next panel. */
	void panel(String title) {
		line("<g transform=\"translate(%d %d)\">", LEFT + this.panels * (this.x.length() + GAP), TOP);
		line("<text x=\"0\" y=\"-10\">%s</text>", title);
		this.panels++;
	}

	/** Draws a line of the grid upwards, and what is written below it. */
	void upwards(double value, String label) {
		double at = this.x.at(value);
		line("<line class=\"grid\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%d\"/>", at, at, this.y.length());
		line("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", at, this.y.length() + 18, label);
	}

	/**
	 * Draws the grid of the decades of a time, which the first panel has written beside
	 * it.
	 */
	void decades(double nanosPerUnit) {
		for (double time = this.y.first(); time <= this.y.last(); time *= 10) {
			across("grid", time);
			if (this.panels == 1) {
				line("<text x=\"-8\" y=\"%.1f\" text-anchor=\"end\">%s</text>", y(time) + 4, time(time * nanosPerUnit));
			}
		}
	}

	/** Draws a line across the panel. */
	void across(String series, double value) {
		line("<line class=\"%s\" x1=\"0\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", series, y(value), this.x.length(),
				y(value));
	}

	/** Writes below the middle of the panel what its axis is. */
	void caption(String caption) {
		line("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>", this.x.length() / 2, this.y.length() + 36,
				caption);
	}

	void polyline(String series, List<Point> points) {
		line("<polyline class=\"%s\" points=\"%s\"/>", series,
				points.stream()
					.map((point) -> String.format(Locale.ROOT, "%.1f,%.1f", this.x.at(point.x()), y(point.y())))
					.collect(Collectors.joining(" ")));
	}

	void mark(String series, Point point) {
		mark(series, this.x.at(point.x()), y(point.y()));
	}

	private void mark(String series, double pixelX, double pixelY) {
		line("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>", series, pixelX, pixelY);
	}

	void endPanel() {
		line("</g>");
	}

	String end() {
		line("</svg>");
		return this.text.toString();
	}

	private double y(double value) {
		return this.y.length() - this.y.at(value);
	}

	private static String time(double nanos) {
		if (nanos >= 1e9) {
			return "%.0f s".formatted(nanos / 1e9);
		}
		return (nanos >= 1e6) ? "%.0f ms".formatted(nanos / 1e6) : "%.0f µs".formatted(nanos / 1e3);
	}

	private void line(String format, Object... arguments) {
		this.text.append((arguments.length > 0) ? String.format(Locale.ROOT, format, arguments) : format).append('\n');
	}

	/** A value on either axis. */
	record Point(double x, double y) {
	}

}
