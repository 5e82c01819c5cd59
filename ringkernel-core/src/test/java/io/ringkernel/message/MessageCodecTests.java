package io.ringkernel.message;

import java.lang.invoke.MethodHandle;

import io.ringkernel.message.Fixtures.Point;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MessageCodecTests {

	private final RecordType struct = new LayoutBuilder().record(Point.class);

	private final Site site = new Site(Point.class, "", 0, this.struct.size());

	@AfterEach
	void leaveTheImage() {
		System.clearProperty(MessageCodec.IMAGE_CODE);
	}

	private MessageCodec codec() {
		MethodHandle measurer = this.struct.measurer(this.site).asType(Handles.MEASURER);
		MethodHandle writer = this.struct.writer(this.site).asType(Handles.WRITER);
		return MessageCodec.of(measurer, writer, this.struct.reader(this.site).asType(Handles.READER));
	}

	@Test
	void eachLayoutHasAClassOfItsOwn() throws Throwable {
		MessageCodec codec = codec();
		assertThat(codec.getClass().isHidden()).isTrue();
		assertThat(codec.getClass()).isNotEqualTo(codec().getClass());
		assertMoves(codec);
	}

	@Test
	void aNativeImageDefinesNoClass() throws Throwable {
		System.setProperty(MessageCodec.IMAGE_CODE, "runtime");
		MessageCodec codec = codec();
		assertThat(codec).isInstanceOf(HandleCodec.class);
		assertMoves(codec);
	}

	private void assertMoves(MessageCodec codec) throws Throwable {
		Point point = new Point(-1, 2);
		int size = this.struct.size();
		MessageBuffer buffer = MessageBuffer.allocate(size);
		assertThat(codec.measure(size, point)).isEqualTo(size);
		assertThat(codec.write(size, point, buffer, 0)).isEqualTo(size);
		assertThat(codec.read(buffer, 0, size)).isEqualTo(point);
	}

}
