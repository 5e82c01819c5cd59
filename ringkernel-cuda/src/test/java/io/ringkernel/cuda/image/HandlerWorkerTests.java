package io.ringkernel.cuda.image;

import java.nio.charset.StandardCharsets;
import java.util.List;

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

	private static HandlerWorker worker(byte @Nullable [] code) {
		return new HandlerWorker(WORKER.getBytes(StandardCharsets.US_ASCII), code);
	}

}
