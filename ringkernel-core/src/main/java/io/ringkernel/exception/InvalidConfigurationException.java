package io.ringkernel.exception;

import java.time.Duration;

import io.ringkernel.Durations;

/**
 * A setting has a value that cannot be honoured.
 *
 * @since 0.1.0
 */
public class InvalidConfigurationException extends RingKernelException {

	private final String setting;

	private final String value;

	private final String reason;

	private final String remedy;

	/**
	 * Creates the exception.
	 * @param setting the name of the setting, as it is written in configuration
	 * @param value its value; a duration is stated as users write it
	 * @param reason what is wrong with it: the rest of a sentence that names the limit
	 * @param remedy what to set instead
	 */
	public InvalidConfigurationException(String setting, Object value, String reason, String remedy) {
		super("%s = %s %s. %s".formatted(setting, asWritten(value), reason, remedy), null);
		this.setting = setting;
		this.value = asWritten(value);
		this.reason = reason;
		this.remedy = remedy;
	}

	private static String asWritten(Object value) {
		return (value instanceof Duration duration) ? Durations.format(duration) : String.valueOf(value);
	}

	/**
	 * {@return the name of the setting, as it is written in configuration}
	 */
	public String setting() {
		return this.setting;
	}

	/**
	 * {@return the value that was set}
	 */
	public String value() {
		return this.value;
	}

	/**
	 * {@return what is wrong with the value: the rest of the sentence that begins with
	 * setting and value}
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * {@return what to set instead: a sentence}
	 */
	public String remedy() {
		return this.remedy;
	}

}
