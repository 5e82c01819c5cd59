package io.ringkernel.spring.ai.filter;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A value of metadata, or a constant of an expression, in the form in which it is
 * compared.
 * <p>
 * A value of any other type is what {@link MetadataJson} makes of it. A string that is an
 * ISO 8601 date is a date, with or without a time, with or without its seconds. A date
 * alone begins at midnight, and a time without an offset is in UTC.
 *
 * @param type what it is
 * @param content a {@link BigDecimal}, {@link Boolean}, {@link Instant} or
 * {@link String}, by the type; of a composite the list of the elements that are compared
 */
record FilterValue(ValueType type, Object content) {

	private static final int DAY_AND_MONTH = "01-31".length();

	/** Strict, as a day that there is not must not become another one. */
	private static final DateTimeFormatter DATE_TIME = new DateTimeFormatterBuilder()
		.appendOptional(DateTimeFormatter.ISO_INSTANT)
		.optionalStart()
		.append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
		.optionalStart()
		.appendOffsetId()
		.optionalEnd()
		.optionalEnd()
		.optionalStart()
		.appendLiteral('[')
		.parseCaseSensitive()
		.appendZoneRegionId()
		.appendLiteral(']')
		.optionalEnd()
		.toFormatter(Locale.ROOT)
		.withResolverStyle(ResolverStyle.STRICT);

	/** Reads a value; {@code null} if it is missing. It must have a form in JSON. */
	static @Nullable FilterValue of(@Nullable Object value) {
		Object stored = MetadataJson.stored(value);
		if (stored == null) {
			return null;
		}
		if (stored instanceof Number number) {
			return ofNumber(number);
		}
		if (stored instanceof Boolean) {
			return new FilterValue(ValueType.BOOLEAN, stored);
		}
		return (stored instanceof String text) ? ofText(text) : new FilterValue(ValueType.COMPOSITE, elements(stored));
	}

	/** Those of a list, of which lists and maps are equal to nothing; of a map none. */
	private static List<FilterValue> elements(Object composite) {
		return (composite instanceof Collection<?> list)
				? list.stream().map(FilterValue::of).filter(Objects::nonNull).map(FilterValue.class::cast).toList()
				: List.of();
	}

	private static FilterValue ofNumber(Number number) {
		if (number instanceof Double real) {
			return Double.isFinite(real) ? new FilterValue(ValueType.NUMBER, new BigDecimal(real))
					: new FilterValue(ValueType.STRING, number.toString());
		}
		return new FilterValue(ValueType.NUMBER, (number instanceof BigInteger integer) ? new BigDecimal(integer)
				: BigDecimal.valueOf(number.longValue()));
	}

	private static FilterValue ofText(String text) {
		int month = endOfYear(text) + 1;
		if (month > 0) {
			try {
				return new FilterValue(ValueType.DATE, instant(text, month + DAY_AND_MONTH));
			}
			catch (DateTimeException ex) {
				return new FilterValue(ValueType.STRING, text);
			}
		}
		return new FilterValue(ValueType.STRING, text);
	}

	private static Instant instant(String text, int endOfDate) {
		if (text.length() == endOfDate) {
			return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
		}
		TemporalAccessor moment = DATE_TIME.parseBest(text, Instant::from, LocalDateTime::from);
		return (moment instanceof LocalDateTime local) ? local.toInstant(ZoneOffset.UTC) : (Instant) moment;
	}

	/** Where the year ends, or -1: spares what is plainly no date the exception. */
	private static int endOfYear(String text) {
		boolean signed = text.startsWith("+") || text.startsWith("-");
		int digits = signed ? 1 : 0;
		int end = text.indexOf('-', digits);
		boolean date = end >= digits + 4 && text.length() > end + DAY_AND_MONTH
				&& Character.isDigit(text.charAt(digits)) && text.charAt(end + 3) == '-';
		return date ? end : -1;
	}

	/** What is compared with a constant: the elements of a list, or the value itself. */
	Stream<FilterValue> compared() {
		return (this.content instanceof List<?> elements) ? elements.stream().map(FilterValue.class::cast)
				: Stream.of(this);
	}

	/** The order of two values; nothing if neither is less, equal or greater. */
	OptionalInt compare(FilterValue other) {
		if (this.type != other.type) {
			return OptionalInt.empty();
		}
		return switch (this.type) {
			case NUMBER -> OptionalInt.of(((BigDecimal) this.content).compareTo((BigDecimal) other.content));
			case BOOLEAN -> OptionalInt.of(((Boolean) this.content).compareTo((Boolean) other.content));
			case DATE -> OptionalInt.of(((Instant) this.content).compareTo((Instant) other.content));
			case STRING -> OptionalInt.of(((String) this.content).compareTo((String) other.content));
			case COMPOSITE -> OptionalInt.empty();
		};
	}

}
