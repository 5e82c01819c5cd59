package io.ringkernel.observe;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * The latest errors of a kernel. Those of one kind that follow each other are one, so
 * that a storm of them does not wash away what began it.
 */
final class KernelErrors {

	private static final int CAPACITY = 16;

	/** Characters of a message that are kept. A handler may put its whole input there. */
	private static final int MAX_MESSAGE = 500;

	private final Deque<KernelError> latest = new ArrayDeque<>(CAPACITY);

	synchronized void add(Throwable error) {
		String type = error.getClass().getSimpleName();
		KernelError previous = this.latest.peekLast();
		long count = 1;
		if (previous != null && previous.type().equals(type)) {
			count += this.latest.removeLast().count();
		}
		else if (this.latest.size() == CAPACITY) {
			this.latest.removeFirst();
		}
		this.latest.addLast(new KernelError(Instant.now(), type, messageOf(error), count));
	}

	private static String messageOf(Throwable error) {
		String message = String.valueOf(error.getMessage());
		return (message.length() > MAX_MESSAGE) ? message.substring(0, MAX_MESSAGE) + "…" : message;
	}

	synchronized List<KernelError> latestFirst() {
		List<KernelError> errors = new ArrayList<>(this.latest);
		Collections.reverse(errors);
		return errors;
	}

}
