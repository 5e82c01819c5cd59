package io.ringkernel.spring.ai.filter;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.Map;
import java.util.OptionalInt;

import org.jspecify.annotations.Nullable;

/**
 * A value of metadata, or a constant of an expression, in the form in which it is
 * compared.
 * <p>
 * A string that is an ISO 8601 instant, or a date alone, is a date, which then begins at
 * midnight UTC.
 *
 * @param type what it is
 * @param content a {@link BigDecimal}, {@link Boolean}, count of seconds since 1970 as a
 * {@link Long}, or {@link String}, by the type; of a composite an empty string
 */
record FilterValue(ValueType type, Object content) {

	private static final int DATE_LENGTH = "2026-01-31".length();

	private static final FilterValue COMPOSITE = new FilterValue(ValueType.COMPOSITE, "");

	/**
	 * Reads a value.
	 * @param value the value; {@code null} for one that is missing
	 * @return the value, or {@code null} for one that is missing
	 */
	static @Nullable FilterValue of(@Nullable Object value) {
		if (value == null) {
			return null;
		}
		if (value instanceof Number number) {
			return ofNumber(number);
		}
		if (value instanceof Boolean) {
			return new FilterValue(ValueType.BOOLEAN, value);
		}
		if (value instanceof Date date) {
			return ofDate(instant(date));
		}
		if (value instanceof Instant instant) {
			return ofDate(instant);
		}
		if (value instanceof Iterable || value instanceof Map || value.getClass().isArray()) {
			return COMPOSITE;
		}
		return ofText(value.toString());
	}

	private static FilterValue ofNumber(Number number) {
		double value = number.doubleValue();
		if (!Double.isFinite(value)) {
			return new FilterValue(ValueType.STRING, number.toString());
		}
		return new FilterValue(ValueType.NUMBER, exact(number, value));
	}

	/** A float or a decimal is the double that {@link MetadataJson} makes of it. */
	private static BigDecimal exact(Number number, double value) {
		if (number instanceof Float) {
			return new BigDecimal(Double.parseDouble(number.toString()));
		}
		if (number instanceof Double || number instanceof BigDecimal) {
			return new BigDecimal(value);
		}
		return (number instanceof BigInteger integer) ? new BigDecimal(integer)
				: BigDecimal.valueOf(number.longValue());
	}

	/** That of {@code java.sql.Date} refuses to be asked for its instant. */
	@SuppressWarnings("JavaUtilDate")
	static Instant instant(Date date) {
		return Instant.ofEpochMilli(date.getTime());
	}

	private static FilterValue ofDate(Instant instant) {
		return new FilterValue(ValueType.DATE, instant.getEpochSecond());
	}

	private static FilterValue ofText(String text) {
		if (looksLikeDate(text)) {
			try {
				return ofDate(
						(text.length() == DATE_LENGTH) ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
								: DateTimeFormatter.ISO_INSTANT.parse(text, Instant::from));
			}
			catch (DateTimeException ex) {
				return new FilterValue(ValueType.STRING, text);
			}
		}
		return new FilterValue(ValueType.STRING, text);
	}

	/** Spares what is plainly no date the exception. */
	private static boolean looksLikeDate(String text) {
		return text.length() >= DATE_LENGTH && text.charAt(4) == '-' && text.charAt(7) == '-'
				&& Character.isDigit(text.charAt(0));
	}

	/**
	 * Compares two values.
	 * @return less than, equal to or greater than 0 as this value is less than, equal to
	 * or greater than the other one; nothing if neither holds
	 */
	OptionalInt compare(FilterValue other) {
		if (this.type != other.type) {
			return OptionalInt.empty();
		}
		return switch (this.type) {
			case NUMBER -> OptionalInt.of(((BigDecimal) this.content).compareTo((BigDecimal) other.content));
			case BOOLEAN -> OptionalInt.of(((Boolean) this.content).compareTo((Boolean) other.content));
			case DATE -> OptionalInt.of(((Long) this.content).compareTo((Long) other.content));
			case STRING -> OptionalInt.of(((String) this.content).compareTo((String) other.content));
			case COMPOSITE -> OptionalInt.empty();
		};
	}

}
