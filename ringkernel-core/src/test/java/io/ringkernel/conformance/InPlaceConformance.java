package io.ringkernel.conformance;

import java.nio.ReadOnlyBufferException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.ringkernel.Frame;
import io.ringkernel.InPlaceCalls;
import io.ringkernel.InPlaceRequest;
import io.ringkernel.conformance.TestKernels.Blob;
import io.ringkernel.conformance.TestKernels.BlobReply;
import io.ringkernel.conformance.TestKernels.Failing;
import io.ringkernel.conformance.TestKernels.Quotes;
import io.ringkernel.conformance.TestKernels.Tick;
import io.ringkernel.conformance.TestKernels.Ticks;
import io.ringkernel.conformance.TestKernels.VectorAddRequest;
import io.ringkernel.conformance.TestKernels.VectorAddResponse;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.MessageReleasedException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.runtime.Kernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Calls whose messages are written and read in the memory of the ring, of every size
 * class.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class InPlaceConformance {

	private static final MessageLayout<Blob> BLOB = MessageLayout.of(Blob.class);

	private static final MessageLayout<BlobReply> REPLY = MessageLayout.of(BlobReply.class);

	@RegisterExtension
	final ConformanceFixture fixture;

	InPlaceConformance(ConformanceFixture fixture) {
		this.fixture = fixture;
	}

	private Kernel<VectorAddRequest, VectorAddResponse> adding(int slots) {
		return this.fixture.activate(
				ConformanceFixture.withSlots(slots, this.fixture.kernels().vectorAdd(ConformanceFixture.OPTIONS)));
	}

	private static void write(InPlaceRequest request, int size, int seed) {
		Frame a = request.array("a", size);
		Frame b = request.array("b", size);
		for (int i = 0; i < size; i++) {
			a.putFloat(i, 0, i);
			b.putFloat(i, 0, 2 * i + seed);
		}
	}

	private static void requireSum(Frame sum, int size, int seed) {
		assertThat(sum.size()).isEqualTo(size);
		for (int i = 0; i < size; i++) {
			assertThat(sum.getFloat(i, 0)).isEqualTo(3 * i + seed);
		}
	}

	private static void requireCall(InPlaceCalls calls, int size, int seed) {
		AtomicLong read = new AtomicLong();
		calls.call((request) -> write(request, size, seed), (response) -> {
			requireSum(response.array("sum"), size, seed);
			read.incrementAndGet();
		});
		assertThat(read).hasValue(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 3, 4, 5, 139, 140, 141, 281, 282, 283, 284, 285, 4095, 4096 })
	void arraysOfEachSizeAreAddedInPlace(int size) {
		Kernel<VectorAddRequest, VectorAddResponse> kernel = adding(4);
		requireCall(kernel.client().openInPlace(), size, 1);
		assertThat(kernel.status().inFlight()).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 1107, 1108, 1109, 65_535, 65_536, TestKernels.BLOB_CAPACITY })
	void fieldsAndBytesArriveAroundEveryBorder(int length) {
		Kernel<Blob, BlobReply> kernel = this.fixture
			.activate(ConformanceFixture.withSlots(4, this.fixture.kernels().blob(ConformanceFixture.OPTIONS)));
		byte[] bytes = new byte[length];
		for (int i = 0; i < length; i++) {
			bytes[i] = (byte) (i * 31);
		}
		kernel.client().openInPlace().call((request) -> {
			request.fields().putLong(0, BLOB.offset("sequence", long.class), 42);
			Frame target = request.array("bytes", length);
			for (int i = 0; i < length; i++) {
				target.putByte(i, 0, bytes[i]);
			}
		}, (response) -> {
			assertThat(response.fields().getLong(0, REPLY.offset("producer", long.class))).isZero();
			assertThat(response.fields().getLong(0, REPLY.offset("sequence", long.class))).isEqualTo(42);
			assertThat(response.fields().getLong(0, REPLY.offset("checksum", long.class)))
				.isEqualTo(Blob.checksum(bytes));
			byte[] received = new byte[response.array("bytes").size()];
			for (int i = 0; i < received.length; i++) {
				received[i] = response.array("bytes").getByte(i, 0);
			}
			assertThat(received).isEqualTo(bytes);
		});
	}

	@Test
	void elementsThatAreRecordsAreReachedByTheirOffsets() {
		Kernel<Ticks, Quotes> kernel = this.fixture
			.activate(ConformanceFixture.withSlots(4, this.fixture.kernels().quoting(ConformanceFixture.OPTIONS)));
		int sequence = MessageLayout.of(Tick.class).offset("sequence", long.class);
		int answered = MessageLayout.of(TestKernels.Quote.class).offset("sequence", long.class);
		kernel.client().openInPlace().call((request) -> {
			Frame ticks = request.array("ticks", 2);
			for (int i = 0; i < 2; i++) {
				for (int at = 0; at < MessageLayout.of(Tick.class).fixedSize(); at++) {
					ticks.putByte(i, at, (byte) 0);
				}
				ticks.putLong(i, sequence, 10 + i);
			}
		}, (response) -> {
			Frame quotes = response.array("quotes");
			assertThat(quotes.size()).isEqualTo(2);
			assertThat(quotes.getLong(0, answered)).isEqualTo(10);
			assertThat(quotes.getLong(1, answered)).isEqualTo(11);
		});
	}

	@Test
	void aShorterRequestSeesNothingOfTheOneBefore() {
		InPlaceCalls calls = adding(2).client().openInPlace();
		for (int size = 4096; size > 0; size = size * 2 / 3) {
			requireCall(calls, size, size);
		}
		calls.call((request) -> {
		}, (response) -> assertThat(response.array("sum").size()).isZero());
	}

	@Test
	void inPlaceCallsAndCallsShareATinyRing() throws InterruptedException {
		Kernel<VectorAddRequest, VectorAddResponse> kernel = adding(4);
		int each = ConformanceFixture.many(2_000);
		Concurrently.run(6, ConformanceFixture.LIMIT, (thread) -> {
			InPlaceCalls calls = kernel.client().openInPlace();
			for (int i = 0; i < each; i++) {
				if (thread % 2 == 0) {
					requireCall(calls, i % 400, thread);
				}
				else {
					float[] a = { thread, i };
					assertThat(kernel.client().call(new VectorAddRequest(a, a)).sum()).containsExactly(2 * thread,
							2 * i);
				}
			}
		});
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void aWriterThatFailsSendsNothingAndDisturbsNobody() {
		Kernel<VectorAddRequest, VectorAddResponse> kernel = adding(2);
		InPlaceCalls calls = kernel.client().openInPlace();
		IllegalArgumentException failure = new IllegalArgumentException("of the writer");
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> calls.call((request) -> {
				write(request, 4096, 0);
				throw failure;
			}, (response) -> {
			})).isSameAs(failure);
			requireCall(calls, 300, i);
		}
		ConformanceFixture.await().untilAsserted(() -> assertThat(kernel.status().inFlight()).isZero());
	}

	@Test
	void aCallWithoutWriterOrReaderIsRefusedAtOnce() {
		Kernel<VectorAddRequest, VectorAddResponse> kernel = adding(2);
		InPlaceCalls calls = kernel.client().openInPlace();
		assertThatExceptionOfType(InvalidMessageException.class)
			.isThrownBy(() -> calls.call((request) -> write(request, 300, 0), null))
			.withMessageContaining("VectorAddResponse has no reader: pass one");
		assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> calls.call(null, (response) -> {
		})).withMessageContaining("VectorAddRequest has no writer: pass one");
		assertThat(kernel.status().inFlight()).isZero();
		assertThat(kernel.status().processed()).isZero();
		requireCall(calls, 300, 1);
	}

	@Test
	void aReaderThatFailsFreesItsSlot() {
		Kernel<VectorAddRequest, VectorAddResponse> kernel = adding(2);
		InPlaceCalls calls = kernel.client().openInPlace();
		IllegalArgumentException failure = new IllegalArgumentException("of the reader");
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> calls.call((request) -> write(request, 300, 0), (response) -> {
					throw failure;
				}))
				.isSameAs(failure);
			assertThat(kernel.status().inFlight()).isZero();
		}
		requireCall(calls, 300, 1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 4096 })
	void whatWasReleasedIsRefused(int size) {
		InPlaceCalls calls = adding(2).client().openInPlace();
		AtomicReference<InPlaceRequest> request = new AtomicReference<>();
		AtomicReference<Frame> sum = new AtomicReference<>();
		calls.call((message) -> {
			request.set(message);
			write(message, size, 0);
		}, (message) -> {
			assertThatExceptionOfType(MessageReleasedException.class).isThrownBy(() -> request.get().array("a", 1));
			sum.set(message.array("sum"));
		});
		assertThatExceptionOfType(MessageReleasedException.class).isThrownBy(() -> request.get().fields())
			.withMessageContaining("VectorAddRequest lies in a slot that is no longer this caller's");
		assertThatExceptionOfType(MessageReleasedException.class).isThrownBy(() -> sum.get().getFloat(0, 0));
		requireCall(calls, size, 2);
	}

	@Test
	void nothingOutsideAnArrayIsReached() {
		InPlaceCalls calls = adding(2).client().openInPlace();
		calls.call((request) -> {
			Frame a = request.array("a", 2);
			assertThat(a.capacity()).isEqualTo(4096);
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> a.putFloat(2, 0, 1));
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> a.putFloat(-1, 0, 1));
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> a.putFloat(1, 1, 1));
			assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> a.putLong(1, 0, 1));
			write(new Rest(request, a), 2, 5);
		}, (response) -> {
			requireSum(response.array("sum"), 2, 5);
			assertThatExceptionOfType(ReadOnlyBufferException.class)
				.isThrownBy(() -> response.array("sum").putFloat(0, 0, 1));
			assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> response.array("b"))
				.withMessageContaining("it has [sum]");
		});
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 4097 })
	void aSizeThatAnArrayCannotHaveIsRefused(int size) {
		InPlaceCalls calls = adding(2).client().openInPlace();
		assertThatExceptionOfType(InvalidMessageException.class)
			.isThrownBy(() -> calls.call((request) -> request.array("a", size), (response) -> {
			}))
			.withMessageContaining("capacity is 4096");
		requireCall(calls, 10, 0);
	}

	@Test
	void arraysAreBegunOnceAndInOrder() {
		InPlaceCalls calls = adding(2).client().openInPlace();
		assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> calls.call((request) -> {
			request.array("b", 1);
			request.array("a", 1);
		}, (response) -> {
		})).withMessageContaining("in the order of the components");
		requireCall(calls, 10, 0);
	}

	@Test
	void aHandlerThatFailsFailsItsCall() {
		Kernel<Failing, Failing> kernel = this.fixture
			.activate(this.fixture.kernels().failing(ConformanceFixture.OPTIONS));
		InPlaceCalls calls = kernel.client().openInPlace();
		int code = MessageLayout.of(Failing.class).offset("code", int.class);
		assertThatExceptionOfType(HandlerFailedException.class)
			.isThrownBy(() -> calls.call((request) -> request.fields().putInt(0, code, 7), (response) -> {
			}))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(this.fixture.kernels().reportedCode(7)));
		calls.call((request) -> {
		}, (response) -> assertThat(response.fields().getInt(0, code)).isZero());
	}

	@Test
	void aCallbackDoesNotCallThroughTheSameObject() {
		InPlaceCalls calls = adding(4).client().openInPlace();
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> calls.call((request) -> requireCall(calls, 1, 1), (response) -> {
			}))
			.withMessageContaining("under way");
		requireCall(calls, 10, 0);
	}

	/**
	 * A request whose first array was begun.
	 */
	private record Rest(InPlaceRequest request, Frame first) implements InPlaceRequest {

		@Override
		public Frame fields() {
			return this.request.fields();
		}

		@Override
		public Frame array(String component, int size) {
			return component.equals("a") ? this.first : this.request.array(component, size);
		}

	}

}
