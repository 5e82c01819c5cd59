package io.ringkernel.benchmarks.picture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Results of a benchmark, which are committed.
 *
 * @param file where they are
 * @param lines one JSON object each
 */
record Results(Path file, List<String> lines) {

	private static final Path FOLDER = Path.of("ringkernel-benchmarks/results");

	/**
	 * Reads the last results of a kind. The name of a file is the date and the device,
	 * the kind, and which run of that day, such as {@code 2026-11-23-h200-curve.3.jsonl}.
	 * @param root the root of the repository
	 * @param kind the kind
	 * @return the results, if there are some
	 */
	static Optional<Results> newest(Path root, String kind) throws IOException {
		Pattern pattern = Pattern.compile("(?<day>.+)-" + kind + "(?:\\.(?<run>\\d+))?\\.jsonl");
		Optional<Path> newest;
		try (Stream<Path> files = Files.list(root.resolve(FOLDER))) {
			newest = files.map((file) -> pattern.matcher(file.getFileName().toString()))
				.filter(Matcher::matches)
				.max(Comparator.comparing((Matcher name) -> name.group("day")).thenComparing(Results::run))
				.map((name) -> root.resolve(FOLDER).resolve(name.group()));
		}
		return newest.isPresent() ? Optional.of(read(newest.get())) : Optional.empty();
	}

	private static int run(Matcher name) {
		return (name.group("run") != null) ? Integer.parseInt(name.group("run")) : 1;
	}

	private static Results read(Path file) throws IOException {
		return new Results(file, Files.readAllLines(file));
	}

	/**
	 * Reads results of the same run.
	 * @param kind the kind of these
	 * @param otherKind the kind of the others
	 * @return the others
	 */
	Results beside(String kind, String otherKind) throws IOException {
		return read(this.file.resolveSibling(name().replace("-" + kind, "-" + otherKind)));
	}

	String name() {
		return this.file.getFileName().toString();
	}

	/**
	 * Chooses lines.
	 * @param fields what they contain, such as {@code "rows":1}
	 * @return the lines, of which there is one at least
	 */
	List<String> having(String... fields) {
		List<String> chosen = this.lines.stream()
			.filter((line) -> Stream.of(fields)
				.allMatch((field) -> line.contains(field + ',') || line.contains(field + '}')))
			.toList();
		if (chosen.isEmpty()) {
			throw new IllegalStateException("%s has no line with %s".formatted(name(), String.join(" and ", fields)));
		}
		return chosen;
	}

	static double number(String line, String key) {
		Matcher number = Pattern.compile('"' + key + "\":([0-9.]+)").matcher(line);
		if (!number.find()) {
			throw new IllegalStateException("There is no " + key + " in " + line);
		}
		return Double.parseDouble(number.group(1));
	}

}
