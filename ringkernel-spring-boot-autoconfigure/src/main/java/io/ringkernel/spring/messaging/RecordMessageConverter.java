package io.ringkernel.spring.messaging;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.converter.AbstractMessageConverter;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.util.MimeType;

/**
 * Converts records to the bytes that they have in a ring, and back, as
 * {@value #CONTENT_TYPE}. <pre>
 *  0             8
 *  | fingerprint | the message, as {@link MessageLayout#write} encodes it |
 * </pre> The fingerprint of the layout is little-endian. A message of another layout is
 * refused by it, so a sender that has another version of the record is noticed at its
 * first message. The fingerprint is in front of the message and not among the headers of
 * the transport: a batch of messages is converted without them.
 *
 * @since 0.2.0
 */
public final class RecordMessageConverter extends AbstractMessageConverter {

	/** The content type of messages in the layout of a ring. */
	public static final String CONTENT_TYPE = "application/x-ringkernel";

	/** Creates the converter. */
	public RecordMessageConverter() {
		super(MimeType.valueOf(CONTENT_TYPE));
		setStrictContentTypeMatch(true);
	}

	@Override
	protected boolean supports(Class<?> type) {
		return type.isRecord();
	}

	@Override
	protected @Nullable Object convertFromInternal(Message<?> message, Class<?> target, @Nullable Object hint) {
		if (!(message.getPayload() instanceof byte[] bytes)) {
			return null;
		}
		try {
			return decode(bytes, MessageLayout.of(target.asSubclass(Record.class)));
		}
		catch (RingKernelException ex) {
			throw new MessageConversionException(message, "This is no %s".formatted(target.getName()), ex);
		}
	}

	private static Object decode(byte[] bytes, MessageLayout<?> layout) {
		if (bytes.length < Long.BYTES) {
			throw new CorruptMessageException(
					"The message has %d bytes; a %s of %s has at least %d: the fingerprint of its layout comes first."
						.formatted(bytes.length, CONTENT_TYPE, layout.type().getName(),
								Long.BYTES + layout.fixedSize()));
		}
		ByteBuffer payload = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
		if (payload.getLong(0) != layout.fingerprint()) {
			throw new LayoutMismatchException(layout.type(), payload.getLong(0), layout.fingerprint());
		}
		int length = bytes.length - Long.BYTES;
		return layout.read(MessageBuffer.wrap(payload.slice(Long.BYTES, length)), 0, length);
	}

	@Override
	protected @Nullable Object convertToInternal(Object payload, @Nullable MessageHeaders headers,
			@Nullable Object hint) {
		try {
			return encode((Record) payload);
		}
		catch (RingKernelException ex) {
			throw new MessageConversionException("A %s cannot be sent".formatted(payload.getClass().getName()), ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static <T extends Record> byte[] encode(T message) {
		MessageLayout<T> layout = MessageLayout.of((Class<T>) message.getClass());
		byte[] bytes = new byte[Long.BYTES + layout.measure(message)];
		ByteBuffer target = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
		target.putLong(layout.fingerprint());
		layout.write(message, MessageBuffer.wrap(target.slice()), 0);
		return bytes;
	}

}
