package io.ringkernel.test.ptx.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.CompiledHandler;
import io.ringkernel.compiler.HandlerCompiler;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.test.ptx.HandlerCalls;
import io.ringkernel.test.ptx.Parity;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Has handlers that nobody has written answer in Java and elsewhere. One that does not
 * agree is shown with as few statements as do not. The seed of a run is
 * {@code ringkernel.fuzz.seed}.
 */
final class HandlerFuzz {

	private static final long SEED = Long.getLong("ringkernel.fuzz.seed", 20_261_122L);

	/** Handlers that javac compiles at once. */
	private static final int BATCH = 100;

	/** Why a handler is refused that is generated for that. */
	private static final String KNOWN_TO_CHANGE = "is given another text, function, exception or object in a loop";

	private static final MessageLayout<Input> REQUEST = MessageLayout.of(Input.class);

	private static final MessageLayout<Output> RESPONSE = MessageLayout.of(Output.class);

	private final Place place;

	private final int requests;

	private int handlers;

	private final List<String> refusals = new ArrayList<>();

	/**
	 * @param place where handlers are called
	 * @param requests how many each of them answers
	 */
	HandlerFuzz(Place place, int requests) {
		this.place = place;
		this.requests = requests;
	}

	/**
	 * Where compiled handlers are called.
	 */
	@FunctionalInterface
	interface Place {

		HandlerCalls<Input, Output> calls(CompiledHandler handler, MessageLayout<Input> requests,
				MessageLayout<Output> responses) throws InterruptedException;

	}

	/**
	 * Generates handlers, and compares their answers with those of their methods.
	 * @param cases how many requests all of them answer together
	 */
	void run(int cases) throws Exception {
		for (int first = 0; first < cases / this.requests; first += BATCH) {
			Map<String, List<String>> batch = new LinkedHashMap<>();
			for (int i = first; i < Math.min(first + BATCH, cases / this.requests); i++) {
				batch.put("Generated" + i, new HandlerGenerator(SEED + i).statements());
			}
			run(batch);
		}
		assertThat(this.refusals).as("few of %d handlers are refused", this.handlers)
			.hasSizeLessThanOrEqualTo(1 + this.handlers / 100);
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
	private String difference(RingKernelHandler<Input, Output> handler) throws InterruptedException {
		try (HandlerCalls<Input, Output> calls = this.place.calls(HandlerCompiler.compile(handler, REQUEST, RESPONSE),
				REQUEST, RESPONSE)) {
			InputGenerator inputs = new InputGenerator(SEED);
			Random random = new Random(SEED);
			for (int i = 0; i < this.requests; i++) {
				Parity.check(handler, calls, inputs.next(), (random.nextInt(8) == 0) ? 64 : 32);
			}
			return null;
		}
		catch (HandlerRefusedException ex) {
			String refusal = String.valueOf(ex.getMessage());
			if (!refusal.contains(KNOWN_TO_CHANGE)) {
				this.refusals.add(refusal);
			}
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
