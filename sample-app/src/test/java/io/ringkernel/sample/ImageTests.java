package io.ringkernel.sample;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.ringkernel.message.MessageLayout;
import io.ringkernel.sample.neighbours.NeighbourRequest;
import io.ringkernel.sample.neighbours.NeighbourResponse;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The image is of its records: what a launch would compare on a device, compared without
 * one. The offsets are those of {@code KernelInfo} in {@code ringkernel/abi.cuh}.
 */
class ImageTests {

	@Test
	void nearestNeighboursIsOfItsRecords() throws IOException {
		assertThatImageIsOf("nearest_neighbours", MessageLayout.of(NeighbourRequest.class),
				MessageLayout.of(NeighbourResponse.class));
	}

	private static void assertThatImageIsOf(String kernel, MessageLayout<?> requests, MessageLayout<?> responses)
			throws IOException {
		ByteBuffer info = info(kernel);
		assertThat(info.getLong(16)).isEqualTo(requests.fingerprint());
		assertThat(info.getLong(24)).isEqualTo(responses.fingerprint());
		assertThat(info.getInt(32)).isEqualTo(requests.fixedSize());
		assertThat(info.getInt(36)).isEqualTo(requests.maxSize());
		assertThat(info.getInt(40)).isEqualTo(responses.fixedSize());
		assertThat(info.getInt(44)).isEqualTo(responses.maxSize());
	}

	private static ByteBuffer info(String kernel) throws IOException {
		Matcher matcher = Pattern.compile(" " + kernel + "_info\\[\\d+\\] = \\{([^}]+)\\}").matcher(ptx(kernel));
		assertThat(matcher.find()).isTrue();
		String[] numbers = matcher.group(1).split(",");
		ByteBuffer bytes = ByteBuffer.allocate(numbers.length).order(ByteOrder.LITTLE_ENDIAN);
		for (String number : numbers) {
			bytes.put((byte) Integer.parseInt(number.strip()));
		}
		return bytes;
	}

	private static String ptx(String kernel) throws IOException {
		try (InputStream image = ImageTests.class.getResourceAsStream("/kernels/" + kernel + ".ptx")) {
			assertThat(image).isNotNull();
			return new String(image.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

}
