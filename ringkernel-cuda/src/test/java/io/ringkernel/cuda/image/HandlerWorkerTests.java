package io.ringkernel.cuda.image;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler is linked with machine code of its worker, and brings along the functions of
 * the worker that it calls.
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
			.visible .func  (.param .b32 func_retval0) ringkernel_lane(
				.param .b64 ringkernel_lane_param_0
			)
			{
				{
				ret;
				}
			}
			.visible .func ringkernel_sync(
				.param .b64 ringkernel_sync_param_0
			)
			{
				bar.sync 0;
			}
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
				call ringkernel_sync, (call);
			}
			""";

	private final HandlerWorker worker = worker(CODE);

	@Test
	void theHandlerHasFunctionsOfItsOwnForWhatItCalls() {
		List<byte[]> parts = this.worker.parts(HANDLER);
		assertThat(parts).hasSize(2);
		assertThat(parts.get(0)).isEqualTo(CODE);
		assertThat(new String(parts.get(1), StandardCharsets.US_ASCII)).isEqualTo("""
				.version 8.5
				.target sm_80
				.address_size 64
				.func ringkernel_sync(
					.param .b64 ringkernel_sync_param_0
				)
				{
					bar.sync 0;
				}
				.visible .func ringkernel_handle(.param .b64 call)
				{
					call ringkernel_sync, (call);
				}
				\0""");
	}

	@Test
	void aFunctionEndsWithItsBody() {
		String handler = HANDLER.replace("ringkernel_sync", "ringkernel_lane");
		assertThat(new String(this.worker.parts(handler).get(1), StandardCharsets.US_ASCII)).contains("""
				.func  (.param .b32 func_retval0) ringkernel_lane(
					.param .b64 ringkernel_lane_param_0
				)
				{
					{
					ret;
					}
				}
				.visible .func ringkernel_handle""");
	}

	@Test
	void withoutMachineCodeThereIsNothingToLink() {
		assertThat(worker(null).parts(HANDLER)).isEmpty();
	}

	@Test
	void theWorkerOfTheLibraryHasAllFunctionsThatAHandlerMayCall() {
		String all = "ringkernel_lane( ringkernel_lanes( ringkernel_worker_number( ringkernel_sync( ringkernel_any( ringkernel_exchange( "
				+ "ringkernel_fail( ringkernel_meet_all( ringkernel_state( ringkernel_state_bytes( ringkernel_resize(";
		HandlerWorker library = HandlerWorker.ofLibrary();
		String whole = library.whole(HANDLER);
		HandlerWorker worker = new HandlerWorker(whole.getBytes(StandardCharsets.US_ASCII), CODE);
		String handler = new String(worker.parts(HANDLER + all.replace("(", "")).get(1), StandardCharsets.US_ASCII);
		assertThat(all.split(" ")).allSatisfy(
				(function) -> assertThat(handler).containsPattern("(?m)^\\.func[^{;]*" + function.replace("(", "\\(")));
		assertThat(handler).containsOnlyOnce(".visible .func");
	}

	private static HandlerWorker worker(byte @Nullable [] code) {
		return new HandlerWorker(WORKER.getBytes(StandardCharsets.US_ASCII), code);
	}

}
