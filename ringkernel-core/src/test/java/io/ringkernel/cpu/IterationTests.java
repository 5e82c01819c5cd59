package io.ringkernel.cpu;

import io.ringkernel.backend.Processing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(10)
class IterationTests {

	@Test
	void continuousTakesOneAtATime() {
		Iteration iteration = new Iteration(Processing.CONTINUOUS, 64);
		assertThat(iteration.limit()).isEqualTo(1);
		iteration.took(1);
		assertThat(iteration.limit()).isEqualTo(1);
	}

	@Test
	void batchTakesAsManyAsItMay() {
		Iteration iteration = new Iteration(Processing.BATCH, 64);
		assertThat(iteration.limit()).isEqualTo(64);
		iteration.took(0);
		assertThat(iteration.limit()).isEqualTo(64);
	}

	@Test
	void adaptiveDoublesWhileIterationsAreFull() {
		Iteration iteration = new Iteration(Processing.ADAPTIVE, 48);
		for (int expected : new int[] { 1, 2, 4, 8, 16, 32, 48, 48 }) {
			assertThat(iteration.limit()).isEqualTo(expected);
			iteration.took(expected);
		}
	}

	@Test
	void adaptiveHalvesWhileIterationsAreNotFull() {
		Iteration iteration = new Iteration(Processing.ADAPTIVE, 8);
		for (int i = 0; i < 5; i++) {
			iteration.took(iteration.limit());
		}
		for (int expected : new int[] { 8, 4, 2, 1, 1 }) {
			assertThat(iteration.limit()).isEqualTo(expected);
			iteration.took(0);
		}
	}

}
