package io.ringkernel.session.encoding;

import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.ArraysAhead;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostResponses;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a response as a record. Where two large responses one after the other had
 * arrays of the same lengths, those of the next are made while its caller waits.
 *
 * @param <O> the record
 * @since 0.2.0
 */
public final class RecordDecoding<O extends Record> implements ResponseDecoding<O> {

	private final HostResponses responses;

	private final MessageLayout<O> layout;

	private final boolean isPacked;

	/**
	 * What large responses are like, or {@code null} while they are small. Callers race
	 * for it, and it may be wrong: then arrays were made in vain.
	 */
	private @Nullable Expectation expectation;

	/**
	 * Creates the decoding of the responses of a session.
	 * @param responses where they are read
	 * @param layout their layout
	 */
	public RecordDecoding(HostResponses responses, MessageLayout<O> layout) {
		this.responses = responses;
		this.layout = layout;
		this.isPacked = layout.isPacked();
	}

	@Override
	public @Nullable O decodePacked(long position) {
		return this.isPacked ? this.responses.readPacked(position, this.layout) : null;
	}

	@Override
	public @Nullable O decode(long position, @Nullable Draft own, @Nullable ArraysAhead arrays) {
		O response = this.responses.read(position, this.layout, own, arrays);
		if (response != null) {
			learn(this.responses.isLarge(position), arrays);
		}
		return response;
	}

	@Override
	public @Nullable ArraysAhead ahead() {
		Expectation expected = this.expectation;
		if (expected == null) {
			return null;
		}
		ArraysAhead arrays = this.responses.arraysAhead();
		if (expected.shape != null && expected.isRepeated) {
			arrays.make(expected.shape);
		}
		return arrays;
	}

	/** Others read what is written here, so only a change is. */
	private void learn(boolean isLarge, @Nullable ArraysAhead arrays) {
		Expectation before = this.expectation;
		if (!isLarge) {
			if (before != null) {
				this.expectation = null;
			}
		}
		else if (before == null) {
			this.expectation = Expectation.NOTHING_KNOWN;
		}
		else if (arrays != null) {
			ArraysAhead.Shape shape = arrays.shape();
			boolean isRepeated = shape.isLike(before.shape);
			if (!isRepeated || !before.isRepeated) {
				this.expectation = new Expectation(shape, isRepeated);
			}
		}
	}

	/**
	 * What a response is expected to be like: the shape of the last one, if it was looked
	 * at, and whether the one before was the same.
	 */
	private record Expectation(ArraysAhead.@Nullable Shape shape, boolean isRepeated) {

		static final Expectation NOTHING_KNOWN = new Expectation(null, false);

	}

}
