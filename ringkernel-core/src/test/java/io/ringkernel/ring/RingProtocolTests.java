package io.ringkernel.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.Capacity;
import io.ringkernel.TestShare;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The two halves of a ring over the same memory, with raw threads in the place of a
 * kernel.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RingProtocolTests {

	private static final Duration LIMIT = Duration.ofSeconds(40);

	private static final MessageLayout<Load> LOADS = MessageLayout.of(Load.class);

	/**
	 * More than a slot holds, so that loads go both ways: in their slot and behind it.
	 */
	private static final int MAX_BYTES = 2000;

	record Load(long id, @Capacity(MAX_BYTES) byte[] bytes) {

		static Load of(long id) {
			byte[] bytes = new byte[new SplittableRandom(id).nextInt(MAX_BYTES + 1)];
			new SplittableRandom(~id).nextBytes(bytes);
			return new Load(id, bytes);
		}

		void verify(long id) {
			if (this.id != id || !Arrays.equals(this.bytes, of(id).bytes)) {
				throw new AssertionError("Expected load " + id + ", got load " + this.id + " of " + this.bytes.length);
			}
		}

	}

	private static RingLayout layout(int slots) {
		return RingLayout.forSlots(0, slots, LOADS.maxSize(), LOADS.maxSize());
	}

	private static void publish(HostRing ring, long position, Load load) {
		Draft draft = ring.requests().encode(load, LOADS, null);
		ring.requests().publish(position, draft);
		draft.giveBack();
	}

	private static long deadline() {
		return System.nanoTime() + LIMIT.toNanos();
	}

	/**
	 * Answers what is withdrawn with a withdrawal, and everything else with itself, until
	 * told to end.
	 */
	private static Concurrently.Running device(DeviceRing ring, long startPosition, int workers, AtomicBoolean done) {
		AtomicLong cursor = new AtomicLong(startPosition);
		return Concurrently.start(workers, (worker) -> {
			SplittableRandom random = new SplittableRandom(worker);
			while (!done.get()) {
				long position = cursor.get();
				DeviceRing.RequestState state = ring.poll(position);
				if (state == DeviceRing.RequestState.ABSENT) {
					Thread.yield();
				}
				else if (cursor.compareAndSet(position, position + 1)) {
					switch (state) {
						case PRESENT -> {
							Load load = ring.request(position, worker, LOADS);
							if (random.nextInt(32) == 0) {
								LockSupport.parkNanos(50_000);
							}
							ring.answer(position, worker, load, LOADS);
						}
						case WITHDRAWN -> ring.answer(position, MessageKind.WITHDRAWN, 0);
						default -> {
						}
					}
				}
			}
		});
	}

	private static void call(HostRing ring, long id, boolean withdraws, boolean retracts) throws InterruptedException {
		long deadline = deadline();
		long position = ring.contendedClaims().claim(deadline, WaitStrategy.BACK_OFF);
		assertThat(position).isNotEqualTo(SlotClaims.NO_SLOT);
		Load load = Load.of(id);
		if (retracts) {
			ring.requests().retract(position);
		}
		else {
			publish(ring, position, load);
		}
		if (withdraws) {
			ring.requests().withdraw(position);
		}
		for (int round = 0; !ring.responses().isAnswered(position); round++) {
			WaitStrategy.YIELD.pause(round);
			if (System.nanoTime() - deadline > 0) {
				throw new AssertionError("Position " + position + " was never answered, head " + ring.claims().head());
			}
		}
		MessageKind kind = ring.responses().kind(position);
		if (kind == MessageKind.DATA) {
			assertThat(retracts).isFalse();
			ring.responses().read(position, LOADS, null, null).verify(id);
		}
		else {
			assertThat(withdraws || retracts).isTrue();
			assertThat(kind).isEqualTo(MessageKind.WITHDRAWN);
		}
		ring.claims().release(position);
	}

	private static void exchange(MessageBuffer host, MessageBuffer device, int slots, long startLap, int laps,
			int producers) throws InterruptedException {
		RingLayout layout = layout(slots);
		long startPosition = startLap * slots;
		int workers = 2;
		HostRing hostRing = new HostRing(host, layout, startPosition);
		DeviceRing deviceRing = new DeviceRing(device, layout, workers);
		AtomicBoolean done = new AtomicBoolean();
		Concurrently.Running running = device(deviceRing, startPosition, workers, done);
		try {
			long end = startPosition + (long) laps * slots;
			Concurrently.run(producers, LIMIT, (producer) -> {
				SplittableRandom random = new SplittableRandom(producer);
				for (long id = (long) producer << 32; hostRing.claims().head() < end; id++) {
					call(hostRing, id, random.nextInt(8) == 0, false);
				}
			});
			assertThat(hostRing.inFlight().count()).isZero();
		}
		finally {
			done.set(true);
		}
		running.join(LIMIT);
	}

	@ParameterizedTest
	@CsvSource({ "2, 0", "4, 0", "16, 0", "2, 1073741700", "4, 1073741700", "2, 2147483548", "4, 2147483548",
			"8, 2147483548", "2, 4294967196", "2, 3221225372" })
	void everyMessageCrossesUnharmedWhileTagsWrap(int slots, long startLap) throws InterruptedException {
		MessageBuffer memory = MessageBuffer.allocate(layout(slots).endOffset());
		exchange(memory, memory, slots, startLap, 1_000, 6);
	}

	@Test
	void noOlderLapIsTakenForNewWhenTagsHaveWrapped() throws InterruptedException {
		int slots = 2;
		RingLayout layout = layout(slots);
		MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
		long lapsOfOneWrap = 1L << 31;
		// The same memory a whole wrap later, without the laps between: only the halves
		// that each slot passes clear it.
		HostRing first = new HostRing(memory, layout, 0);
		DeviceRing device = new DeviceRing(memory, layout, 1);
		long position = first.claims().tryClaim();
		Load load = Load.of(1);
		publish(first, position, load);
		assertThat(device.poll(position)).isEqualTo(DeviceRing.RequestState.PRESENT);
		device.answer(position, 0, load, LOADS);
		assertThat(first.responses().isAnswered(position)).isTrue();
		HostRing second = new HostRing(memory, layout, (lapsOfOneWrap / 2 - 1) * slots);
		for (int i = 0; i < 3 * slots; i++) {
			long claimed = second.claims().tryClaim();
			assertThat(second.responses().isAnswered(claimed)).isFalse();
			publish(second, claimed, load);
			device.answer(claimed, 0, load, LOADS);
			second.claims().release(claimed);
		}
		assertThat(device.poll(lapsOfOneWrap * slots)).isNotEqualTo(DeviceRing.RequestState.PRESENT);
		assertThat(first.responses().isAnswered(lapsOfOneWrap * slots)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, (1L << 30) - 20, (1L << 31) - 20 })
	void retractedPositionsHoldNobodyUp(long startLap) throws InterruptedException {
		int slots = 4;
		RingLayout layout = layout(slots);
		MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
		HostRing hostRing = new HostRing(memory, layout, startLap * slots);
		DeviceRing deviceRing = new DeviceRing(memory, layout, 2);
		AtomicBoolean done = new AtomicBoolean();
		AtomicLong cursor = new AtomicLong(startLap * slots);
		Concurrently.Running device = Concurrently.start(2, (worker) -> {
			while (!done.get()) {
				long position = cursor.get();
				DeviceRing.RequestState state = deviceRing.poll(position);
				if (state == DeviceRing.RequestState.ABSENT) {
					Thread.yield();
				}
				else if (cursor.compareAndSet(position, position + 1) && state != DeviceRing.RequestState.SKIPPED) {
					try {
						Load load = deviceRing.request(position, worker, LOADS);
						deviceRing.answer(position, worker, load, LOADS);
					}
					catch (CorruptMessageException ex) {
						deviceRing.answer(position, MessageKind.WITHDRAWN, 0);
					}
				}
			}
		});
		try {
			Concurrently.run(8, LIMIT, (producer) -> {
				SplittableRandom random = new SplittableRandom(producer);
				for (int i = 0; i < TestShare.of(6_000); i++) {
					call(hostRing, (long) producer << 32 | i, false, random.nextInt(4) == 0);
				}
			});
			assertThat(hostRing.inFlight().count()).isZero();
		}
		finally {
			done.set(true);
		}
		device.join(LIMIT);
	}

	@Test
	void theHalvesOfARingMayMapOneFileEach(@TempDir Path directory) throws Exception {
		int slots = 4;
		Path file = directory.resolve("ring");
		RingMemory host = RingMemory.mapped(file, layout(slots).endOffset());
		MessageBuffer device = mapAgain(file);
		exchange(host.buffer(), device, slots, 0, 2_000, 4);
		host.close();
	}

	private static MessageBuffer mapAgain(Path file) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
			ByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
			return MessageBuffer.wrap(map);
		}
	}

	@Test
	void aRequestIsPresentOnceItIsPublished() {
		RingLayout layout = layout(2);
		MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
		HostRing host = new HostRing(memory, layout, 0);
		DeviceRing device = new DeviceRing(memory, layout, 1);
		assertThat(device.poll(0)).isEqualTo(DeviceRing.RequestState.ABSENT);
		long position = host.claims().tryClaim();
		assertThat(device.poll(position)).isEqualTo(DeviceRing.RequestState.ABSENT);
		Load load = Load.of(3);
		publish(host, position, load);
		assertThat(device.poll(position)).isEqualTo(DeviceRing.RequestState.PRESENT);
		device.request(position, 0, LOADS).verify(3);
		assertThat(host.responses().isAnswered(position)).isFalse();
		host.requests().withdraw(position);
		assertThat(device.poll(position)).isEqualTo(DeviceRing.RequestState.WITHDRAWN);
		device.answer(position, MessageKind.HANDLER_FAILED, 42);
		assertThat(host.responses().isAnswered(position)).isTrue();
		assertThat(host.responses().kind(position)).isEqualTo(MessageKind.HANDLER_FAILED);
		assertThat(host.responses().detail(position)).isEqualTo(42);
	}

	@Test
	void aResponseOfWhichAPartIsMissingIsNoneYet() {
		RingLayout layout = layout(4);
		MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
		HostRing host = new HostRing(memory, layout, 0);
		DeviceRing device = new DeviceRing(memory, layout, 1);
		long position = host.claims().tryClaim();
		Load load = new Load(1, new byte[100]);
		publish(host, position, load);
		assertThat(host.responses().isAnswering(position)).isFalse();
		device.answer(position, 0, load, LOADS);
		int slot = layout.responses().slotOffset(layout.slot(position));
		int bytes = layout.responses().usedSlotBytes(LOADS.measure(load));
		for (int chunk = RingLayout.CHUNK_BYTES; chunk < bytes; chunk += RingLayout.CHUNK_BYTES) {
			int tag = slot + chunk + RingLayout.CHUNK_DATA_BYTES;
			int there = memory.bytes().getInt(tag);
			memory.bytes().putInt(tag, there - 1);
			assertThat(host.responses().isAnswering(position)).isTrue();
			assertThat(host.responses().isAnswered(position)).isFalse();
			assertThat(host.responses().read(position, LOADS, null, null)).isNull();
			memory.bytes().putInt(tag, there);
		}
		assertThat(host.responses().isAnswered(position)).isTrue();
		assertThat(host.responses().read(position, LOADS, null, null)).usingRecursiveComparison().isEqualTo(load);
	}

	@Test
	void aPositionThatWasPassedOverIsVoid() {
		RingLayout layout = layout(2);
		MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
		HostRing host = new HostRing(memory, layout, 0);
		DeviceRing device = new DeviceRing(memory, layout, 1);
		host.claims().tryClaim();
		for (long expected = 1; expected < 20; expected += 2) {
			assertThat(host.contendedClaims().tryClaimAny()).isEqualTo(expected);
			host.claims().release(expected);
		}
		for (long passed = 2; passed < 19; passed += 2) {
			assertThat(device.poll(passed)).isEqualTo(DeviceRing.RequestState.SKIPPED);
		}
		assertThat(device.poll(0)).isEqualTo(DeviceRing.RequestState.ABSENT);
		assertThat(device.poll(20)).isEqualTo(DeviceRing.RequestState.ABSENT);
	}

	@Test
	void garbageInASlotIsCorruptAndNothingElse() {
		RingLayout layout = layout(2);
		MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
		HostRing host = new HostRing(memory, layout, 0);
		DeviceRing device = new DeviceRing(memory, layout, 1);
		SplittableRandom random = new SplittableRandom(5);
		int corrupt = 0;
		for (int i = 0; i < 20_000; i++) {
			long position = host.contendedClaims().tryClaimAny();
			Load load = Load.of(i);
			publish(host, position, load);
			int slot = layout.responses().slotOffset(layout.slot(position));
			for (int at = 0; at < layout.responses().slotStride(); at += RingLayout.CHUNK_BYTES) {
				memory.bytes().putLong(slot + at, random.nextLong() >> random.nextInt(64));
				memory.bytes().putInt(slot + at + 8, random.nextInt());
				memory.bytes().putInt(slot + at + 12, layout.tag(position));
			}
			memory.bytes().putInt(slot + 4, random.nextInt(-1, 7));
			// A large message of which a part is missing would be waited for.
			memory.bytes().putLong(slot + RingLayout.PROGRESS_CHUNK * RingLayout.CHUNK_BYTES, Integer.MAX_VALUE);
			assertThat(host.responses().isAnswered(position)).isTrue();
			try {
				if (host.responses().kind(position) == MessageKind.DATA) {
					host.responses().read(position, LOADS, null, null);
				}
			}
			catch (CorruptMessageException ex) {
				corrupt++;
			}
			host.claims().release(position);
			long next = host.contendedClaims().tryClaimAny();
			publish(host, next, load);
			device.answer(next, 0, load, LOADS);
			host.responses().read(next, LOADS, null, null).verify(i);
			host.claims().release(next);
		}
		assertThat(corrupt).isGreaterThan(5_000);
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 100_000, 0, 3 })
	void aLengthThatNoMessageHasIsCorrupt(int length) {
		RingLayout layout = layout(2);
		MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
		HostRing host = new HostRing(memory, layout, 0);
		long position = host.claims().tryClaim();
		int slot = layout.responses().slotOffset(0);
		for (int at = 0; at < layout.responses().slotStride(); at += RingLayout.CHUNK_BYTES) {
			memory.bytes().putInt(slot + at + 12, layout.tag(position));
		}
		memory.bytes().putInt(slot, length);
		assertThat(host.responses().isAnswered(position)).isTrue();
		assertThatExceptionOfType(CorruptMessageException.class)
			.isThrownBy(() -> host.responses().read(position, LOADS, null, null))
			.withMessageContaining(Integer.toString(length));
	}

	@Test
	void aKindThatIsNotKnownIsCorrupt() {
		RingLayout layout = layout(2);
		MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
		HostRing host = new HostRing(memory, layout, 0);
		long position = host.claims().tryClaim();
		int slot = layout.responses().slotOffset(0);
		memory.bytes().putInt(slot + 4, 99);
		memory.bytes().putInt(slot + 12, layout.tag(position));
		assertThatExceptionOfType(CorruptMessageException.class).isThrownBy(() -> host.responses().kind(position))
			.withMessageContaining("99");
	}

}
