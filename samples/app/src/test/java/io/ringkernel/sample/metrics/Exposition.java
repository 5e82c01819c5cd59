package io.ringkernel.sample.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Metrics in the text format that Prometheus scrapes, read strictly: every sample belongs
 * to a family that was described and typed before, and is named as its type demands.
 */
final class Exposition {

	private static final Pattern COMMENT = Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*)(?: (.*))?");

	private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");

	private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\",?");

	private final Map<String, String> types = new TreeMap<>();

	private final Map<String, String> help = new TreeMap<>();

	private final List<Sample> samples = new ArrayList<>();

	Exposition(String text) {
		text.lines().filter((line) -> !line.isEmpty()).forEach(this::read);
	}

	private void read(String line) {
		Matcher comment = COMMENT.matcher(line);
		if (comment.matches()) {
			Map<String, String> target = comment.group(1).equals("TYPE") ? this.types : this.help;
			if (target.put(comment.group(2), String.valueOf(comment.group(3))) != null) {
				throw new AssertionError("A second time: " + line);
			}
			return;
		}
		Matcher sample = SAMPLE.matcher(line);
		if (!sample.matches()) {
			throw new AssertionError("Neither a comment nor a sample: " + line);
		}
		String name = sample.group(1);
		this.samples.add(new Sample(name, familyOf(name), labels(sample.group(2)), number(sample.group(3))));
	}

	private String familyOf(String name) {
		String family = name;
		if (!this.types.containsKey(name)) {
			family = name.replaceFirst("_(bucket|count|sum|total|info)$", "");
		}
		if (!this.types.containsKey(family)) {
			throw new AssertionError("A sample of no type: " + name);
		}
		return family;
	}

	private static Map<String, String> labels(String text) {
		Map<String, String> labels = new LinkedHashMap<>();
		if (text != null) {
			Matcher label = LABEL.matcher(text);
			int end = 0;
			while (label.find() && label.start() == end) {
				labels.put(label.group(1), label.group(2));
				end = label.end();
			}
			if (end != text.length()) {
				throw new AssertionError("No labels: " + text);
			}
		}
		return labels;
	}

	private static double number(String text) {
		return switch (text) {
			case "+Inf" -> Double.POSITIVE_INFINITY;
			case "-Inf" -> Double.NEGATIVE_INFINITY;
			default -> Double.parseDouble(text);
		};
	}

	/**
	 * Types of the families whose names begin so, by name.
	 */
	Map<String, String> types(String prefix) {
		Map<String, String> found = new TreeMap<>(this.types);
		found.keySet().removeIf((name) -> !name.startsWith(prefix));
		return found;
	}

	String help(String family) {
		return this.help.getOrDefault(family, "");
	}

	List<Sample> samples(String name) {
		return this.samples.stream().filter((sample) -> sample.name().equals(name)).toList();
	}

	List<Sample> samplesOf(String familyPrefix) {
		return this.samples.stream().filter((sample) -> sample.family().startsWith(familyPrefix)).toList();
	}

	double value(String name, String kernel) {
		return samples(name).stream()
			.filter((sample) -> kernel.equals(sample.labels().get("kernel")))
			.mapToDouble(Sample::value)
			.reduce((first, second) -> {
				throw new AssertionError("More than one " + name + " of " + kernel);
			})
			.orElseThrow(() -> new AssertionError("No " + name + " of " + kernel));
	}

	record Sample(String name, String family, Map<String, String> labels, double value) {
	}

}
