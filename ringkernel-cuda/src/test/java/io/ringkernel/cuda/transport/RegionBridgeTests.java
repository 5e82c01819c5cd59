package io.ringkernel.cuda.transport;

import java.util.List;
import java.util.SplittableRandom;

import io.ringkernel.cuda.transport.BridgedRing.Load;
import io.ringkernel.cuda.transport.SimulatedDeviceMemory.Copied;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.DeviceRing.RequestState;
import io.ringkernel.ring.LaneLayout;
import io.ringkernel.ring.LapTag;
import io.ringkernel.ring.MessageKind;
import io.ringkernel.ring.RingLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What crosses the bridge, and what does not.
 */
class RegionBridgeTests {

	private static final int SMALL = 40;

	private final BridgedRing ring = new BridgedRing(64, 0);

	private final LaneLayout requests = this.ring.layout().requests();

	private final LaneLayout responses = this.ring.layout().responses();

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, SMALL, 300, BridgedRing.MAX_BYTES })
	void aRequestOfAnySizeReachesTheDeviceAndItsResponseTheHost(int bytes) {
		long position = this.ring.publish(7, bytes);
		assertThat(this.ring.deviceRing().poll(position)).isEqualTo(RequestState.ABSENT);
		assertThat(this.ring.toDevice()).isOne();
		assertThat(this.ring.deviceRing().poll(position)).isEqualTo(RequestState.PRESENT);
		this.ring.echo(position, 0);
		assertThat(this.ring.host().responses().isAnswered(position)).isFalse();
		assertThat(this.ring.toHost()).isOne();
		assertThat(this.ring.host().responses().isAnswered(position)).isTrue();
		assertThat(this.ring.take(position).is(Load.of(7, bytes))).isTrue();
		assertThat(this.ring.bridge().unanswered()).isZero();
	}

	@Test
	void aSmallMessageCostsOneCopyEachWayOfTheBytesInUse() {
		long position = this.ring.publish(1, SMALL);
		this.ring.toDevice();
		int used = this.requests.usedSlotBytes(BridgedRing.LOADS.measure(Load.of(1, SMALL)));
		assertThat(used).isLessThan(this.requests.slotBytes());
		assertThat(this.ring.device().takeToDevice()).containsExactly(new Copied(this.requests.slotOffset(0), used));
		this.ring.echo(position, 0);
		this.ring.toHost();
		assertThat(this.ring.device().takeToHost())
			.containsExactly(new Copied(this.responses.slotOffset(0), this.responses.slotBytes()));
	}

	@Test
	void manyMessagesGoInOneCopyEachWay() {
		for (int i = 0; i < 64; i++) {
			this.ring.publish(i, SMALL);
		}
		assertThat(this.ring.toDevice()).isEqualTo(64);
		assertThat(this.ring.device().takeToDevice()).hasSize(1);
		for (int i = 0; i < 64; i++) {
			this.ring.echo(i, 0);
		}
		assertThat(this.ring.toHost()).isEqualTo(64);
		assertThat(this.ring.device().takeToHost()).hasSize(1);
		for (int i = 0; i < 64; i++) {
			assertThat(this.ring.take(i).is(Load.of(i, SMALL))).isTrue();
		}
	}

	@Test
	void thePayloadsOfNeighboursGoInOneCopyAndBeforeTheirHeaders() {
		for (int i = 0; i < 8; i++) {
			this.ring.publish(i, BridgedRing.MAX_BYTES);
		}
		this.ring.toDevice();
		List<Copied> copies = this.ring.device().takeToDevice();
		assertThat(copies).hasSize(2);
		assertThat(copies.get(0).offset()).isEqualTo(this.requests.payloadOffset(0));
		assertThat(copies.get(1).offset()).isEqualTo(this.requests.slotOffset(0));
	}

	@Test
	void nothingIsCopiedWhereNothingIsNew() {
		long position = this.ring.publish(1, SMALL);
		this.ring.toDevice();
		this.ring.echo(position, 0);
		this.ring.toHost();
		this.ring.device().takeToDevice();
		this.ring.device().takeToHost();
		assertThat(this.ring.toDevice()).isZero();
		assertThat(this.ring.toHost()).isZero();
		assertThat(this.ring.device().takeToDevice()).isEmpty();
		assertThat(this.ring.device().takeToHost()).isEmpty();
	}

	@Test
	void aRequestBehindAGapOfUnpublishedOnesIsFound() {
		for (int i = 0; i < 40; i++) {
			assertThat(this.ring.host().claims().tryClaim()).isEqualTo(i);
		}
		this.ring.publish(39, Load.of(39));
		assertThat(this.ring.toDevice()).isOne();
		assertThat(this.ring.deviceRing().poll(39)).isEqualTo(RequestState.PRESENT);
		assertThat(this.ring.deviceRing().poll(38)).isEqualTo(RequestState.ABSENT);
	}

	@Test
	void aRequestBehindAGapIsFoundWhileThereIsAlwaysSomethingInFrontOfIt() {
		for (int i = 0; i < 40; i++) {
			this.ring.host().claims().tryClaim();
		}
		this.ring.publish(39, Load.of(39));
		for (int i = 0; i < 10; i++) {
			this.ring.publish(i, Load.of(i));
			this.ring.toDevice();
		}
		assertThat(this.ring.deviceRing().poll(39)).isEqualTo(RequestState.PRESENT);
	}

	@Test
	void aRequestThatIsPublishedAfterItsSlotWasPassedOverIsFound() {
		BridgedRing tiny = new BridgedRing(2, 0);
		assertThat(tiny.host().claims().tryClaim()).isZero();
		for (long position = 1; position < 7; position += 2) {
			assertThat(tiny.publish(position, SMALL)).isEqualTo(position);
			tiny.toDevice();
			tiny.echo(position, 0);
			tiny.toHost();
			tiny.take(position);
		}
		assertThat(tiny.deviceRing().poll(4)).isEqualTo(RequestState.SKIPPED);
		tiny.publish(0, Load.of(7));
		assertThat(tiny.toDevice()).isOne();
		assertThat(tiny.deviceRing().poll(0)).isEqualTo(RequestState.PRESENT);
	}

	@Test
	void aSlotThatIsBeingWrittenIsNotCopied() {
		this.ring.publish(0, SMALL);
		this.ring.host().claims().tryClaim();
		this.ring.publish(2, SMALL);
		int halfWritten = this.requests.slotOffset(1) + RingLayout.CHUNK_BYTES;
		this.ring.hostMemory().bytes().putLong(halfWritten, 0x1122334455667788L);
		this.ring.hostMemory().bytes().putInt(halfWritten + RingLayout.CHUNK_DATA_BYTES, this.ring.layout().tag(1));
		assertThat(this.ring.toDevice()).isEqualTo(2);
		assertThat(this.ring.device().memory().bytes().getLong(halfWritten)).isZero();
		assertThat(this.ring.device().memory().bytes().getLong(halfWritten + Long.BYTES)).isZero();
	}

	@Test
	void aRequestThatIsWithdrawnBeforeItWasSentArrivesAsWithdrawn() {
		long position = this.ring.publish(1, SMALL);
		this.ring.host().requests().withdraw(position);
		this.ring.toDevice();
		assertThat(this.ring.deviceRing().poll(position)).isEqualTo(RequestState.WITHDRAWN);
	}

	@Test
	void withdrawalsFollowTheirRequests() {
		long position = this.ring.publish(1, SMALL);
		this.ring.toDevice();
		this.ring.device().takeToDevice();
		this.ring.host().requests().withdraw(position);
		assertThat(this.ring.toDevice()).isZero();
		assertThat(this.ring.device().takeToDevice())
			.containsExactly(new Copied(this.requests.slotOffset(0), RingLayout.CHUNK_BYTES));
		assertThat(this.ring.deviceRing().poll(position)).isEqualTo(RequestState.WITHDRAWN);
	}

	@Test
	void theWithdrawalsOfManyRequestsGoInOneCopy() {
		for (int i = 0; i < 64; i++) {
			this.ring.publish(i, SMALL);
		}
		this.ring.toDevice();
		this.ring.device().takeToDevice();
		for (int i = 0; i < 64; i++) {
			this.ring.host().requests().withdraw(i);
		}
		assertThat(this.ring.toDevice()).isZero();
		assertThat(this.ring.device().takeToDevice()).hasSize(1);
		for (int i = 0; i < 64; i++) {
			assertThat(this.ring.deviceRing().poll(i)).isEqualTo(RequestState.WITHDRAWN);
		}
	}

	@Test
	void positionsThatWerePassedOverAreVoidOnTheDevice() {
		BridgedRing small = new BridgedRing(2, 0);
		small.host().claims().tryClaim();
		for (long expected = 1; expected < 20; expected += 2) {
			assertThat(small.host().contendedClaims().tryClaimAny()).isEqualTo(expected);
			small.host().claims().release(expected);
			small.toDevice();
		}
		for (long passed = 2; passed < 19; passed += 2) {
			assertThat(small.deviceRing().poll(passed)).isEqualTo(RequestState.SKIPPED);
		}
		assertThat(small.deviceRing().poll(0)).isEqualTo(RequestState.ABSENT);
	}

	@Test
	void aSlotIsUsedLapAfterLap() {
		for (int i = 0; i < 1000; i++) {
			Load load = Load.of(i);
			long position = this.ring.publish(i, load.bytes().length);
			this.ring.toDevice();
			this.ring.echo(position, i % BridgedRing.WORKERS);
			this.ring.toHost();
			assertThat(this.ring.take(position).is(load)).isTrue();
		}
	}

	@Test
	void aResponseIsDeliveredOnceAllOfItsChunksAreThere() {
		long position = this.ring.publish(1, 300);
		this.ring.toDevice();
		this.ring.echo(position, 0);
		int lastTag = this.responses.slotOffset(0)
				+ this.responses.usedSlotBytes(BridgedRing.LOADS.measure(Load.of(1, 300))) - Integer.BYTES;
		MessageBuffer device = this.ring.device().memory();
		device.bytes().putInt(lastTag, LapTag.NONE);
		assertThat(this.ring.toHost()).isZero();
		assertThat(this.ring.host().responses().isAnswered(position)).isFalse();
		device.bytes().putInt(lastTag, this.ring.layout().tag(position));
		assertThat(this.ring.toHost()).isOne();
		assertThat(this.ring.take(position).is(Load.of(1, 300))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 100_000 })
	void aLengthThatNoResponseHasIsNotBelieved(int length) {
		long position = this.ring.publish(1, SMALL);
		this.ring.toDevice();
		this.ring.device().takeToHost();
		this.ring.echo(position, 0);
		this.ring.device().memory().bytes().putInt(this.responses.slotOffset(0), length);
		assertThat(this.ring.toHost()).isOne();
		assertThat(this.ring.device().takeToHost()).hasSize(1);
		assertThat(this.ring.host().responses().isAnswered(position)).isTrue();
		assertThatExceptionOfType(CorruptMessageException.class)
			.isThrownBy(() -> this.ring.host().responses().read(position, BridgedRing.LOADS, null, null));
	}

	@Test
	void whatTheDeviceSaysUnaskedIsNotDelivered() {
		long position = this.ring.publish(1, SMALL);
		this.ring.toDevice();
		for (long other = 0; other < 64; other++) {
			this.ring.deviceRing().answer(other, MessageKind.HANDLER_FAILED, 1);
		}
		assertThat(this.ring.toHost()).isOne();
		assertThat(this.ring.host().responses().isAnswered(position)).isTrue();
		for (long other = 1; other < 64; other++) {
			assertThat(this.ring.host().responses().isAnswered(other)).isFalse();
		}
	}

	@Test
	void aCopyLeavesOutTheSlotsBetweenThatItDoesNotSend() {
		long first = this.ring.publish(1, SMALL);
		long late = this.ring.host().claims().tryClaim();
		long last = this.ring.publish(3, SMALL);
		assertThat(this.ring.bridge().toDevice()).isEqualTo(2);
		this.ring.publish(late, Load.of(2, BridgedRing.MAX_BYTES));
		int used = this.requests.usedSlotBytes(BridgedRing.LOADS.measure(Load.of(1, SMALL)));
		assertThat(this.ring.device().takeToDevice()).as("another step may come before it is made")
			.containsExactly(new Copied(this.requests.slotOffset(this.ring.layout().slot(first)), used),
					new Copied(this.requests.slotOffset(this.ring.layout().slot(last)), used));
		assertThat(this.ring.toDevice()).isOne();
		this.ring.echo(late, 0);
		assertThat(this.ring.toHost()).isOne();
		assertThat(this.ring.take(late).is(Load.of(2, BridgedRing.MAX_BYTES))).isTrue();
	}

	@Test
	void aRingThatIsInUseIsTakenOverAsItIs() {
		long answered = this.ring.publish(1, SMALL);
		long large = this.ring.publish(2, BridgedRing.MAX_BYTES);
		this.ring.toDevice();
		this.ring.echo(answered, 0);
		this.ring.toHost();
		SimulatedDeviceMemory device = new SimulatedDeviceMemory(this.ring.layout().endOffset());
		RegionBridge next = new RegionBridge(this.ring.hostMemory(),
				MessageBuffer.allocate(RegionBridge.imageBytes(this.ring.layout())), this.ring.host(), 0, 1, device);
		assertThat(next.toDevice()).as("the tag of an answered one tells of those before it").isEqualTo(2);
		assertThat(next.unanswered()).isOne();
		device.await();
		DeviceRing deviceRing = new DeviceRing(device.memory(), this.ring.layout(), 1);
		deviceRing.answer(large, 0, deviceRing.request(large, 0, BridgedRing.LOADS), BridgedRing.LOADS);
		ResponseBridge way = next.responses();
		way.fetch();
		device.await();
		assertThat(way.examine()).isTrue();
		device.await();
		assertThat(way.deliver()).isOne();
		assertThat(this.ring.take(large).is(Load.of(2, BridgedRing.MAX_BYTES))).isTrue();
		assertThat(this.ring.take(answered).is(Load.of(1, SMALL))).isTrue();
	}

	@Test
	void garbageFromTheDeviceHarmsNobody() {
		SplittableRandom random = new SplittableRandom(11);
		for (int i = 0; i < 5_000; i++) {
			long position = this.ring.publish(i, SMALL);
			this.ring.toDevice();
			int slot = this.responses.slotOffset(this.ring.layout().slot(position));
			MessageBuffer device = this.ring.device().memory();
			for (int at = slot; at < slot + this.responses.slotBytes(); at += RingLayout.CHUNK_BYTES) {
				device.bytes().putLong(at, random.nextLong() >> random.nextInt(64));
				device.bytes().putInt(at + RingLayout.CHUNK_DATA_BYTES, this.ring.layout().tag(position));
			}
			assertThat(this.ring.toHost()).isOne();
			this.ring.host().claims().release(position);
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1L << 30, 1L << 31 })
	void aSlotThatBeginsAHalfOfTheTagSpaceHasNothingOfTheHalfBefore(long lap) {
		int slots = 64;
		BridgedRing late = new BridgedRing(slots, (lap - 1) * slots);
		long last = late.publish(1, 300);
		late.toDevice();
		late.echo(last, 0);
		late.toHost();
		late.take(last);
		for (int i = 1; i < slots; i++) {
			late.host().claims().release(late.host().claims().tryClaim());
		}
		long first = late.publish(2, 0);
		late.toDevice();
		MessageBuffer device = late.device().memory();
		int slot = late.layout().slot(first);
		assertThat(slot).isEqualTo(late.layout().slot(last));
		int used = this.requests.usedSlotBytes(BridgedRing.LOADS.measure(Load.of(2, 0)));
		for (int at = used; at < this.requests.slotBytes(); at += Long.BYTES) {
			assertThat(device.bytes().getLong(late.layout().requests().slotOffset(slot) + at)).isZero();
		}
		for (int at = 0; at < this.responses.slotBytes(); at += Long.BYTES) {
			assertThat(device.bytes().getLong(late.layout().responses().slotOffset(slot) + at)).isZero();
		}
		late.echo(first, 0);
		late.toHost();
		assertThat(late.take(first).is(Load.of(2, 0))).isTrue();
	}

}
