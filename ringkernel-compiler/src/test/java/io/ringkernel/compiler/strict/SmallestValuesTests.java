package io.ringkernel.compiler.strict;

import java.util.Random;
import java.util.function.IntToLongFunction;

import io.ringkernel.Parallel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A device finds the values that the CPU finds.
 */
class SmallestValuesTests {

	private static final int[] COUNTS = { -1, 0, 1, 9, 255, 256, 257, 1024, 1025, 5000 };

	private static final int[] SOUGHT = { 0, 1, 3, 10, 256, 300, 1100 };

	@Test
	void valuesThatDiffer() {
		agree((i) -> new Random(i).nextLong());
	}

	@Test
	void valuesThatAscendAndDescend() {
		agree((i) -> i);
		agree((i) -> -i);
	}

	@Test
	void valuesThatOccurTwice() {
		agree((i) -> i / 2);
		agree((i) -> i % 7);
		agree((i) -> new Random(i).nextInt(400));
	}

	@Test
	void valuesAtTheEnds() {
		agree((i) -> (i % 3 == 0) ? Long.MIN_VALUE : Long.MAX_VALUE);
		agree((i) -> Long.MAX_VALUE);
	}

	private static void agree(IntToLongFunction value) {
		for (int n : COUNTS) {
			for (int sought : SOUGHT) {
				long[] ofDevice = new long[sought];
				long[] ofCpu = new long[sought];
				SmallestValues.smallest(n, value, ofDevice);
				Parallel.smallest(n, value, ofCpu);
				assertThat(ofDevice).as("%d of %d", sought, n).containsExactly(ofCpu);
			}
		}
	}

}
