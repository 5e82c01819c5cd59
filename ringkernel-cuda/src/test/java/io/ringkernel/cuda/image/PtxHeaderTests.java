package io.ringkernel.cuda.image;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PtxHeaderTests {

	@Test
	void versionTargetAndEntriesAreRead() {
		PtxHeader header = PtxHeader
			.of(bytes("// text\n.version 8.4\n.target sm_90a, debug\n.visible .entry one(\n.entry two ()"))
			.orElseThrow();
		assertThat(header).isEqualTo(new PtxHeader(8, 4, 90, "a", java.util.List.of("one", "two")));
	}

	@ParameterizedTest
	@CsvSource({ "sm_75,75,true", "sm_75,90,true", "sm_90,75,false", "sm_90a,90,true", "sm_90a,100,false",
			"sm_90a,89,false", "sm_100f,100,true", "sm_100f,103,true", "sm_103f,100,false", "sm_100f,120,false" })
	void theDevicesThatTakeATargetAreKnown(String target, int capability, boolean taken) {
		PtxHeader header = PtxHeader.of(bytes(".version 8.8\n.target " + target)).orElseThrow();
		assertThat(header.architecture()).isEqualTo(target);
		assertThat(header.isFor(capability)).isEqualTo(taken);
	}

	@Test
	void aCubinIsNoPtx() {
		assertThat(PtxHeader.of(new byte[] { 0x7f, 'E', 'L', 'F', 2, 1 })).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "6.5,0", "7.0,11000", "7.8,11080", "8.0,12000", "8.4,12040", "8.5,12050", "8.6,12070", "8.7,12080",
			"8.8,12090", "9.0,13000", "9.1,13010" })
	void theDriverThatLoadsAVersionIsKnown(String version, int driver) {
		PtxHeader header = PtxHeader.of(bytes(".version " + version + "\n.target sm_75")).orElseThrow();
		assertThat(header.requiredDriver()).isEqualTo(driver);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
