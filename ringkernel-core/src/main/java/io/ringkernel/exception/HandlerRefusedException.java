package io.ringkernel.exception;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A handler does what a device cannot do as Java does it, so it runs on the CPU alone.
 * One exception tells of all such places of a handler: its message lists them, up to 20,
 * and {@link #refusals()} has each of them. Class, method, line, reason and remedy are
 * those of the first one.
 *
 * @since 0.2.0
 */
public class HandlerRefusedException extends RingKernelException {

	private static final int MAX_LISTED = 20;

	private final String className;

	private final String methodName;

	private final int line;

	private final String reason;

	private final String remedy;

	/** Empty if it is the only one. */
	private final List<HandlerRefusedException> refusals;

	/**
	 * Creates the exception.
	 * @param className the class of the code
	 * @param methodName the method of the code
	 * @param line the line of the code; 0 if it is not known
	 * @param reason what cannot be done: a clause without a full stop
	 * @param remedy what to do instead: a sentence
	 */
	public HandlerRefusedException(String className, String methodName, int line, String reason, String remedy) {
		this("%s.%s%s: %s. %s".formatted(className, methodName, (line > 0) ? ", line " + line : "", reason, remedy),
				className, methodName, line, reason, remedy, List.of());
	}

	private HandlerRefusedException(String message, String className, String methodName, int line, String reason,
			String remedy, List<HandlerRefusedException> refusals) {
		super(message, null);
		this.className = className;
		this.methodName = methodName;
		this.line = line;
		this.reason = reason;
		this.remedy = remedy;
		this.refusals = refusals;
	}

	/**
	 * {@return one exception that tells of several places; the only one as it is}
	 * @param refusals what each place is refused for, in the order in which the message
	 * lists them; at least one
	 */
	public static HandlerRefusedException of(List<HandlerRefusedException> refusals) {
		HandlerRefusedException first = refusals.get(0);
		return (refusals.size() == 1) ? first : new HandlerRefusedException(listed(refusals), first.className,
				first.methodName, first.line, first.reason, first.remedy, List.copyOf(refusals));
	}

	private static String listed(List<HandlerRefusedException> refusals) {
		String places = refusals.stream()
			.limit(MAX_LISTED)
			.map((refusal) -> "%n- %s".formatted(refusal.getMessage()))
			.collect(Collectors.joining());
		int more = refusals.size() - MAX_LISTED;
		return "%d places of the handler cannot run on a device:%s%s".formatted(refusals.size(), places,
				(more > 0) ? "%n- and %d more".formatted(more) : "");
	}

	/**
	 * {@return what each place of the handler is refused for, in the order of lines,
	 * class by class; this one if it is the only one}
	 */
	public List<HandlerRefusedException> refusals() {
		return this.refusals.isEmpty() ? List.of(this) : this.refusals;
	}

	/**
	 * {@return the name of the class of the code that cannot be compiled}
	 */
	public String className() {
		return this.className;
	}

	/**
	 * {@return the name of the method of the code that cannot be compiled}
	 */
	public String methodName() {
		return this.methodName;
	}

	/**
	 * {@return the line of the code that cannot be compiled; 0 if the class does not tell
	 * it}
	 */
	public int line() {
		return this.line;
	}

	/**
	 * {@return what cannot be done: a clause without a full stop}
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * {@return what to do instead: a sentence}
	 */
	public String remedy() {
		return this.remedy;
	}

}
