package io.ringkernel.cuda.transport;

import java.util.Arrays;
import java.util.SplittableRandom;

import io.ringkernel.Capacity;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;

/**
 * A ring whose halves have a memory each, and the bridge between them.
 */
final class BridgedRing {

	/**
	 * More than a slot holds, so that loads go both ways: in their slot and behind it.
	 */
	static final int MAX_BYTES = 2000;

	static final MessageLayout<Load> LOADS = MessageLayout.of(Load.class);

	static final int WORKERS = 2;

	private final RingLayout layout;

	private final MessageBuffer host;

	private final SimulatedDeviceMemory device;

	private final HostRing hostRing;

	private final DeviceRing deviceRing;

	private final RegionBridge bridge;

	private final ResponseBridge responses;

	BridgedRing(int slots, long startPosition) {
		this.layout = RingLayout.forSlots(ControlBlock.bytes(WORKERS), slots, LOADS.maxSize(), LOADS.maxSize());
		this.host = MessageBuffer.allocate(this.layout.endOffset());
		this.device = new SimulatedDeviceMemory(this.layout.endOffset());
		this.hostRing = new HostRing(this.host, this.layout, startPosition);
		this.deviceRing = new DeviceRing(this.device.memory(), this.layout, WORKERS);
		MessageBuffer image = MessageBuffer.allocate(RegionBridge.imageBytes(this.layout));
		this.bridge = new RegionBridge(this.host, image, this.hostRing, startPosition, WORKERS, this.device);
		this.responses = this.bridge.responses();
	}

	RingLayout layout() {
		return this.layout;
	}

	MessageBuffer hostMemory() {
		return this.host;
	}

	SimulatedDeviceMemory device() {
		return this.device;
	}

	HostRing host() {
		return this.hostRing;
	}

	DeviceRing deviceRing() {
		return this.deviceRing;
	}

	RegionBridge bridge() {
		return this.bridge;
	}

	long publish(long id, int bytes) {
		long position = this.hostRing.contendedClaims().tryClaimAny();
		publish(position, Load.of(id, bytes));
		return position;
	}

	void publish(long position, Load load) {
		Draft draft = this.hostRing.requests().encode(load, LOADS, null);
		this.hostRing.requests().publish(position, draft);
		draft.giveBack();
	}

	int toDevice() {
		int sent = this.bridge.toDevice();
		this.device.await();
		return sent;
	}

	int toHost() {
		this.responses.fetch();
		return arrived(this.responses);
	}

	/**
	 * Delivers what was fetched.
	 */
	int arrived(ResponseBridge way) {
		this.device.await();
		way.examine();
		this.device.await();
		return way.deliver();
	}

	/**
	 * Answers a request with itself.
	 */
	void echo(long position, int worker) {
		this.deviceRing.answer(position, worker, this.deviceRing.request(position, worker, LOADS), LOADS);
	}

	/**
	 * Takes a response.
	 */
	Load take(long position) {
		Load load = this.hostRing.responses().read(position, LOADS, null, null);
		this.hostRing.claims().release(position);
		return load;
	}

	/**
	 * A message whose bytes follow from its id.
	 */
	record Load(long id, @Capacity(MAX_BYTES) byte[] bytes) {

		static Load of(long id) {
			return of(id, new SplittableRandom(id).nextInt(MAX_BYTES + 1));
		}

		static Load of(long id, int length) {
			byte[] bytes = new byte[length];
			new SplittableRandom(~id).nextBytes(bytes);
			return new Load(id, bytes);
		}

		boolean is(Load other) {
			return this.id == other.id && Arrays.equals(this.bytes, other.bytes);
		}

	}

}
