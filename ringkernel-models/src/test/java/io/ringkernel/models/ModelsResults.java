package io.ringkernel.models;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The times of calls: a table on the console, one JSON object a line in a file, and from
 * how many rows on the device is the fastest.
 */
final class ModelsResults implements AutoCloseable {

	private static final String DEVICE = "device";

	private final PrintStream file;

	private final PrintStream table;

	private final List<Time> times = new ArrayList<>();

	ModelsResults(Path file, PrintStream table) throws IOException {
		this.table = table;
		this.file = new PrintStream(Files.newOutputStream(file), true, StandardCharsets.UTF_8);
		this.table.println("| Trees x depth | By | Threads | Rows a call | p50 us | p99 us | Rows a second |");
		this.table.println("|---|---|---|---|---|---|---|");
	}

	/**
	 * Adds the times of one call after another.
	 * @param by who has scored
	 * @param threads of how many threads, 0 for as many as it likes
	 * @param sorted nanoseconds in ascending order
	 */
	void add(Shape shape, String by, int threads, int rows, long[] sorted) {
		Time time = new Time(shape, by, threads, rows, sorted[sorted.length / 2]);
		long p99 = sorted[(int) (sorted.length * 0.99)];
		this.times.add(time);
		this.file.printf(
				"{\"measure\":\"score\",%s,\"by\":\"%s\",\"threads\":\"%s\",\"rows\":%d,\"unit\":\"ns\",\"p50\":%d,\"p99\":%d,\"min\":%d,\"samples\":%d}%n",
				shape.json(), by, time.threadsText(), rows, time.nanos(), p99, sorted[0], sorted.length);
		this.table.printf("| %s | %s | %s | %,d | %.1f | %.1f | %,.0f |%n", shape, by, time.threadsText(), rows,
				time.nanos() / 1e3, p99 / 1e3, rows * 1e9 / time.nanos());
	}

	/** Adds that margins of the device or the CPU had the bits of XGBoost. */
	void addVerified(Shape shape, String by, int rows, int missing) {
		this.file.printf("{\"measure\":\"verified\",%s,\"by\":\"%s\",\"rows\":%d,\"missing\":%d}%n", shape.json(), by,
				rows, missing);
		this.table.printf("%s, %s: %,d margins have the bits of XGBoost, %,d features are missing%n", shape, by, rows,
				missing);
	}

	/** Adds how large the trees of a library are. */
	void addModel(Shape shape, String by, double leaves) {
		this.file.printf("{\"measure\":\"model\",%s,\"by\":\"%s\",\"leaves\":%.1f}%n", shape.json(), by, leaves);
		this.table.printf("%s, %s: %.1f leaves a tree%n", shape, by, leaves);
	}

	/**
	 * Adds from how many rows a call on, of those that were measured, the device takes
	 * less time than the fastest on the CPU.
	 */
	void addCrossover(Shape shape) {
		List<Time> fastest = this.times.stream()
			.filter((time) -> time.shape().equals(shape))
			.sorted(Comparator.comparingInt(Time::rows).thenComparingLong(Time::nanos))
			.toList();
		Optional<Integer> crossover = crossover(fastest);
		crossover
			.ifPresent((rows) -> this.file.printf("{\"measure\":\"crossover\",%s,\"rows\":%d}%n", shape.json(), rows));
		this.table.printf("%s: %s%n", shape,
				crossover.map("the device is the fastest from %,d rows a call on"::formatted)
					.orElse("the device is not the fastest"));
	}

	/** The least number of rows with which, and with more, the device is the first. */
	private static Optional<Integer> crossover(List<Time> fastestFirst) {
		Optional<Integer> crossover = Optional.empty();
		int rows = 0;
		for (Time time : fastestFirst) {
			if (time.rows() != rows) {
				rows = time.rows();
				crossover = !time.by().equals(DEVICE) ? Optional.empty() : crossover.or(() -> Optional.of(time.rows()));
			}
		}
		return crossover;
	}

	@Override
	public void close() {
		this.file.close();
	}

	/** How many trees, and how deep. */
	record Shape(int trees, int depth) {

		String json() {
			return "\"trees\":%d,\"depth\":%d".formatted(this.trees, this.depth);
		}

		@Override
		public String toString() {
			return this.trees + " x " + this.depth;
		}

	}

	/** What half of the calls took at most. */
	private record Time(Shape shape, String by, int threads, int rows, long nanos) {

		String threadsText() {
			return (this.threads == 0) ? "all" : Integer.toString(this.threads);
		}

	}

}
