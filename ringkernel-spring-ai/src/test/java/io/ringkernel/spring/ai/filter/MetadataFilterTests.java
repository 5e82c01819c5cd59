package io.ringkernel.spring.ai.filter;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.AbstractList;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.ai.vectorstore.filter.Filter;
import org.springframework.ai.vectorstore.filter.Filter.ExpressionType;
import org.springframework.ai.vectorstore.filter.FilterExpressionBuilder;
import org.springframework.ai.vectorstore.filter.FilterExpressionTextParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link MetadataFilter}: what an expression means.
 */
class MetadataFilterTests {

	private static final Map<String, Object> FILM = Map.of("title", "Alien", "year", 1979, "score", 8.5, "seen", true,
			"released", "1979-05-25", "tags", List.of("space", "horror"), "votes", 9007199254740993L, "cuts",
			List.of(1979, 2003, List.of(2020)), "cast", Map.of("Ripley", "Weaver"), "awards", List.of());

	private static final OffsetDateTime MIDNIGHT = OffsetDateTime.of(1979, 5, 25, 0, 0, 0, 0, ZoneOffset.UTC);

	private static boolean matches(String expression) {
		return MetadataFilter.of(new FilterExpressionTextParser().parse(expression)).test(FILM);
	}

	private static boolean matches(ExpressionType type, String key, Object value) {
		return MetadataFilter.of(new Filter.Expression(type, new Filter.Key(key), new Filter.Value(value))).test(FILM);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '^', textBlock = """
			title == 'Alien'                                  ; true
			title == 'alien'                                  ; false
			title != 'Alien'                                  ; false
			title > 'Alice' && title < 'Aliens'               ; true
			year == 1979                                      ; true
			year == 1979.0                                    ; true
			year >= 1979 && year <= 1979                      ; true
			year > 1979 || year < 1979                        ; false
			score > 8 && score < 8.6                          ; true
			seen == true                                      ; true
			seen != false                                     ; true
			title IN ['Aliens', 'Alien']                      ; true
			title NIN ['Aliens', 'Alien']                     ; false
			year IN [1, 2]                                    ; false
			year NIN [1, 2]                                   ; true
			NOT (year == 1979)                                ; false
			NOT (year > 1979 && title == 'Alien')             ; true
			(year > 1990 || title == 'Alien') && seen == true ; true
			year IS NOT NULL                                  ; true
			year IS NULL                                      ; false
			"year" == 1979                                    ; true
			""")
	void comparesValues(String expression, boolean expected) {
		assertThat(matches(expression)).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '^', textBlock = """
			director IS NULL            ; true
			director IS NOT NULL        ; false
			director == 'Scott'         ; false
			director != 'Scott'         ; true
			director IN ['Scott']       ; false
			director NIN ['Scott']      ; true
			rank < 5                    ; false
			rank >= 5                   ; false
			NOT (rank < 5)              ; true
			NOT (director == 'Scott')   ; true
			""")
	void missingValueIsEqualToNothingAndInNoOrder(String expression, boolean expected) {
		assertThat(matches(expression)).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '^', textBlock = """
			year == '1979'        ; false
			year != '1979'        ; true
			year < '2000'         ; false
			title > 5             ; false
			seen == 1             ; false
			seen == 'true'        ; false
			tags == 5             ; false
			tags > 5              ; false
			cast == 'Weaver'      ; false
			cast IS NOT NULL      ; true
			year IN ['1979', 'x'] ; false
			NOT (year < '2000')   ; true
			""")
	void valueOfAnotherTypeIsEqualToNothingAndInNoOrder(String expression, boolean expected) {
		assertThat(matches(expression)).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '^', textBlock = """
			tags == 'space'              ; true
			tags == 'comedy'             ; false
			tags != 'space'              ; false
			tags != 'comedy'             ; true
			NOT (tags == 'space')        ; false
			tags IN ['comedy', 'horror'] ; true
			tags IN ['comedy']           ; false
			tags NIN ['comedy']          ; true
			tags NIN ['horror']          ; false
			tags IS NULL                 ; false
			tags IS NOT NULL             ; true
			cuts == 2003                 ; true
			cuts == '2003'               ; false
			cuts > 2000                  ; true
			cuts > 2003                  ; false
			cuts < 1990 && cuts > 2000   ; true
			cuts == 2020                 ; false
			awards == 'Oscar'            ; false
			awards != 'Oscar'            ; true
			awards IS NOT NULL           ; true
			""")
	void listIsComparedByItsElements(String expression, boolean expected) {
		assertThat(matches(expression)).isEqualTo(expected);
	}

