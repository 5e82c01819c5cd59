package io.ringkernel.test.ptx;

import java.util.Random;
import java.util.stream.IntStream;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.HandlerCompiler;
import io.ringkernel.compiler.corpus.HalfReference;
import io.ringkernel.compiler.corpus.Halves;
import io.ringkernel.compiler.corpus.Halves.Bits;
import io.ringkernel.compiler.corpus.Halves.Numbers;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code Float.float16ToFloat} and {@code Float.floatToFloat16} give on the machine what
 * Java defines, to the bit.
 */
class HalfConversionTests {

	private static final int AT_ONCE = 4096;

	private static final MessageLayout<Bits> BITS = MessageLayout.of(Bits.class);

	private static final MessageLayout<Numbers> NUMBERS = MessageLayout.of(Numbers.class);

	@Test
	void eachHalfBecomesItsNumber() throws InterruptedException {
		try (HandlerBench<Bits, Numbers> bench = bench(Halves.decoding(), BITS, NUMBERS)) {
			for (int first = 0; first < 1 << Short.SIZE; first += AT_ONCE) {
				short[] halves = new short[AT_ONCE];
				for (int i = 0; i < AT_ONCE; i++) {
					halves[i] = (short) (first + i);
				}
				float[] decoded = ((Numbers) answer(bench, new Bits(halves))).values();
				for (int i = 0; i < AT_ONCE; i++) {
					assertThat(Float.floatToRawIntBits(decoded[i])).as("%04x", halves[i])
						.isEqualTo(Float.floatToRawIntBits(HalfReference.float16ToFloat(halves[i])));
				}
			}
		}
	}

	@Test
	void aNumberBecomesTheHalfThatIsNearest() throws InterruptedException {
		int[] numbers = IntStream.concat(aroundMiddles(), new Random(2).ints(30_000)).toArray();
		try (HandlerBench<Numbers, Bits> bench = bench(Halves.encoding(), NUMBERS, BITS)) {
			for (int first = 0; first < numbers.length; first += AT_ONCE) {
				float[] some = new float[Math.min(AT_ONCE, numbers.length - first)];
				for (int i = 0; i < some.length; i++) {
					some[i] = Float.intBitsToFloat(numbers[first + i]);
				}
				short[] encoded = ((Bits) answer(bench, new Numbers(some))).halves();
				for (int i = 0; i < some.length; i++) {
					assertThat(encoded[i]).as("%08x", numbers[first + i])
						.isEqualTo(HalfReference.floatToFloat16(some[i]));
				}
			}
		}
	}

	/** Between each half and the next: of both signs in turn. */
	private static IntStream aroundMiddles() {
		return IntStream.range(0, HalfReference.INFINITY).flatMap((half) -> {
			float lower = HalfReference.float16ToFloat((short) half);
			float upper = (half + 1 < HalfReference.INFINITY) ? HalfReference.float16ToFloat((short) (half + 1))
					: 0x1p16f;
			int middle = Float.floatToIntBits((lower + upper) / 2);
			return IntStream.rangeClosed(middle - 1, middle + 1).map((bits) -> bits | half << (Integer.SIZE - 1));
		});
	}

	private static <I extends Record, O extends Record> HandlerBench<I, O> bench(RingKernelHandler<I, O> handler,
			MessageLayout<I> requests, MessageLayout<O> responses) {
		return new HandlerBench<>(HandlerCompiler.compile(handler, requests, responses), requests, responses);
	}

	private static <I extends Record, O extends Record> Record answer(HandlerBench<I, O> bench, I request)
			throws InterruptedException {
		Record response = bench.handle(request, 128).response();
		assertThat(response).isNotNull();
		return response;
	}

}
