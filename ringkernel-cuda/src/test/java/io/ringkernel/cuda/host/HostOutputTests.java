package io.ringkernel.cuda.host;

import java.io.IOException;
import java.io.StringReader;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a host prints is logged line by line, however long its lines are.
 */
class HostOutputTests {

	@Test
	void eachLineIsOne() throws IOException {
		StringReader printed = new StringReader("a\n\nb");
		assertThat(HostOutput.readLine(printed)).isEqualTo("a");
		assertThat(HostOutput.readLine(printed)).isEmpty();
		assertThat(HostOutput.readLine(printed)).isEqualTo("b");
		assertThat(HostOutput.readLine(printed)).isNull();
	}

	@Test
	void aLineWithoutAnEndIsTakenInParts() throws IOException {
		StringReader printed = new StringReader("x".repeat(HostOutput.LONGEST_LINE + 1));
		assertThat(HostOutput.readLine(printed)).hasSize(HostOutput.LONGEST_LINE);
		assertThat(HostOutput.readLine(printed)).isEqualTo("x");
		assertThat(HostOutput.readLine(printed)).isNull();
	}

}