	@Test
	void elementOfAListIsComparedAsAValueOfItsOwn() {
		Filter.Expression expression = new Filter.Expression(ExpressionType.EQ, new Filter.Key("dates"),
				new Filter.Value(MIDNIGHT));
		assertThat(MetadataFilter.of(expression).test(Map.of("dates", List.of("1979-05-25", "x")))).isTrue();
		assertThat(MetadataFilter.of(expression).test(Map.of("dates", List.of("1979-05-26", "x")))).isFalse();
	}

	@Test
	void numbersAreComparedExactly() {
		assertThat(matches(ExpressionType.EQ, "votes", 9007199254740993L)).isTrue();
		assertThat(matches(ExpressionType.EQ, "votes", 9007199254740992L)).isFalse();
		assertThat(matches(ExpressionType.GT, "votes", 9007199254740992d)).isTrue();
	}

	@ParameterizedTest
	@MethodSource
	void constantIsEqualToTheSameValueThatWasStored(Object value) {
		Map<String, Object> stored = MetadataJson.read(MetadataJson.write(Map.of("key", value)));
		Filter.Expression expression = new Filter.Expression(ExpressionType.EQ, new Filter.Key("key"),
				new Filter.Value(value));
		assertThat(MetadataFilter.of(expression).test(stored)).isTrue();
	}

	static List<Object> constantIsEqualToTheSameValueThatWasStored() {
		return List.of(1, 1L << 40, (short) 3, 0.1, 0.1f, Float.MAX_VALUE, Float.MIN_VALUE, new BigDecimal("19.99"),
				new BigDecimal("1E+30"), BigInteger.TEN.pow(30), true, "text", new Date(1_700_000_000_123L),
				LocalDate.of(2024, 1, 7), Instant.EPOCH, Thread.State.NEW, new UUID(1, 2), MIDNIGHT,
				MIDNIGHT.atZoneSameInstant(ZoneId.of("Europe/Paris")), MIDNIGHT.toLocalDateTime(),
				OffsetTime.of(LocalTime.MIDNIGHT, ZoneOffset.UTC), LocalTime.MIDNIGHT, LocalTime.of(1, 2, 3, 4),
				Year.of(2024), YearMonth.of(2024, 1), Duration.ofMinutes(2), Optional.of("text"), OptionalInt.of(3),
				Path.of("a"), Locale.CANADA_FRENCH, calendar(), String.class, ZoneId.of("Europe/Paris"),
				new AtomicLong(5), new byte[] { 1, 2 }, 'c', Instant.MAX, LocalDateTime.MAX, LocalDate.MIN);
	}

	private static Calendar calendar() {
		return GregorianCalendar.from(MIDNIGHT.atZoneSameInstant(ZoneId.of("Europe/Paris")));
	}

	@ParameterizedTest
	@MethodSource
	void midnightIsTheSameMomentInEveryTypeOfDate(Object midnight) {
		assertThat(matches(ExpressionType.EQ, "released", midnight)).isTrue();
		assertThat(matches(ExpressionType.GTE, "released", midnight)).isTrue();
		assertThat(matches(ExpressionType.GT, "released", midnight)).isFalse();
		assertThat(matches(ExpressionType.IN, "released", List.of(midnight))).isTrue();
	}

	static List<Object> midnightIsTheSameMomentInEveryTypeOfDate() {
		return List.of(MIDNIGHT, MIDNIGHT.toInstant(), MIDNIGHT.toZonedDateTime(),
				MIDNIGHT.atZoneSameInstant(ZoneId.of("Europe/Paris")), MIDNIGHT.toLocalDateTime(),
				MIDNIGHT.toLocalDate(), Date.from(MIDNIGHT.toInstant()), calendar(), "1979-05-25T00:00Z",
				"1979-05-25T00:00", "1979-05-25T00:00:00", "1979-05-25T02:00+02:00", "1979-05-24T24:00:00Z",
				"1979-05-25T02:00:00.000+02:00[Europe/Paris]");
	}

