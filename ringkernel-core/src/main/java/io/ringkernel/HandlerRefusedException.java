package io.ringkernel;

/**
 * A handler does what a device cannot do as Java does it, so it runs on the CPU alone.
 *
 * @since 0.2.0
 */
public class HandlerRefusedException extends RingKernelException {

	private final String className;

	private final String methodName;

	private final int line;

	private final String reason;

	private final String remedy;

	/**
	 * Creates the exception.
	 * @param className the class of the code
	 * @param methodName the method of the code
	 * @param line the line of the code; 0 if it is not known
	 * @param reason what cannot be done: a clause without a full stop
	 * @param remedy what to do instead: a sentence
	 */
	public HandlerRefusedException(String className, String methodName, int line, String reason, String remedy) {
		super("%s.%s%s: %s. %s".formatted(className, methodName, (line > 0) ? ", line " + line : "", reason, remedy),
				null);
		this.className = className;
		this.methodName = methodName;
		this.line = line;
		this.reason = reason;
		this.remedy = remedy;
	}

	/**
	 * The class of the code that cannot be compiled.
	 * @return the name of the class
	 */
	public String className() {
		return this.className;
	}

	/**
	 * The method of the code that cannot be compiled.
	 * @return the name of the method
	 */
	public String methodName() {
		return this.methodName;
	}

	/**
	 * The line of the code that cannot be compiled.
	 * @return the line; 0 if the class does not tell it
	 */
	public int line() {
		return this.line;
	}

	/**
	 * What cannot be done.
	 * @return a clause without a full stop
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * What to do instead.
	 * @return a sentence
	 */
	public String remedy() {
		return this.remedy;
	}

}
