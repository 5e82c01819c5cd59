package io.ringkernel.message.inplace;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

import io.ringkernel.Capacity;
import io.ringkernel.Length;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.UnsupportedMessageTypeException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FrameBufferTests {

	private static final int CAPACITY = 5;

	private final MessageLayout<Orders> layout = MessageLayout.of(Orders.class);

	private final FrameBuffer frame = new FrameBuffer(this.layout);

	enum Side {

		BUY, SELL

	}

	record Price(float bid, float ask) {
	}

	record Order(byte kind, Side side, boolean firm, char venue, short lot, Price price, long id,
			@Length(3) double[] limits, @Nullable Integer note) {
	}

	record Orders(@Capacity(CAPACITY) Order[] orders) {
	}

	record TwoArrays(@Capacity(CAPACITY) Price[] a, @Capacity(CAPACITY) Price[] b) {
	}

	record OfPrimitives(@Capacity(CAPACITY) long[] values) {
	}

	record OfFixedLength(@Length(CAPACITY) Price[] values) {
	}

	private static Orders orders(int count) {
		Order[] orders = new Order[count];
		for (int i = 0; i < count; i++) {
			orders[i] = new Order((byte) -i, Side.SELL, i % 2 == 0, (char) ('a' + i), (short) (i * 1000),
					new Price(i, -i), Long.MAX_VALUE - i, new double[] { i, i / 3.0, Double.NaN }, null);
		}
		return new Orders(orders);
	}

	private static int at(String component, Class<?> type) {
		return MessageLayout.of(Order.class).offset(component, type);
	}

	private void fill(Order[] orders) {
		int limits = at("limits", double.class);
		for (int i = 0; i < orders.length; i++) {
			Order order = orders[i];
			this.frame.putByte(i, at("kind", byte.class), order.kind());
			this.frame.putInt(i, at("side", Side.class), order.side().ordinal());
			this.frame.putByte(i, at("firm", boolean.class), (byte) (order.firm() ? 1 : 0));
			this.frame.putShort(i, at("venue", char.class), (short) order.venue());
			this.frame.putShort(i, at("lot", short.class), order.lot());
			this.frame.putFloat(i, at("price.bid", float.class), order.price().bid());
			this.frame.putFloat(i, at("price.ask", float.class), order.price().ask());
			this.frame.putLong(i, at("id", long.class), order.id());
			for (int j = 0; j < order.limits().length; j++) {
				this.frame.putDouble(i, limits + j * Double.BYTES, order.limits()[j]);
			}
		}
	}

	private byte[] encoded() {
		return Arrays.copyOfRange(this.frame.bytes(), this.frame.begin(),
				this.frame.begin() + this.frame.encodedSize());
	}

	private void receive(byte[] message) {
		System.arraycopy(message, 0, this.frame.bytes(), this.frame.begin(), message.length);
		this.frame.decode(message.length);
	}

	private byte[] written(Orders orders) {
		byte[] bytes = new byte[this.layout.measure(orders)];
		this.layout.write(orders, MessageBuffer.wrap(ByteBuffer.wrap(bytes)), 0);
		return bytes;
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, CAPACITY })
	void aFrameHasTheBytesOfItsRecord(int count) {
		Orders orders = orders(count);
		fill(orders.orders());
		this.frame.encode(count);
		assertThat(encoded()).isEqualTo(written(orders));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, CAPACITY })
	void aRecordIsReadAsAFrame(int count) {
		Orders orders = orders(count);
		receive(written(orders));
		assertThat(this.frame.size()).isEqualTo(count);
		for (int i = 0; i < count; i++) {
			Order order = orders.orders()[i];
			assertThat(this.frame.getByte(i, at("kind", byte.class))).isEqualTo(order.kind());
			assertThat(this.frame.getShort(i, at("lot", short.class))).isEqualTo(order.lot());
			assertThat(this.frame.getInt(i, at("side", Side.class))).isOne();
			assertThat(this.frame.getFloat(i, at("price.ask", float.class))).isEqualTo(order.price().ask());
			assertThat(this.frame.getLong(i, at("id", long.class))).isEqualTo(order.id());
			assertThat(this.frame.getDouble(i, at("limits", double.class) + 8)).isEqualTo(order.limits()[1]);
		}
	}

	@Test
	void aShorterFrameBehindALongerOneDoesNotShowItsElements() {
		receive(written(orders(3)));
		receive(written(orders(1)));
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> this.frame.getByte(1, 0));
	}

	@ParameterizedTest
	@CsvSource({ "-1, 0", "5, 0", "0, -1", "0, 8192", "0, 2147483647", "2147483647, 0" })
	void nothingIsReadOrWrittenBesideAnElement(int element, int offset) {
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> this.frame.putByte(element, offset, (byte) 1));
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> this.frame.getLong(element, offset));
	}

	@Test
	void aValueThatWouldEndBeyondItsElementIsRefused() {
		int stride = (this.layout.maxSize() - 16) / CAPACITY;
		this.frame.putLong(0, stride - 8, 1);
		this.frame.putInt(0, stride - 4, 1);
		this.frame.putShort(0, stride - 2, (short) 1);
		this.frame.putByte(0, stride - 1, (byte) 1);
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> this.frame.putLong(0, stride - 7, 1));
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> this.frame.putInt(0, stride - 3, 1));
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> this.frame.putShort(0, stride - 1, (short) 1));
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> this.frame.putByte(0, stride, (byte) 1));
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, CAPACITY + 1 })
	void aSizeThatItHasNotIsInvalid(int size) {
		assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> this.frame.encode(size));
	}

	@ParameterizedTest
	@CsvSource({ "-1, 16", "6, 16", "2147483647, 16", "1, 16", "3, 16", "2, 0", "2, 32", "2, -16", "0, 16" })
	void aMessageThatIsNoFrameIsCorruptAndShowsNothing(int elements, int offset) {
		byte[] message = written(orders(2));
		ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).putInt(offset).putInt(elements);
		assertThatExceptionOfType(CorruptMessageException.class).isThrownBy(() -> receive(message))
			.withMessageContaining("Orders has");
		assertThat(this.frame.size()).isZero();
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> this.frame.getByte(0, 0));
	}

	@ParameterizedTest
	@ValueSource(classes = { TwoArrays.class, OfPrimitives.class, OfFixedLength.class, Price.class })
	void aRecordThatIsNoArrayOfRecordsIsNoFrame(Class<? extends Record> type) {
		assertThatExceptionOfType(UnsupportedMessageTypeException.class)
			.isThrownBy(() -> new FrameBuffer(MessageLayout.of(type)))
			.withMessageContaining(type.getSimpleName() + " is no frame")
			.satisfies((ex) -> assertThat(ex.messageType()).isEqualTo(type));
	}

}
