package io.ringkernel.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.TestKernels.Blob;
import io.ringkernel.conformance.TestKernels.BlobReply;
import io.ringkernel.conformance.TestKernels.Counted;
import io.ringkernel.conformance.TestKernels.Counter;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.conformance.TestKernels.Failing;
import io.ringkernel.conformance.TestKernels.VectorAddRequest;
import io.ringkernel.conformance.TestKernels.VectorAddResponse;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.runtime.Kernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Messages of every size arrive whole, and what fails, fails alone.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class MessageConformance {

	@RegisterExtension
	final ConformanceFixture fixture;

	MessageConformance(ConformanceFixture fixture) {
		this.fixture = fixture;
	}

	private RingKernelClient<Blob, BlobReply> blobs(int slots) {
		return this.fixture
			.activate(ConformanceFixture.withSlots(slots, this.fixture.kernels().blob(ConformanceFixture.OPTIONS)))
			.client();
	}

	private static Blob blob(long producer, long sequence, int size) {
		byte[] bytes = new byte[size];
		new SplittableRandom(producer << 32 | sequence).nextBytes(bytes);
		return new Blob(producer, sequence, bytes);
	}

	private static void verify(BlobReply reply, Blob request) {
		assertThat(reply.producer()).isEqualTo(request.producer());
		assertThat(reply.sequence()).isEqualTo(request.sequence());
		assertThat(reply.checksum()).isEqualTo(Blob.checksum(request.bytes()));
		assertThat(reply.bytes()).isEqualTo(request.bytes());
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 10, 25, 100, 1000, TestKernels.VECTOR_CAPACITY })
	void vectorsAreAdded(int length) {
		RingKernelClient<VectorAddRequest, VectorAddResponse> client = this.fixture
			.activate(this.fixture.kernels().vectorAdd(ConformanceFixture.OPTIONS))
			.client();
		SplittableRandom random = new SplittableRandom(length);
		for (int round = 0; round < 20; round++) {
			float[] a = new float[length];
			float[] b = new float[length];
			float[] sum = new float[length];
			for (int i = 0; i < length; i++) {
				a[i] = (float) random.nextDouble(-1e6, 1e6);
				b[i] = (float) random.nextDouble(-1e6, 1e6);
				sum[i] = a[i] + b[i];
			}
			assertThat(client.call(new VectorAddRequest(a, b)).sum()).containsExactly(sum);
		}
	}

	@Test
	void aVectorBeyondItsCapacityIsRefusedBeforeItIsSent() {
		Kernel<VectorAddRequest, VectorAddResponse> kernel = this.fixture
			.activate(this.fixture.kernels().vectorAdd(ConformanceFixture.OPTIONS));
		float[] tooLong = new float[TestKernels.VECTOR_CAPACITY + 1];
		assertThatExceptionOfType(InvalidMessageException.class)
			.isThrownBy(() -> kernel.client().call(new VectorAddRequest(tooLong, tooLong)))
			.withMessageContaining("4097")
			.withMessageContaining("4096");
		assertThat(kernel.status().inFlight()).isZero();
	}

	/**
	 * The data behind the header of one row of a slot, of two and of three, which is the
	 * most inside a slot; then what a warp and what a worker of 512 threads move at once.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 31 * RingLayout.CHUNK_DATA_BYTES, 63 * RingLayout.CHUNK_DATA_BYTES,
			RingLayout.MAX_INLINE_BYTES, 4096, 65_536 })
	void everySizeAroundAStepOfTheProtocolArrivesWhole(int step) {
		RingKernelClient<Blob, BlobReply> client = blobs(4);
		int atLimit = step - 32;
		for (int lap = 0; lap < 20; lap++) {
			for (int size = atLimit - 1; size <= atLimit + 1; size++) {
				Blob request = blob(lap, size, size);
				verify(client.call(request), request);
			}
		}
	}

	@Test
	void blobsOfRandomSizesArriveWhole() {
		RingKernelClient<Blob, BlobReply> client = blobs(4);
		SplittableRandom random = new SplittableRandom(11);
		for (int i = 0; i < ConformanceFixture.many(3_000); i++) {
			int size = switch (random.nextInt(4)) {
				case 0 -> random.nextInt(64);
				case 1 -> random.nextInt(300, 1_300);
				case 2 -> random.nextInt(8_192);
				default -> (i % 8 == 0) ? random.nextInt(TestKernels.BLOB_CAPACITY + 1) : random.nextInt(2_048);
			};
			Blob request = blob(1, i, size);
			verify(client.call(request), request);
		}
	}

	@Test
	void elementsThatAHandlerDoesNotWriteAreZero() {
		KernelOptions oneWorker = ConformanceFixture.OPTIONS.toBuilder().workers(1).build();
		RingKernelClient<Blob, BlobReply> client = this.fixture
			.activate(ConformanceFixture.withSlots(4, this.fixture.kernels().sparse(oneWorker)))
			.client();
		for (int size : new int[] { 340, 60, 341, 1108, 725, 1109, TestKernels.BLOB_CAPACITY, 12_345 }) {
			for (int sequence = 0; sequence < 2; sequence++) {
				byte[] secret = new byte[size];
				byte[] expected = new byte[size];
				for (int i = 0; i < size; i++) {
					secret[i] = -1;
					expected[i] = (byte) ((i % 2 == sequence) ? -1 : 0);
				}
				assertThat(client.call(new Blob(1, sequence, secret)).bytes()).isEqualTo(expected);
			}
		}
	}

	@Test
	void aRequestSeesTheStateThatAnAnsweredOneHasLeft() {
		RingKernelClient<Counter, Counted> client = this.fixture
			.activate(this.fixture.kernels().ledger(ConformanceFixture.OPTIONS))
			.client();
		for (int i = 0; i < ConformanceFixture.many(2_000); i++) {
			assertThat(client.call(new Counter(1, i)).order()).isEqualTo(i);
		}
	}

	@Test
	void theLargestBlobArrivesWhole() {
		RingKernelClient<Blob, BlobReply> client = blobs(2);
		for (int i = 0; i < 20; i++) {
			Blob request = blob(2, i, TestKernels.BLOB_CAPACITY);
			verify(client.call(request), request);
		}
	}

	/**
	 * A caller makes the arrays of a response while it waits, as large as the last ones
	 * were.
	 */
	@Test
	void largeResponsesAreWholeAndKeptApartHoweverTheirLengthsFollow() throws InterruptedException {
		RingKernelClient<Blob, BlobReply> client = blobs(4);
		int[] sizes = { 20_000, 20_000, 20_000, 20_000, 20_001, 20_001, 20_001, 5, 20_001, 20_001, 20_001, 4_095, 4_096,
				4_096, 4_096, TestKernels.BLOB_CAPACITY, 0, 20_000, 20_000, 20_000 };
		Concurrently.run(2, ConformanceFixture.LIMIT, (producer) -> {
			List<BlobReply> replies = new ArrayList<>();
			for (int i = 0; i < sizes.length; i++) {
				replies.add(client.call(blob(producer, i, sizes[i])));
			}
			for (int i = 0; i < sizes.length; i++) {
				verify(replies.get(i), blob(producer, i, sizes[i]));
			}
		});
	}

	@Test
	void blobsOfManyProducersKeepApart() throws InterruptedException {
		RingKernelClient<Blob, BlobReply> client = blobs(8);
		Concurrently.run(8, ConformanceFixture.LIMIT, (producer) -> {
			SplittableRandom random = new SplittableRandom(producer);
			for (int i = 0; i < ConformanceFixture.many(400); i++) {
				Blob request = blob(producer, i, random.nextInt(random.nextBoolean() ? 500 : 20_000));
				verify(client.call(request), request);
			}
		});
	}

	@Test
	void aHandlerThatFailsFailsItsRequestAlone() {
		Kernel<Failing, Failing> kernel = this.fixture
			.activate(ConformanceFixture.withSlots(4, this.fixture.kernels().failing(ConformanceFixture.OPTIONS)));
		int failures = 0;
		for (int i = 0; i < 1_000; i++) {
			Failing request = new Failing(i, (i % 3 == 0) ? 1 + i : 0);
			if (request.code() == 0) {
				assertThat(kernel.client().call(request)).isEqualTo(request);
				continue;
			}
			failures++;
			assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> kernel.client().call(request))
				.withMessageContaining("failing")
				.extracting(HandlerFailedException::code)
				.isEqualTo(this.fixture.kernels().reportedCode(request.code()));
		}
		ConformanceFixture.await().untilAsserted(() -> assertThat(kernel.status().processed()).isEqualTo(1_000));
		assertThat(kernel.status().failed()).isEqualTo(failures);
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void aFutureFailsWithTheFailureOfItsOwnRequest() {
		RingKernelClient<Failing, Failing> client = this.fixture
			.activate(this.fixture.kernels().failing(ConformanceFixture.OPTIONS))
			.client();
		List<CompletableFuture<Failing>> replies = new ArrayList<>();
		for (int i = 0; i < 1_000; i++) {
			replies.add(client.submit(new Failing(i, i % 2)));
		}
		for (int i = 0; i < replies.size(); i++) {
			CompletableFuture<Failing> reply = replies.get(i);
			if (i % 2 == 0) {
				assertThat(reply).succeedsWithin(ConformanceFixture.LIMIT).isEqualTo(new Failing(i, 0));
			}
			else {
				assertThat(reply).failsWithin(ConformanceFixture.LIMIT)
					.withThrowableThat()
					.withCauseInstanceOf(HandlerFailedException.class);
			}
		}
	}

	@Test
	void aBatchKeepsItsOrderAndMayBeLongerThanTheRing() {
		RingKernelClient<Echo, Echo> client = this.fixture
			.activate(ConformanceFixture.withSlots(8, this.fixture.kernels().echo(ConformanceFixture.OPTIONS)))
			.client();
		List<Echo> requests = new ArrayList<>();
		for (int i = 0; i < ConformanceFixture.many(5_000); i++) {
			requests.add(Echo.of(3, i));
		}
		assertThat(client.callAll(requests)).isEqualTo(requests);
		assertThat(client.callAll(List.of())).isEmpty();
	}

	@Test
	void aBatchFailsWithItsFirstFailure() {
		Kernel<Failing, Failing> kernel = this.fixture
			.activate(ConformanceFixture.withSlots(4, this.fixture.kernels().failing(ConformanceFixture.OPTIONS)));
		List<Failing> requests = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			requests.add(new Failing(i, (i == 50) ? 7 : 0));
		}
		assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> kernel.client().callAll(requests));
		Failing next = new Failing(1, 0);
		assertThat(kernel.client().call(next)).isEqualTo(next);
	}

}
