package io.ringkernel.test.ptx;

import java.util.List;
import java.util.stream.Stream;

import io.ringkernel.compiler.CompiledHandler;
import io.ringkernel.compiler.corpus.Corpus;
import io.ringkernel.compiler.corpus.Sample;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each handler of the corpus answers on the machine as its Java method does, bit for bit,
 * with one warp and with several, and with messages in shared memory.
 */
class CorpusParityTests {

	static Stream<Arguments> samples() {
		// Handlers of their own: a handler is compiled once, with the state that it has
		// then.
		return Stream.of(32, 64, 256)
			.flatMap((threads) -> Corpus.all().stream().map((sample) -> Arguments.of(sample, threads)));
	}

	@ParameterizedTest(name = "{0} on {1} threads")
	@MethodSource("samples")
	void theMachineAnswersAsTheMethodDoes(Sample<?, ?> sample, int threads) throws InterruptedException {
		agree(sample, threads);
	}

	private static <I extends Record, O extends Record> void agree(Sample<I, O> sample, int threads)
			throws InterruptedException {
		CompiledHandler compiled = sample.compile();
		HandlerBench<I, O> bench = new HandlerBench<>(compiled, MessageLayout.of(sample.requestType()),
				MessageLayout.of(sample.responseType()));
		if (threads == 64) {
			bench.inShared();
		}
		List<I> requests = sample.requests();
		for (I request : requests.subList(0, Math.min(requests.size(), 120))) {
			Parity.check(sample.handler(), bench, request, threads);
		}
	}

}
