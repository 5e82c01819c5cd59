package io.ringkernel.test.ptx.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.ringkernel.HandlerRefusedException;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.CompiledHandler;
import io.ringkernel.compiler.HandlerCompiler;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.test.ptx.HandlerBench;
import io.ringkernel.test.ptx.Parity;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Handlers that nobody has written answer on the machine as in Java. The seed of a run is
 * {@code ringkernel.fuzz.seed}, the number of cases {@code ringkernel.fuzz.cases}. A
 * handler that does not agree is shown with as few statements as do not.
 */
class HandlerFuzzTests {

	private static final long SEED = Long.getLong("ringkernel.fuzz.seed", 20_261_122L);

	private static final int CASES = Integer.getInteger("ringkernel.fuzz.cases", 100_000);

	/** Requests for each handler. */
	private static final int REQUESTS = 100;

	/** Handlers that javac compiles at once. */
	private static final int BATCH = 100;

	private static final MessageLayout<Input> REQUEST = MessageLayout.of(Input.class);

	private static final MessageLayout<Output> RESPONSE = MessageLayout.of(Output.class);

	private int handlers;

	private final List<String> refusals = new ArrayList<>();

	@Test
	void generatedHandlersAnswerAsTheirMethodsDo() throws Exception {
		for (int first = 0; first < CASES / REQUESTS; first += BATCH) {
			Map<String, List<String>> batch = new LinkedHashMap<>();
			for (int i = first; i < Math.min(first + BATCH, CASES / REQUESTS); i++) {
				batch.put("Generated" + i, new HandlerGenerator(SEED + i).statements());
			}
			run(batch);
		}
		assertThat(this.refusals).as("few of %d handlers are refused", this.handlers)
			.hasSizeLessThanOrEqualTo(this.handlers / 100);
	}

	private void run(Map<String, List<String>> batch) throws Exception {
		Map<String, String> sources = new LinkedHashMap<>();
		batch.forEach((name, statements) -> sources.put(name, HandlerGenerator.source(name, statements)));
		SourceCompiler classes = new SourceCompiler(sources);
		for (Map.Entry<String, List<String>> generated : batch.entrySet()) {
			this.handlers++;
			String difference = difference(classes.handler(generated.getKey()));
			if (difference != null) {
				throw new AssertionError("Seed %d: %s".formatted(SEED, shrunk(generated.getValue(), difference)));
			}
		}
	}

	/** How the handler differs from its method; {@code null} if it does not. */
	private String difference(RingKernelHandler<Input, Output> handler) {
		try {
			CompiledHandler compiled = HandlerCompiler.compile(handler, REQUEST, RESPONSE);
			HandlerBench<Input, Output> bench = new HandlerBench<>(compiled, REQUEST, RESPONSE);
			InputGenerator inputs = new InputGenerator(SEED);
			Random random = new Random(SEED);
			for (int i = 0; i < REQUESTS; i++) {
				Parity.check(handler, bench, inputs.next(), (random.nextInt(8) == 0) ? 64 : 32);
			}
			return null;
		}
		catch (HandlerRefusedException ex) {
			this.refusals.add(String.valueOf(ex.getMessage()));
			return null;
		}
		catch (AssertionError | RuntimeException ex) {
			return ex.toString();
		}
	}

	/** Leaves out what the difference does not need. */
	private String shrunk(List<String> statements, String difference) throws Exception {
		List<String> fewest = new ArrayList<>(statements);
		String last = difference;
		for (int i = fewest.size() - 1; i >= 0; i--) {
			List<String> fewer = new ArrayList<>(fewest);
			fewer.remove(i);
			String other = difference(
					new SourceCompiler(Map.of("Shrunk", HandlerGenerator.source("Shrunk", fewer))).handler("Shrunk"));
			if (other != null) {
				fewest = fewer;
				last = other;
			}
		}
		return last + "\n" + HandlerGenerator.source("Shrunk", fewest);
	}

}
