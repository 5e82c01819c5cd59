package io.ringkernel.compiler.translation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ringkernel.exception.HandlerRefusedException;
import org.jspecify.annotations.Nullable;

/**
 * What a handler is refused for. The translation goes on behind a refusal, so that one
 * report has all of them: each place once, however often its method is called.
 *
 * @since 0.2.0
 */
public final class Refusals {

	private final Map<String, HandlerRefusedException> found = new LinkedHashMap<>();

	/** The one behind which the translation does not go on. */
	private @Nullable HandlerRefusedException last;

	public void add(HandlerRefusedException refusal) {
		this.found.putIfAbsent(Objects.requireNonNull(refusal.getMessage()), refusal);
	}

	/** Ends the translation with a refusal that is thrown then. */
	HandlerRefusedException last(HandlerRefusedException refusal) {
		this.last = refusal;
		return refusal;
	}

	/** Goes on behind a refusal that was thrown, or throws it if it is the last one. */
	@SuppressWarnings("ReferenceEquality")
	public void goOn(HandlerRefusedException refusal) {
		if (refusal == this.last) {
			throw refusal;
		}
		add(refusal);
	}

	public boolean isEmpty() {
		return this.found.isEmpty();
	}

	/** Whether something of a line is refused. */
	public boolean isRefused(String className, int line) {
		return this.found.values()
			.stream()
			.anyMatch((refusal) -> refusal.className().equals(className) && refusal.line() == line);
	}

	/**
	 * Translates a handler.
	 * @throws HandlerRefusedException with all refusals, if there is one
	 */
	public void report(Runnable translation) {
		@Nullable RuntimeException failure = null;
		try {
			translation.run();
		}
		catch (HandlerRefusedException ex) {
			add(ex);
		}
		catch (RuntimeException ex) {
			if (isEmpty()) {
				throw ex;
			}
			// Values that are refused are unknown: what fails on them is no defect.
			failure = ex;
		}
		if (!isEmpty()) {
			HandlerRefusedException all = HandlerRefusedException.of(inOrder());
			if (failure != null) {
				all.addSuppressed(failure);
			}
			throw all;
		}
	}

	/** By line, the classes as they were come to. */
	private List<HandlerRefusedException> inOrder() {
		List<String> classes = this.found.values().stream().map(HandlerRefusedException::className).distinct().toList();
		List<HandlerRefusedException> refusals = new ArrayList<>(this.found.values());
		refusals.sort(Comparator.comparingInt((HandlerRefusedException refusal) -> classes.indexOf(refusal.className()))
			.thenComparingInt(HandlerRefusedException::line));
		return refusals;
	}

}
