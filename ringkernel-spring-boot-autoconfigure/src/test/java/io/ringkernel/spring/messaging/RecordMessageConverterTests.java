package io.ringkernel.spring.messaging;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;

import io.ringkernel.Capacity;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.exception.UnsupportedMessageTypeException;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.support.MessageBuilder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RecordMessageConverterTests {

	private static final Reading READING = new Reading(7, "boiler", new double[] { 1.5, -0.0, 1e300 });

	private final RecordMessageConverter converter = new RecordMessageConverter();

	@Test
	void aRecordIsReadAsItWasWritten() {
		Message<?> message = binary(bytes(READING));
		Object read = this.converter.fromMessage(message, Reading.class);
		assertThat(read).usingRecursiveComparison().isEqualTo(READING);
	}

	@Test
	void theLayoutComesFirst() {
		ByteBuffer bytes = ByteBuffer.wrap(bytes(READING)).order(ByteOrder.LITTLE_ENDIAN);
		assertThat(bytes.getLong(0)).isEqualTo(MessageLayout.of(Reading.class).fingerprint());
		assertThat(bytes.capacity()).isEqualTo(Long.BYTES + MessageLayout.of(Reading.class).measure(READING));
	}

	@Test
	void anotherVersionOfTheRecordIsRefused() {
		Message<?> message = binary(bytes(READING));
		assertThatExceptionOfType(MessageConversionException.class)
			.isThrownBy(() -> this.converter.fromMessage(message, LaterReading.class))
			.satisfies((ex) -> assertThat(ex.getFailedMessage()).isEqualTo(message))
			.havingCause()
			.withMessageContainingAll("%016x".formatted(MessageLayout.of(Reading.class).fingerprint()),
					"%016x".formatted(MessageLayout.of(LaterReading.class).fingerprint()), LaterReading.class.getName())
			.isInstanceOfSatisfying(LayoutMismatchException.class, (mismatch) -> {
				assertThat(mismatch.found()).isEqualTo(MessageLayout.of(Reading.class).fingerprint());
				assertThat(mismatch.expected()).isEqualTo(MessageLayout.of(LaterReading.class).fingerprint());
			});
	}

	@Test
	void aMessageThatIsCutIsRefusedWhereverThatIs() {
		byte[] bytes = bytes(READING);
		for (int length = 0; length < bytes.length; length++) {
			Message<?> cut = binary(Arrays.copyOf(bytes, length));
			assertThatExceptionOfType(MessageConversionException.class).as("%d bytes", length)
				.isThrownBy(() -> this.converter.fromMessage(cut, Reading.class))
				.satisfies((ex) -> assertThat(ex.getFailedMessage()).isEqualTo(cut))
				.havingCause()
				.isInstanceOf(CorruptMessageException.class);
		}
	}

	@Test
	void aRecordThatDoesNotFitItsLayoutIsRefused() {
		Reading tooLong = new Reading(7, "a name of more than sixteen bytes", new double[0]);
		assertThatExceptionOfType(MessageConversionException.class).isThrownBy(() -> bytes(tooLong))
			.havingCause()
			.withMessageContaining("name");
	}

	@Test
	void aRecordWithoutLayoutIsRefused() {
		assertThatExceptionOfType(MessageConversionException.class)
			.isThrownBy(() -> this.converter.toMessage(new Listing(Map.of()), headers()))
			.havingCause()
			.isInstanceOf(UnsupportedMessageTypeException.class);
		assertThatExceptionOfType(MessageConversionException.class)
			.isThrownBy(() -> this.converter.fromMessage(binary(new byte[64]), Listing.class))
			.havingCause()
			.isInstanceOf(UnsupportedMessageTypeException.class);
	}

	@Test
	void otherContentAndOtherTypesAreLeftToOthers() {
		Message<byte[]> json = MessageBuilder.withPayload("{}".getBytes())
			.setHeader(MessageHeaders.CONTENT_TYPE, "application/json")
			.build();
		assertThat(this.converter.fromMessage(json, Reading.class)).isNull();
		assertThat(this.converter.fromMessage(MessageBuilder.withPayload(new byte[64]).build(), Reading.class))
			.isNull();
		assertThat(this.converter.fromMessage(binary(bytes(READING)), String.class)).isNull();
		assertThat(this.converter.toMessage("text", headers())).isNull();
		assertThat(this.converter.toMessage(READING, new MessageHeaders(Map.of()))).isNull();
	}

	private byte[] bytes(Record message) {
		return (byte[]) this.converter.toMessage(message, headers()).getPayload();
	}

	private static MessageHeaders headers() {
		return new MessageHeaders(Map.of(MessageHeaders.CONTENT_TYPE, RecordMessageConverter.CONTENT_TYPE));
	}

	private static Message<byte[]> binary(byte[] payload) {
		return MessageBuilder.withPayload(payload)
			.setHeader(MessageHeaders.CONTENT_TYPE, RecordMessageConverter.CONTENT_TYPE)
			.build();
	}

	record Reading(long sensor, @Capacity(16) String name, @Capacity(8) double[] values) {
	}

	record LaterReading(long sensor, @Capacity(24) String name, @Capacity(8) double[] values) {
	}

	record Listing(Map<String, String> values) {
	}

}
