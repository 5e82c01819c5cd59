package io.ringkernel.message;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ringkernel.TestShare;
import io.ringkernel.message.Fixtures.Point;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class GeneratedCodecTests {

	@AfterEach
	void leaveTheImage() {
		System.clearProperty(MessageLayout.IMAGE_CODE);
	}

	@Test
	void eachRecordHasAHiddenClassOfItsOwn() {
		RecordType struct = new LayoutBuilder().record(Point.class);
		Site site = new Site(Point.class, "", 0, struct.size());
		Codec first = struct.codec(site, GeneratedCodec::of);
		assertThat(first.getClass().isHidden()).isTrue();
		assertThat(struct.codec(site, GeneratedCodec::of).getClass()).isNotEqualTo(first.getClass());
	}

	@Test
	void aNativeImageDefinesNoClass() {
		RecordType struct = new LayoutBuilder().record(Point.class);
		Site site = new Site(Point.class, "", 0, struct.size());
		assertThat(struct.codec(site, MessageLayout.records()).getClass().isHidden()).isTrue();
		System.setProperty(MessageLayout.IMAGE_CODE, "runtime");
		assertThat(struct.codec(site, MessageLayout.records())).isInstanceOf(RecordCodec.class);
	}

	@Test
	void aRecordOfTheMostComponentsMoves(@TempDir Path directory) throws Exception {
		String components = IntStream.range(0, 120)
			.mapToObj((i) -> "byte b" + i + ", short s" + i)
			.collect(Collectors.joining(", "));
		Class<? extends Record> type = CompiledClasses.records(directory, "record Most(" + components + ") {}", "Most")
			.get(0);
		assertSame(type, new RandomMessages(1));
	}

	@Test
	void bothCodecsOfARandomLayoutWriteTheSameBytesAndReadEachOthers(@TempDir Path directory) throws Exception {
		RandomRecords records = new RandomRecords(11, 80);
		RandomMessages messages = new RandomMessages(12);
		for (Class<? extends Record> type : CompiledClasses.records(directory, records.source(), records.names())) {
			for (int i = 0; i < TestShare.of(200); i++) {
				assertSame(type, messages);
			}
		}
	}

	private static <T extends Record> void assertSame(Class<T> type, RandomMessages messages) {
		T message = messages.next(type);
		MessageLayout<T> generated = Codecs.GENERATED.layout(type);
		MessageLayout<T> reflective = Codecs.REFLECTIVE.layout(type);
		int size = generated.measure(message);
		assertThat(reflective.measure(message)).isEqualTo(size);
		MessageBuffer one = MessageBuffer.allocate(size);
		MessageBuffer other = MessageBuffer.wrap(ByteBuffer.allocate(size));
		assertThat(generated.write(message, one, 0)).isEqualTo(size);
		assertThat(reflective.write(message, other, 0)).isEqualTo(size);
		assertThat(one.bytes()).as(generated::describe).isEqualTo(other.bytes());
		Object expected = RecordValues.of(message);
		assertThat(RecordValues.of(generated.read(other, 0, size))).as(generated::describe).isEqualTo(expected);
		assertThat(RecordValues.of(reflective.read(one, 0, size))).as(generated::describe).isEqualTo(expected);
	}

}
