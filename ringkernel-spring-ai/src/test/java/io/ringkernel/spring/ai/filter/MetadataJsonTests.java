package io.ringkernel.spring.ai.filter;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MetadataJson}.
 */
class MetadataJsonTests {

	private static Object readBack(Object value) {
		return MetadataJson.read(MetadataJson.write(Map.of("key", value))).get("key");
	}

	@Test
	void valuesOfJsonComeBackAsTheyWere() {
		for (Object value : List.of(1, 1L << 40, 2.5, "text \u00e9 \"quoted\"", true, BigInteger.TEN.pow(30),
				List.of(1, "a"), Map.of("inner", 1))) {
			assertThat(readBack(value)).isEqualTo(value);
		}
	}

	@Test
	void othersComeBackAsTextOrNumbers() {
		UUID id = UUID.randomUUID();
		assertThat(readBack(id)).isEqualTo(id.toString());
		assertThat(readBack(Thread.State.NEW)).isEqualTo("NEW");
		assertThat(readBack(new Date(1_700_000_000_123L))).isEqualTo("2023-11-14T22:13:20.123Z");
		assertThat(readBack(Instant.ofEpochSecond(0))).isEqualTo("1970-01-01T00:00:00Z");
		assertThat(readBack(LocalDate.of(2024, 1, 7))).isEqualTo("2024-01-07");
		assertThat(readBack(0.1f)).isEqualTo(0.1);
		assertThat(readBack(new BigDecimal("1.25"))).isEqualTo(1.25);
		assertThat(readBack(Double.NaN)).isEqualTo("NaN");
	}

	@Test
	void valueThatHasNoneInJsonIsLeftOut() {
		assertThat(MetadataJson.read(MetadataJson.write(Map.of("none", Optional.empty(), "some", Optional.of(1)))))
			.isEqualTo(Map.of("some", 1));
	}

	@Test
	void keysKeepTheirOrder() {
		Map<String, Object> metadata = new LinkedHashMap<>();
		List.of("z", "a", "m").forEach((key) -> metadata.put(key, 1));
		assertThat(MetadataJson.read(MetadataJson.write(metadata)).keySet()).containsExactly("z", "a", "m");
	}

}
