package io.ringkernel.test.ptx;

import java.util.List;

import io.ringkernel.compiler.CompiledHandler;
import io.ringkernel.compiler.corpus.Corpus;
import io.ringkernel.compiler.corpus.Sample;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each handler of the corpus answers on the machine as its Java method does, bit for bit,
 * with one warp and with several, and with messages in shared memory.
 */
class CorpusParityTests {

	/**
	 * Handlers of their own: a handler is compiled once, with the state that it has then.
	 */
	static List<Sample<?, ?>> samples() {
		return Corpus.all();
	}

	@ParameterizedTest
	@MethodSource("samples")
	void theMachineAnswersAsTheMethodDoesOnOneWarp(Sample<?, ?> sample) throws InterruptedException {
		agree(sample, 32, false);
	}

	@ParameterizedTest
	@MethodSource("samples")
	void theMachineAnswersAsTheMethodDoesOnTwoWarpsInSharedMemory(Sample<?, ?> sample) throws InterruptedException {
		agree(sample, 64, true);
	}

	@ParameterizedTest
	@MethodSource("samples")
	@Tag("every-platform")
	void theMachineAnswersAsTheMethodDoesOnManyWarps(Sample<?, ?> sample) throws InterruptedException {
		agree(sample, 256, false);
	}

	private static <I extends Record, O extends Record> void agree(Sample<I, O> sample, int threads, boolean isShared)
			throws InterruptedException {
		CompiledHandler compiled = sample.compile();
		HandlerBench<I, O> bench = new HandlerBench<>(compiled, MessageLayout.of(sample.requestType()),
				MessageLayout.of(sample.responseType()));
		if (isShared) {
			bench.inShared();
		}
		List<I> requests = sample.requests();
		for (I request : requests.subList(0, Math.min(requests.size(), 120))) {
			Parity.check(sample.handler(), bench, request, threads);
		}
	}

}
