package io.ringkernel.test;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** What two sides answered to some requests, as far as they disagree. */
final class ParityReport {

	private static final int MAX_DIFFERENCES = 10;

	private static final int MAX_ELEMENTS = 8;

	private final String kernelId;

	private final String backend;

	private final Tolerance tolerance;

	private final List<String> lines = new ArrayList<>();

	private int requests;

	private int disagreements;

	ParityReport(String kernelId, String backend, Tolerance tolerance) {
		this.kernelId = kernelId;
		this.backend = backend;
		this.tolerance = tolerance;
	}

	/** Adds a request and what became of it. */
	void add(Record request, CallResult handler, CallResult kernel) {
		this.requests++;
		List<String> found = differences(handler, kernel);
		if (found.isEmpty()) {
			return;
		}
		this.disagreements++;
		// One request shows most; of the others, their number says enough.
		if (this.disagreements == 1) {
			this.lines.add("request %d: %s".formatted(this.requests, text(request)));
			found.forEach((line) -> this.lines.add("  " + line));
		}
	}

	private List<String> differences(CallResult handler, CallResult kernel) {
		Record expected = handler.response();
		Record actual = kernel.response();
		if (expected == null || actual == null) {
			return (expected == null && actual == null) ? List.of()
					: List.of("handler %s, kernel %s".formatted(text(handler), text(kernel)));
		}
		RecordComparison comparison = new RecordComparison(this.tolerance, MAX_DIFFERENCES);
		comparison.compare(expected, actual);
		List<String> found = new ArrayList<>(comparison.differences());
		if (comparison.count() > found.size()) {
			found.add("… and %d more differences".formatted(comparison.count() - found.size()));
		}
		return found;
	}

	private static String text(CallResult result) {
		@Nullable Record response = result.response();
		return (response != null) ? "answered " + text(response)
				: (result.failure() != null) ? "failed with " + result.failure() : "returned null";
	}

	/** What is wrong, if anything is. */
	Optional<String> failure() {
		if (this.disagreements == 0) {
			return Optional.empty();
		}
		return Optional
			.of("Ring kernel '%s' on backend '%s' disagrees with its Java handler on %d of %d requests (%s).%n%s"
				.formatted(this.kernelId, this.backend, this.disagreements, this.requests, this.tolerance,
						String.join(System.lineSeparator(), this.lines)));
	}

	/** A message as its record shows it, with the first elements of its arrays. */
	private static String text(Record message) {
		List<String> components = new ArrayList<>();
		for (RecordComponent component : message.getClass().getRecordComponents()) {
			components.add(component.getName() + "=" + text(RecordComparison.value(component, message)));
		}
		return message.getClass().getSimpleName() + "[" + String.join(", ", components) + "]";
	}

	private static String text(@Nullable Object value) {
		if (value instanceof Record nested) {
			return text(nested);
		}
		if (value == null || !value.getClass().isArray()) {
			return String.valueOf(value);
		}
		int length = Array.getLength(value);
		List<String> elements = new ArrayList<>();
		for (int i = 0; i < Math.min(length, MAX_ELEMENTS); i++) {
			elements.add(text(Array.get(value, i)));
		}
		if (length > MAX_ELEMENTS) {
			elements.add("… %d in all".formatted(length));
		}
		return elements.toString();
	}

}