	@ParameterizedTest
	@CsvSource({ "2024-02-30T00:00:00Z", "2024-02-30", "2024-01-07T25:00Z" })
	void dayOrTimeThatThereIsNotIsText(String text) {
		assertThat(FilterValue.of(text)).isEqualTo(new FilterValue(ValueType.STRING, text));
	}

	@Test
	void refusesConstantsThatCannotBeCompared() {
		assertThatIllegalArgumentException().isThrownBy(() -> matches(ExpressionType.EQ, "year", Map.of("a", 1)))
			.withMessageContaining("year")
			.withMessageContaining("EQ cannot compare with {a=1}")
			.withMessageContaining("Pass a number");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> matches(ExpressionType.NIN, "year", List.of(1, List.of(2))))
			.withMessageContaining("NIN cannot compare with [2]");
		assertThatIllegalArgumentException().isThrownBy(() -> matches(ExpressionType.LT, "year", new Unreadable()))
			.withMessageContaining("LT cannot compare with")
			.withMessageContaining(Unreadable.class.getName());
	}

	/** Has no form in JSON. */
	public static final class Unreadable {

		public int getValue() {
			throw new IllegalStateException("no value");
		}

	}

	@Test
	void datesAreMomentsToTheNanosecond() {
		Instant later = MIDNIGHT.toInstant().plusNanos(1);
		assertThat(matches(ExpressionType.EQ, "released", later)).isFalse();
		assertThat(matches(ExpressionType.LT, "released", later)).isTrue();
		assertThat(matches(ExpressionType.LT, "released", Date.from(MIDNIGHT.toInstant().plusMillis(1)))).isTrue();
		assertThat(matches(ExpressionType.EQ, "released", LocalDate.of(1979, 5, 25))).isTrue();
		assertThat(matches(ExpressionType.LT, "released", Instant.parse("1979-05-25T00:00:01Z"))).isTrue();
		assertThat(matches("released >= '1979-05-25T02:00:00+02:00'")).isTrue();
		assertThat(matches("released == '1979-05-25T00:00:00Z'")).isTrue();
		assertThat(matches("released > '1979-13-99'")).isFalse();
	}

	@Test
	void constantsAreReadOnceForAllDocuments() {
		AtomicInteger reads = new AtomicInteger();
		List<Integer> years = new AbstractList<>() {

			@Override
			public Integer get(int index) {
				reads.incrementAndGet();
				return 1979 + index;
			}

			@Override
			public int size() {
				return 1000;
			}

		};
		Predicate<Map<String, ?>> filter = MetadataFilter
			.of(new Filter.Expression(ExpressionType.IN, new Filter.Key("year"), new Filter.Value(years)));
		assertThat(filter.test(Map.of("year", 1979.0))).isTrue();
		assertThat(filter.test(Map.of("year", List.of("1979", 2978)))).isTrue();
		assertThat(filter.test(Map.of("year", 1978))).isFalse();
		assertThat(reads).hasValue(years.size());
	}

	@Test
	void keyMayBeQuoted() {
		Filter.Expression expression = new FilterExpressionBuilder().eq("'a key'", 1).build();
		assertThat(MetadataFilter.of(expression).test(Map.of("a key", 1))).isTrue();
	}

	@Test
	void refusesExpressionsWithoutWhatTheyNeed() {
		Filter.Key key = new Filter.Key("year");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> MetadataFilter.of(new Filter.Expression(ExpressionType.EQ, key)))
			.withMessageContaining("EQ needs a constant");
		assertThatIllegalArgumentException().isThrownBy(() -> matches(ExpressionType.IN, "year", 5))
			.withMessageContaining("IN needs a list");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> MetadataFilter.of(new Filter.Expression(ExpressionType.EQ, new Filter.Value(1), key)))
			.withMessageContaining("compares no key");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> MetadataFilter
				.of(new Filter.Expression(ExpressionType.AND, new Filter.Expression(ExpressionType.ISNOTNULL, key))))
			.withMessageContaining("AND needs two operands");
	}

}
