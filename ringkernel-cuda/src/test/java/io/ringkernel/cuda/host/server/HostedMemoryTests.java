package io.ringkernel.cuda.host.server;

import java.nio.ByteBuffer;

import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The application reaches memory that it has allocated, and nothing beside it.
 */
class HostedMemoryTests {

	private final byte[] content = { 1, 2, 3, 4, 5 };

	private final DeviceMemory memory = new DeviceMemory() {

		@Override
		public long address() {
			return 1;
		}

		@Override
		public long bytes() {
			return HostedMemoryTests.this.content.length;
		}

		@Override
		public void upload(long offset, ByteBuffer source) {
			source.get(HostedMemoryTests.this.content, (int) offset, source.remaining());
		}

		@Override
		public void download(long offset, ByteBuffer target) {
			target.put(HostedMemoryTests.this.content, (int) offset, target.remaining());
		}

		@Override
		public boolean isLost() {
			return false;
		}

		@Override
		public void close() {
		}

	};

	@Test
	void aPartIsReplacedAndRead() throws Exception {
		HostedMemory.upload(this.memory, in(new FrameWriter().writeLong(3).writeBytes(new byte[] { 7, 8 })));
		assertThat(this.content).containsExactly(1, 2, 3, 7, 8);
		FrameWriter out = new FrameWriter();
		HostedMemory.download(this.memory, in(new FrameWriter().writeLong(2).writeInt(3)), out);
		assertThat(in(out).readBytes()).containsExactly(3, 7, 8);
	}

	@ParameterizedTest
	@CsvSource({ "-1, 1", "0, 6", "5, 1", "9223372036854775807, 5", "0, -1", "-9223372036854775808, 1" })
	void whatIsNoPartIsRefused(long offset, int length) {
		assertThatExceptionOfType(MalformedFrameException.class).isThrownBy(() -> HostedMemory.download(this.memory,
				in(new FrameWriter().writeLong(offset).writeInt(length)), new FrameWriter()));
	}

	@Test
	void whatDoesNotFitIsRefused() {
		assertThatExceptionOfType(MalformedFrameException.class).isThrownBy(
				() -> HostedMemory.upload(this.memory, in(new FrameWriter().writeLong(4).writeBytes(new byte[2]))));
		assertThat(this.content).containsExactly(1, 2, 3, 4, 5);
	}

	private static FrameReader in(FrameWriter out) {
		return new FrameReader(out.toBytes());
	}

}
