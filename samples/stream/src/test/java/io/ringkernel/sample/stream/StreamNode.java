package io.ringkernel.sample.stream;

/**
 * The application, apart from this process.
 */
interface StreamNode extends AutoCloseable {

	/**
	 * Ends it by SIGKILL, and waits for its end.
	 */
	void kill();

	/**
	 * Returns what the application has written so far.
	 */
	String output();

	@Override
	void close();

}
