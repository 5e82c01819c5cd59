package io.ringkernel.test.ptx.fuzz;

import io.ringkernel.cuda.RequiresGpu;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.test.ptx.DeviceCalls;
import org.junit.jupiter.api.Test;

/**
 * Handlers that nobody has written answer on a CUDA device as in Java. The number of
 * cases is {@code ringkernel.fuzz.device-cases}. The driver compiles each handler, which
 * takes longer than its requests, so they are more for each than on the machine.
 */
@RequiresGpu
class CudaHandlerFuzzTests {

	private static final int CASES = Integer.getInteger("ringkernel.fuzz.device-cases", 20_000);

	private static final int REQUESTS = 1_000;

	@Test
	void generatedHandlersAnswerAsTheirMethodsDo() throws Exception {
		CudaDriver driver = CudaDriver.bounded(CudaDriver.system());
		driver.initialize();
		CudaContext context = driver.open(0);
		CudaStream stream = context.createStream();
		new HandlerFuzz(
				(handler, requests, responses) -> new DeviceCalls<>(context, stream, handler, requests, responses),
				REQUESTS)
			.run(CASES);
		context.destroy(stream);
		System.out.printf("%d cases on the device: none differs, none hangs%n", CASES);
	}

}
