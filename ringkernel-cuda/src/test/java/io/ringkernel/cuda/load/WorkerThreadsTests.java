package io.ringkernel.cuda.load;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cuda.image.KernelInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerThreadsTests {

	private static final int H200 = 132;

	private static final int COOPERATIVE = 2;

	private static final int ASSISTED = 8;

	private static KernelInfo info(int requestBytes, int responseBytes, long stateBytes, int maxThreads, int flags) {
		return new KernelInfo(0, 0, 0, 0, requestBytes, 0, responseBytes, 0, 0, 0, 0, stateBytes, maxThreads, flags);
	}

	private static WorkerThreads chosen(KernelInfo info) {
		return WorkerThreads.choose(KernelOptions.DEFAULTS, info, 1024, H200, 0);
	}

	@ParameterizedTest
	@CsvSource({ "64, 64, 32", "2048, 16, 32", "2049, 16, 64", "8192, 16, 128", "16, 8193, 256", "65536, 65536, 1024",
			"16777216, 16, 1024" })
	void aWorkerFetchesTheLargestMessageInOneTrip(int requestBytes, int responseBytes, int threads) {
		assertThat(chosen(info(requestBytes, responseBytes, 0, 1024, 0)).perWorker()).isEqualTo(threads);
	}

	@ParameterizedTest
	@CsvSource({ "512, 1024, 132, 512", "1024, 512, 132, 512", "1024, 1024, 132, 1024", "1024, 1024, 66, 512",
			"1024, 1024, 20, 128", "1024, 1024, 1, 32" })
	void theImageTheFunctionAndAShareOfTheDeviceBoundThem(int ofImage, int ofFunction, int multiprocessors,
			int threads) {
		WorkerThreads chosen = WorkerThreads.choose(KernelOptions.DEFAULTS, info(1 << 20, 16, 0, ofImage, 0),
				ofFunction, multiprocessors, 0);
		assertThat(chosen.perWorker()).isEqualTo(threads);
	}

	/** Of a function that takes many registers, a multiprocessor holds fewer workers. */
	@ParameterizedTest
	@CsvSource({ "1024, 1024", "640, 512", "512, 512" })
	void kernelsThatAreLoadedOneAfterTheOtherAllFindPlace(int ofFunction, int ofTheFirst) {
		int taken = 0;
		for (int kernel = 0; kernel < 10; kernel++) {
			int threads = WorkerThreads
				.choose(KernelOptions.DEFAULTS, info(1 << 20, 16, 0, 1024, 0), ofFunction, H200, taken)
				.perWorker();
			if (kernel < 2) {
				assertThat(threads).isEqualTo(ofTheFirst);
			}
			int workersPerMultiprocessor = ofFunction / threads;
			taken += (32 + workersPerMultiprocessor - 1) / workersPerMultiprocessor;
			assertThat(taken).as("kernel " + kernel).isLessThanOrEqualTo(H200);
		}
	}

	@Test
	void aKernelThatGetsLessBesideOthersSaysSo() {
		WorkerThreads threads = WorkerThreads.choose(KernelOptions.DEFAULTS, info(1 << 20, 16, 8, 1024, 0), 1024, H200,
				80);
		assertThat(threads.perWorker()).isEqualTo(512);
		assertThat(threads.reason())
			.isEqualTo("for messages of up to 1048576 B, beside kernels on 80 of 132 multiprocessors");
	}

	@Test
	void aKernelOfFewWorkersMayGiveEachMoreOfTheDevice() {
		KernelOptions two = KernelOptions.builder().workers(2).build();
		assertThat(WorkerThreads.choose(two, info(1 << 20, 16, 0, 1024, 0), 1024, 16, 0).perWorker()).isEqualTo(1024);
	}

	@Test
	void aRequestInsideItsSlotIsHandledByOneWarp() {
		WorkerThreads threads = chosen(info(70_000, 16, 0, 1024, 0));
		assertThat(threads.allFrom()).isEqualTo(1141);
		assertThat(threads.reason())
			.isEqualTo("for messages of up to 70000 B; 32 of them for requests of up to 1140 B");
	}

	@Test
	void allThreadsHandleEveryRequestWhereItsSizeTellsNothingOfTheWork() {
		assertThat(chosen(info(16, 70_000, 0, 1024, 0)).allFrom()).as("small requests alone").isZero();
		assertThat(chosen(info(70_000, 16, 128, 1024, 0)).allFrom()).as("a handler with state").isZero();
		assertThat(chosen(info(70_000, 16, 0, 1024, COOPERATIVE)).allFrom()).as("workers that meet").isZero();
	}

	@Test
	void workersThatShareLoopsHaveAsManyAsThereMayBe() {
		WorkerThreads threads = chosen(info(16, 16, 2048, 512, ASSISTED));
		assertThat(threads.perWorker()).isEqualTo(512);
		assertThat(threads.allFrom()).isZero();
		assertThat(threads.reason()).isEqualTo("to share the loops of a request");
	}

	@Test
	void aStatedNumberIsTakenAsItIs() {
		KernelOptions options = KernelOptions.builder().threadsPerWorker(64).build();
		WorkerThreads threads = WorkerThreads.choose(options, info(70_000, 16, 0, 32, 0), 32, H200, 0);
		assertThat(threads.perWorker()).isEqualTo(64);
		assertThat(threads.allFrom()).isZero();
	}

}
