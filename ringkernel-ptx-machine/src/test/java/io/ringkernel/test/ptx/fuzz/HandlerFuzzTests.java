package io.ringkernel.test.ptx.fuzz;

import io.ringkernel.test.ptx.HandlerBench;
import org.junit.jupiter.api.Test;

/**
 * Handlers that nobody has written answer on the machine as in Java. The number of cases
 * is {@code ringkernel.fuzz.cases}.
 */
class HandlerFuzzTests {

	private static final int CASES = Integer.getInteger("ringkernel.fuzz.cases", 100_000);

	private static final int REQUESTS = 200;

	@Test
	void generatedHandlersAnswerAsTheirMethodsDo() throws Exception {
		new HandlerFuzz(HandlerBench::new, REQUESTS).run(CASES);
	}

}
