package io.ringkernel.cuda.transport;

import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;

/**
 * Keeps a device's own copy of a kernel's memory and the host's in step. <pre>
 *    host's memory                image, for copying            device's memory
 *   ┌────────────────┐          ┌──────────────────┐          ┌──────────────────┐
 *   │ host line      │ ───────▶ │ as last sent     │ ═══════▶ │                  │
 *   │ worker lines   │ ◀─────── │ as last fetched  │ ◀═══════ │                  │
 *   │ skipped laps   │ ───────▶ │ as last sent     │ ═══════▶ │                  │
 *   │ request slots  │ ───────▶ │ as last sent     │ ═══════▶ │                  │
 *   │ response slots │ ◀─────── │ as last fetched  │ ◀═══════ │                  │
 *   ├────────────────┤          └──────────────────┘          ├──────────────────┤
 *   │ payloads       │ ◀═════════════════════════════════════▶│                  │
 *   └────────────────┘                                        └──────────────────┘
 *        ───▶ by this class, word by word       ═══▶ by a few large copies
 * </pre> The host's memory stays what it is: {@code HostRing} works on it unchanged, and
 * in the device's place there is this bridge, which reads what the host writes and writes
 * what the host reads, in the order that the ring's protocol asks for.
 * <p>
 * A bridge is used by one thread at a time, which sees what the one before has done. A
 * round of it is {@link #toDevice}, whatever makes the device look,
 * {@link ResponseBridge#fetch}, wait for the copies, {@link ResponseBridge#examine}, wait
 * for the copies if there are any, and {@link ResponseBridge#deliver}.
 */
final class RegionBridge {

	private static final int PAYLOAD_UNIT = 16;

	private final ControlBridge control;

	private final RequestBridge requests;

	private final ForwardedRequests forwarded;

	private final ResponseBridge responses;

	/**
	 * Creates a bridge between a region of the host's and the device's, which is zeroed.
	 * The host's may be in use already, by a device loop that has ended.
	 * @param image memory for copying, zeroed: {@link #imageBytes} of it
	 * @param startPosition the first position of the ring
	 */
	RegionBridge(MessageBuffer memory, MessageBuffer image, HostRing ring, long startPosition, int workers,
			RegionCopies copies) {
		this.forwarded = new ForwardedRequests(ring.layout().slots());
		this.control = new ControlBridge(memory, image, workers, copies);
		this.requests = new RequestBridge(memory, image, ring, startPosition, this.forwarded, copies);
		this.responses = new ResponseBridge(memory, image, ring.layout(), this.forwarded, copies);
	}

	/** The size of the image: all but the payloads. */
	static int imageBytes(RingLayout layout) {
		return layout.requests().payloadsOffset();
	}

	/**
	 * The bytes of a payload that are copied: whole units, which its stride has room for.
	 */
	static int payloadBytes(int length) {
		return (length + PAYLOAD_UNIT - 1) / PAYLOAD_UNIT * PAYLOAD_UNIT;
	}

	/** Tells the device what the region is; before anything else. */
	void identify() {
		this.control.identify();
	}

	boolean commandToDevice() {
		return this.control.forward();
	}

	/** Sends what was published, and the words of skipped laps that have changed. */
	int toDevice() {
		return this.requests.forward();
	}

	int unanswered() {
		return this.forwarded.unanswered();
	}

	ResponseBridge responses() {
		return this.responses;
	}

	void fetchWorkers() {
		this.control.fetch();
	}

	void deliverWorkers() {
		this.control.deliver();
	}

}
