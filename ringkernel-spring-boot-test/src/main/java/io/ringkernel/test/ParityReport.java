package io.ringkernel.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What two sides answered to some requests, as far as they disagree.
 */
final class ParityReport {

	private static final int MAX_DIFFERENCES = 10;

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
			this.lines.add("request %d: %s".formatted(this.requests, MessageText.of(request)));
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
		return (response != null) ? "answered " + MessageText.of(response)
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

}
