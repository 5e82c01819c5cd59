package io.ringkernel.cuda.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.TestKernels.Blob;
import io.ringkernel.conformance.TestKernels.BlobReply;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a launch tells of messages is what the compiler would know of them.
 */
class MessageShapeTests {

	private static final Path ABI = Path.of("../native/include/ringkernel/abi.cuh");

	private static final KernelInfo STATELESS = info(0, 4);

	@Test
	void theOffsetsAreThoseThatTheDeviceHalfAsserts() throws IOException {
		String abi = Files.readString(ABI);
		Map<String, Integer> members = new LinkedHashMap<>();
		members.put("requestFixedBytes", MessageShape.REQUEST_FIXED_OFFSET);
		members.put("requestMaxBytes", MessageShape.REQUEST_MAX_OFFSET);
		members.put("requestInlineBytes", MessageShape.REQUEST_INLINE_OFFSET);
		members.put("requestInlineChunks", MessageShape.REQUEST_CHUNKS_OFFSET);
		members.put("responseFixedBytes", MessageShape.RESPONSE_FIXED_OFFSET);
		members.put("responseMaxBytes", MessageShape.RESPONSE_MAX_OFFSET);
		members.put("responseInlineBytes", MessageShape.RESPONSE_INLINE_OFFSET);
		members.put("responseInlineChunks", MessageShape.RESPONSE_CHUNKS_OFFSET);
		members.put("responseSharedOffset", MessageShape.RESPONSE_SHARED_OFFSET);
		members.put("responseSharedUnits", MessageShape.RESPONSE_UNITS_OFFSET);
		members.put("sharedBytes", MessageShape.SHARED_OFFSET);
		members.put("responseStagingOffset", MessageShape.RESPONSE_STAGING_OFFSET);
		members.put("stagingBytes", MessageShape.STAGING_OFFSET);
		members.put("flags", MessageShape.FLAGS_OFFSET);
		members.forEach((member, offset) -> assertThat(abi)
			.contains("static_assert(offsetof(MessageShape, %s) == %d);".formatted(member, offset)));
		assertThat(abi).contains("static_assert(sizeof(MessageShape) == %d);".formatted(MessageShape.BYTES))
			.contains("STATEFUL = %d;".formatted(MessageShape.STATEFUL))
			.contains("COOPERATIVE = %d;".formatted(MessageShape.COOPERATIVE));
	}

	@Test
	void aMessageThatFitsItsSlotHasNoStaging() {
		MessageShape shape = MessageShape.of(kernel(Echo.class, Echo.class), STATELESS);
		ByteBuffer written = written(shape);
		assertThat(words(written, 0, 14)).containsExactly(64, 64, 64, 6, 64, 64, 64, 6, 80, 5, 160, 0, 0, 0);
		assertThat(shape.stagingBytes()).isZero();
		assertThat(shape.sharedBytes()).isEqualTo(160);
	}

	@Test
	void aLargeMessageIsInlineOnlyWhileItFits() {
		ByteBuffer written = written(MessageShape.of(kernel(Blob.class, BlobReply.class), STATELESS));
		assertThat(words(written, 0, 14)).containsExactly(24, 70032, 1140, 95, 32, 70032, 1140, 95, 1152, 72, 2304,
				70144, 140288, 0);
	}

	@Test
	void aResponseWhoseFixedBlockIsLargeIsBuiltInDeviceMemory() {
		ByteBuffer written = written(MessageShape.of(kernel(Echo.class, Wide.class), STATELESS));
		assertThat(written.getInt(MessageShape.RESPONSE_UNITS_OFFSET)).isZero();
	}

	@Test
	void whatAHandlerIsLentLiesBehindTheLargestResponse() {
		KernelInfo lent = info(400, 0, 4);
		assertThat(MessageShape.of(kernel(Echo.class, Echo.class), lent).stagingBytes()).isEqualTo(128 + 512);
		assertThat(MessageShape.of(kernel(Blob.class, BlobReply.class), lent).stagingBytes()).isEqualTo(140288 + 512);
	}

	@Test
	void stateAndMeetingsAreTold() {
		KernelSpec<?, ?> echo = kernel(Echo.class, Echo.class);
		assertThat(written(MessageShape.of(echo, info(128, 4))).getInt(MessageShape.FLAGS_OFFSET)).isEqualTo(1);
		assertThat(written(MessageShape.of(echo, info(0, 6))).getInt(MessageShape.FLAGS_OFFSET)).isEqualTo(2);
	}

	private static KernelSpec<?, ?> kernel(Class<? extends Record> request, Class<? extends Record> response) {
		return spec(request, response);
	}

	private static <I extends Record, O extends Record> KernelSpec<I, O> spec(Class<I> request, Class<O> response) {
		return new KernelSpec<>("some", MessageLayout.of(request), MessageLayout.of(response), (in) -> {
			throw new AssertionError("never called");
		}, null, KernelOptions.DEFAULTS);
	}

	private static KernelInfo info(long userStateBytes, int flags) {
		return info(0, userStateBytes, flags);
	}

	private static KernelInfo info(int scratchBytes, long userStateBytes, int flags) {
		return new KernelInfo(3, 0, 0, 0, 0, 0, 0, 0, 0, scratchBytes, 0, userStateBytes, 512, flags);
	}

	private static ByteBuffer written(MessageShape shape) {
		ByteBuffer target = ByteBuffer.allocate(MessageShape.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		shape.write(target, 0);
		return target;
	}

	private static List<Integer> words(ByteBuffer from, int at, int count) {
		List<Integer> words = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			words.add(from.getInt(at + i * Integer.BYTES));
		}
		return words;
	}

	record Wide(@io.ringkernel.Length(150) long[] values) {
	}

}
