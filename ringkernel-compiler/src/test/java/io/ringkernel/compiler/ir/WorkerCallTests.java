package io.ringkernel.compiler.ir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler finds what it needs of its worker where that has put it.
 */
class WorkerCallTests {

	private static final Path HEADERS = Path.of("../native/include/ringkernel");

	@Test
	void theOffsetsAreThoseThatTheDeviceHalfAsserts() throws IOException {
		String device = Files.readString(HEADERS.resolve("call.cuh")) + Files.readString(HEADERS.resolve("linked.cuh"));
		Map<String, Integer> members = Map.of("Call, exchange", WorkerCall.EXCHANGE, "Call, launch", WorkerCall.LAUNCH,
				"Call, failure", WorkerCall.FAILURE, "Call, distant", WorkerCall.DISTANT, "Call, barrier",
				WorkerCall.BARRIER, "Failure, failed", WorkerCall.FAILURE_FAILED, "Failure, code",
				WorkerCall.FAILURE_CODE, "Launch, user", WorkerCall.LAUNCH_USER);
		members.forEach((member, offset) -> assertThat(device)
			.contains("static_assert(offsetof(%s) == %d);".formatted(member, offset)));
	}

}
