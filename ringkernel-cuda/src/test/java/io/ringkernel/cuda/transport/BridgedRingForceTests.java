package io.ringkernel.cuda.transport;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.conformance.Concurrently;
import io.ringkernel.cuda.transport.BridgedRing.Load;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.ring.DeviceRing.RequestState;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.MessageKind;
import io.ringkernel.ring.SlotClaims;
import io.ringkernel.ring.WaitStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many producers, some of which withdraw and retract, over a bridge and small rings whose
 * tags wrap. On the other side there are workers that run all the time, beside the
 * copies; or between them only, as where a running kernel blocks the driver.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("every-platform")
class BridgedRingForceTests {

	private static final Duration LIMIT = Duration.ofSeconds(40);

	private static final int PRODUCERS = 6;

	private static final int LAPS = 400;

	private AtomicLong cursor = new AtomicLong();

	@ParameterizedTest
	@CsvSource({ "2, 0", "4, 0", "32, 0", "2, 1073741724", "8, 1073741724", "4, 2147483548", "16, 4294967196" })
	void everyMessageCrossesWhileTheDeviceRuns(int slots, long startLap) throws InterruptedException {
		BridgedRing ring = begin(slots, startLap);
		AtomicBoolean done = new AtomicBoolean();
		Concurrently.Running workers = Concurrently.start(BridgedRing.WORKERS, (worker) -> {
			while (!done.get()) {
				if (!serveNext(ring, worker)) {
					Thread.yield();
				}
			}
		});
		Concurrently.Running bridge = Concurrently.start(1, (thread) -> {
			while (!done.get()) {
				if (ring.toDevice() + ring.toHost() == 0) {
					Thread.yield();
				}
			}
		});
		produce(ring, startLap, done);
		workers.join(LIMIT);
		bridge.join(LIMIT);
	}

	@ParameterizedTest
	@CsvSource({ "2, 0", "4, 0", "32, 0", "2, 1073741724", "8, 1073741724", "4, 2147483548", "16, 4294967196" })
	void everyMessageCrossesWhileTheDeviceRunsBetweenCopiesOnly(int slots, long startLap) throws InterruptedException {
		BridgedRing ring = begin(slots, startLap);
		AtomicBoolean done = new AtomicBoolean();
		Concurrently.Running bridge = Concurrently.start(1, (thread) -> {
			while (!done.get()) {
				int sent = ring.toDevice();
				while (serveNext(ring, 0)) {
					sent++;
				}
				if (sent + ring.toHost() == 0) {
					Thread.yield();
				}
			}
		});
		produce(ring, startLap, done);
		bridge.join(LIMIT);
	}

	private BridgedRing begin(int slots, long startLap) {
		this.cursor = new AtomicLong(startLap * slots);
		return new BridgedRing(slots, startLap * slots);
	}

	private void produce(BridgedRing ring, long startLap, AtomicBoolean done) throws InterruptedException {
		long end = (startLap + LAPS) * ring.layout().slots();
		try {
			Concurrently.run(PRODUCERS, LIMIT, (producer) -> {
				SplittableRandom random = new SplittableRandom(producer);
				for (long id = (long) producer << 32; ring.host().claims().head() < end; id++) {
					call(ring, id, random.nextInt(16));
				}
			});
			assertThat(ring.host().inFlight().count()).isZero();
		}
		finally {
			done.set(true);
		}
	}

	/**
	 * Serves the next position, if there is anything at it.
	 */
	private boolean serveNext(BridgedRing ring, int worker) {
		long position = this.cursor.get();
		RequestState state = ring.deviceRing().poll(position);
		if (state == RequestState.ABSENT || !this.cursor.compareAndSet(position, position + 1)) {
			return false;
		}
		if (state == RequestState.WITHDRAWN) {
			ring.deviceRing().answer(position, MessageKind.WITHDRAWN, 0);
		}
		else if (state == RequestState.PRESENT) {
			try {
				ring.echo(position, worker);
			}
			catch (CorruptMessageException ex) {
				// Retracted, and found before the withdrawal was.
				ring.deviceRing().answer(position, MessageKind.INVALID_REQUEST, 0);
			}
		}
		return true;
	}

	private static void call(BridgedRing ring, long id, int dice) throws InterruptedException {
		HostRing host = ring.host();
		long deadline = System.nanoTime() + LIMIT.toNanos();
		long position = host.contendedClaims().claim(deadline, WaitStrategy.BACK_OFF);
		assertThat(position).isNotEqualTo(SlotClaims.NO_SLOT);
		boolean retracts = dice == 0;
		if (retracts) {
			host.requests().retract(position);
		}
		else {
			ring.publish(position, Load.of(id));
		}
		if (dice < 4) {
			host.requests().withdraw(position);
		}
		for (int round = 0; !host.responses().isAnswered(position); round++) {
			WaitStrategy.YIELD.pause(round);
			if (System.nanoTime() - deadline > 0) {
				throw new AssertionError("Position " + position + " was never answered, head " + host.claims().head());
			}
		}
		MessageKind kind = host.responses().kind(position);
		if (kind == MessageKind.DATA) {
			assertThat(host.responses().read(position, BridgedRing.LOADS, null, null).is(Load.of(id))).isTrue();
		}
		assertThat(kind)
			.isIn(retracts ? new Object[] { MessageKind.WITHDRAWN, MessageKind.INVALID_REQUEST } : (dice < 4)
					? new Object[] { MessageKind.WITHDRAWN, MessageKind.DATA } : new Object[] { MessageKind.DATA });
		host.claims().release(position);
	}

}
