package io.ringkernel.benchmarks.gpu;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

import org.HdrHistogram.Histogram;

/**
 * Results as one JSON object a line, in a file and on the console.
 */
final class BenchmarkResults implements AutoCloseable {

	private final PrintStream file;

	BenchmarkResults(Path file) throws IOException {
		this.file = new PrintStream(file.toFile(), StandardCharsets.UTF_8);
	}

	/**
	 * Adds a measure with its values.
	 * @param measure its name
	 * @param values names and numbers in turn
	 */
	void add(String measure, Object... values) {
		StringBuilder line = new StringBuilder("{\"measure\":\"" + measure + "\"");
		for (int i = 0; i < values.length; i += 2) {
			Object value = values[i + 1];
			String text = (value instanceof Double number) ? String.format(Locale.ROOT, "%.3f", number)
					: (value instanceof Number) ? value.toString() : "\"" + value + "\"";
			line.append(",\"").append(values[i]).append("\":").append(text);
		}
		line.append("}");
		this.file.println(line);
		this.file.flush();
		System.out.println(line);
	}

	void add(String measure, Histogram nanos, Object... values) {
		Object[] all = new Object[values.length + 14];
		System.arraycopy(values, 0, all, 0, values.length);
		Object[] percentiles = { "unit", "ns", "p50", nanos.getValueAtPercentile(50), "p90",
				nanos.getValueAtPercentile(90), "p99", nanos.getValueAtPercentile(99), "p99.9",
				nanos.getValueAtPercentile(99.9), "min", nanos.getMinValue(), "samples", nanos.getTotalCount() };
		System.arraycopy(percentiles, 0, all, values.length, percentiles.length);
		add(measure, all);
	}

	@Override
	public void close() {
		this.file.close();
	}

}
