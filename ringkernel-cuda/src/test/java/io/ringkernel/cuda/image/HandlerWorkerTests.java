package io.ringkernel.cuda.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler is linked with machine code of its worker, or completed by its text.
 */
class HandlerWorkerTests {

	private static final byte[] CODE = { 1, 2, 3 };

	private static final String WORKER = """
			.version 8.4
			.target sm_75
			.address_size 64
			.visible .func ringkernel_handle
			(
				.param .b64 ringkernel_handle_param_0
			)
			;
			.visible .entry ringkernel_worker(
			)
			{
				call ringkernel_handle, (%rd1);
			}
			""";

	private static final String HANDLER = """
			.version 8.5
			.target sm_80
			.address_size 64
			.visible .func ringkernel_handle(.param .b64 call)
			{
				ret;
			}
			""";

	private final HandlerWorker worker = worker(CODE);

	@Test
	void theDriverLinksMachineCodeWithTheTextOfTheHandler() {
		List<byte[]> parts = this.worker.parts(HANDLER);
		assertThat(parts).hasSize(2);
		assertThat(parts.get(0)).isEqualTo(CODE);
		assertThat(new String(parts.get(1), StandardCharsets.US_ASCII)).isEqualTo(HANDLER + "\0");
	}

	@Test
	void theTextOfBothHasOneBeginning() {
		assertThat(this.worker.whole(HANDLER)).startsWith(".version 8.5\n.target sm_80\n.address_size 64\n")
			.containsOnlyOnce(".version")
			.containsOnlyOnce(".visible .entry ringkernel_worker(")
			.endsWith("ret;\n}\n");
	}

	@Test
	void withoutMachineCodeThereIsNothingToLink() {
		assertThat(worker(null).parts(HANDLER)).isEmpty();
	}

	@Test
	void messagesOfOneRowHaveAWorkerOfTheirOwn() {
		HandlerWorker small = HandlerWorker.of(described(372, 64, 0));
		HandlerWorker large = HandlerWorker.of(described(64, 373, 0));
		assertThat(small).isNotSameAs(large).isSameAs(HandlerWorker.of(described(8, 8, 0)));
		assertThat(HandlerWorker.of(described(373, 64, 0))).isSameAs(large);
		assertThat(HandlerWorker.of(HANDLER)).isSameAs(large);
	}

	@Test
	void workersThatWaitForEachOtherAreTheLargeOnes() {
		int cooperative = 2;
		assertThat(HandlerWorker.of(described(8, 8, cooperative))).isSameAs(HandlerWorker.of(HANDLER));
	}

	@Test
	void handlersThatCallWorkersHaveOneThatLooksForCalls() {
		int assisted = 8;
		HandlerWorker worker = HandlerWorker.of(described(8, 8, assisted));
		assertThat(worker).isNotSameAs(HandlerWorker.of(HANDLER))
			.isNotSameAs(HandlerWorker.of(described(8, 8, 0)))
			.isSameAs(HandlerWorker.of(described(4096, 8, assisted)));
	}

	private static String described(int requestMaxBytes, int responseMaxBytes, int flags) {
		ByteBuffer info = ByteBuffer.allocate(KernelInfo.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		info.put(0, "RKKERNEL".getBytes(StandardCharsets.US_ASCII))
			.putInt(12, KernelInfo.BYTES)
			.putInt(36, requestMaxBytes)
			.putInt(44, responseMaxBytes)
			.putInt(76, flags);
		return HANDLER + ".visible .global .align 8 .b8 ringkernel_handler_info[80] = {%s};\n"
			.formatted(IntStream.range(0, KernelInfo.BYTES)
				.mapToObj((i) -> Integer.toString(Byte.toUnsignedInt(info.get(i))))
				.collect(Collectors.joining(", ")));
	}

	private static HandlerWorker worker(byte @Nullable [] code) {
		return new HandlerWorker(WORKER.getBytes(StandardCharsets.US_ASCII), code);
	}

}
