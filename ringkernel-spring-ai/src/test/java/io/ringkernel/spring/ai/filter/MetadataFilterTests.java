package io.ringkernel.spring.ai.filter;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;

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
			"released", "1979-05-25", "tags", List.of("space", "horror"), "votes", 9007199254740993L);

	private static boolean matches(String expression) {
		return MetadataFilter.matches(new FilterExpressionTextParser().parse(expression), FILM);
	}

	private static boolean matches(ExpressionType type, String key, Object value) {
		return MetadataFilter.matches(new Filter.Expression(type, new Filter.Key(key), new Filter.Value(value)), FILM);
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
			tags == 'space'       ; false
			tags != 'space'       ; true
			tags IS NOT NULL      ; true
			year IN ['1979', 'x'] ; false
			NOT (year < '2000')   ; true
			""")
	void valueOfAnotherTypeIsEqualToNothingAndInNoOrder(String expression, boolean expected) {
		assertThat(matches(expression)).isEqualTo(expected);
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
		assertThat(MetadataFilter.matches(expression, stored)).isTrue();
	}

	static List<Object> constantIsEqualToTheSameValueThatWasStored() {
		return List.of(1, 1L << 40, (short) 3, 0.1, 0.1f, Float.MAX_VALUE, Float.MIN_VALUE, new BigDecimal("19.99"),
				new BigDecimal("1E+30"), BigInteger.TEN.pow(30), true, "text", new Date(1_700_000_000_123L),
				LocalDate.of(2024, 1, 7), Instant.EPOCH, Thread.State.NEW, new UUID(1, 2));
	}

	@Test
	void datesAreMomentsToTheSecond() {
		Date release = Date.from(Instant.parse("1979-05-25T00:00:00.789Z"));
		assertThat(matches(ExpressionType.EQ, "released", release)).isTrue();
		assertThat(matches(ExpressionType.EQ, "released", LocalDate.of(1979, 5, 25))).isTrue();
		assertThat(matches(ExpressionType.LT, "released", Instant.parse("1979-05-25T00:00:01Z"))).isTrue();
		assertThat(matches("released >= '1979-05-25T02:00:00+02:00'")).isTrue();
		assertThat(matches("released == '1979-05-25T00:00:00Z'")).isTrue();
		assertThat(matches("released > '1979-13-99'")).isFalse();
	}

	@Test
	void keyMayBeQuoted() {
		Filter.Expression expression = new FilterExpressionBuilder().eq("'a key'", 1).build();
		assertThat(MetadataFilter.matches(expression, Map.of("a key", 1))).isTrue();
	}

	@Test
	void refusesExpressionsWithoutWhatTheyNeed() {
		Filter.Key key = new Filter.Key("year");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> MetadataFilter.matches(new Filter.Expression(ExpressionType.EQ, key), FILM))
			.withMessageContaining("EQ needs a constant");
		assertThatIllegalArgumentException().isThrownBy(() -> matches(ExpressionType.IN, "year", 5))
			.withMessageContaining("IN needs a list");
		assertThatIllegalArgumentException().isThrownBy(
				() -> MetadataFilter.matches(new Filter.Expression(ExpressionType.EQ, new Filter.Value(1), key), FILM))
			.withMessageContaining("compares no key");
		assertThatIllegalArgumentException().isThrownBy(() -> MetadataFilter.matches(
				new Filter.Expression(ExpressionType.AND, new Filter.Expression(ExpressionType.ISNOTNULL, key)), FILM))
			.withMessageContaining("AND needs two operands");
	}

}
