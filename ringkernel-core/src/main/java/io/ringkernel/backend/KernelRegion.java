package io.ringkernel.backend;

import io.ringkernel.control.ControlBlock;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;
import org.jspecify.annotations.Nullable;

/**
 * What a loop serves: the memory of one kernel, laid out, with the control block first
 * and the ring behind it, and what the host keeps beside it.
 *
 * @param memory the memory
 * @param control the control block in it; a view that this loop alone commands through
 * @param ring where the ring lies in it
 * @param host the host's half of the ring: what a loop looks at to see where it begins,
 * and whether it is needed
 * @param notes what the host keeps by slot
 * @param before the loop that has served the ring so far, and has ended; {@code null} for
 * a fresh ring
 * @since 0.1.0
 */
public record KernelRegion(RingMemory memory, ControlBlock control, RingLayout ring, HostRing host, SlotNotes notes,
		@Nullable DeviceLoop before) {

	/**
	 * Creates a fresh region, with the host's half of its ring and silent notes.
	 * @param memory the memory
	 * @param control the control block in it, identified
	 * @param ring where the ring lies in it
	 */
	public KernelRegion(RingMemory memory, ControlBlock control, RingLayout ring) {
		this(memory, control, ring, new HostRing(memory.buffer(), ring, control.startPosition()),
				SlotNotes.silent(ring.slots()), null);
	}

	/**
	 * {@return the same region with other notes}
	 * @param other the notes
	 * @since 0.2.0
	 */
	public KernelRegion with(SlotNotes other) {
		return new KernelRegion(this.memory, this.control, this.ring, this.host, other, this.before);
	}

	/**
	 * The same region for the loop that comes next. From then on, the loop before
	 * commands nothing, whatever is called on it and whatever a thread of it still does.
	 * @param ended the loop that was loaded last, which is known to have ended
	 * @return the region
	 * @since 0.2.0
	 */
	public KernelRegion after(DeviceLoop ended) {
		return new KernelRegion(this.memory, this.control.handOver(), this.ring, this.host, this.notes, ended);
	}

}
