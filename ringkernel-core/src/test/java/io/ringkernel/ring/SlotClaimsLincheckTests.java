package io.ringkernel.ring;

import io.ringkernel.message.buffer.MessageBuffer;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

/**
 * Lincheck on {@link SlotClaims}.
 */
@Tag("every-platform")
@Tag("lincheck")
class SlotClaimsLincheckTests {

	private static final int SLOTS = 2;

	private static final int THREADS = 3;

	private static HostRing ring() {
		RingLayout layout = RingLayout.forSlots(0, SLOTS, 64, 64);
		MessageBuffer memory = MessageBuffer.allocate(layout.endOffset());
		return new HostRing(memory, layout, 0);
	}

	/**
	 * Claims and releases side by side are those of a ring that one thread uses.
	 */
	@Test
	void everyInterleavingOfClaimsAndReleasesIsOneAfterTheOther() {
		new ModelCheckingOptions().threads(THREADS)
			.actorsBefore(2)
			.actorsPerThread(3)
			.actorsAfter(2)
			.iterations(8)
			.invocationsPerIteration(300)
			.check(InOrder.class);
	}

	/**
	 * Whoever passes over slots, no two positions have a slot at once, and none leaks.
	 * Lincheck has no handles of buffers, so it does not look into the words that tell a
	 * kernel; the host does not read them.
	 */
	@Test
	void noInterleavingOfPassingOverGivesASlotTwiceOrLosesIt() {
		new ModelCheckingOptions().threads(2)
			.actorsBefore(2)
			.actorsPerThread(3)
			.actorsAfter(0)
			.iterations(8)
			.invocationsPerIteration(300)
			.addGuarantee(forClasses(SkippedLaps.class.getName()).allMethods().ignore())
			.check(PassingOver.class);
	}

	/**
	 * Producers that claim the next position and give it back.
	 */
	public static class InOrder {

		private final HostRing ring = ring();

		private final long[] held = new long[THREADS + 2];

		/**
		 * Claims a position, unless the thread holds one.
		 */
		@Operation
		public long claim(@Param(gen = ThreadIdGen.class) int thread) {
			if (this.held[thread] != 0) {
				return -2;
			}
			long position = this.ring.claims().tryClaim();
			this.held[thread] = position + 1;
			return position;
		}

		/**
		 * Gives back what the thread holds, if anything.
		 */
		@Operation
		public boolean release(@Param(gen = ThreadIdGen.class) int thread) {
			long position = this.held[thread] - 1;
			if (position < 0) {
				return false;
			}
			this.held[thread] = 0;
			this.ring.claims().release(position);
			return true;
		}

	}

	/**
	 * Producers that pass over slots that are busy.
	 */
	public static class PassingOver {

		private final HostRing ring = ring();

		/** By slot, the thread whose position has it. */
		private final int[] owners = new int[SLOTS];

		private final long[] held = new long[THREADS + 2];

		@Operation
		public void claimPassingOver(@Param(gen = ThreadIdGen.class) int thread) {
			if (this.held[thread] != 0) {
				return;
			}
			long position = this.ring.contendedClaims().tryClaimAny();
			if (position == SlotClaims.NO_SLOT) {
				return;
			}
			int slot = (int) (position % SLOTS);
			if (this.owners[slot] != 0) {
				throw new IllegalStateException("Slot %d has two owners".formatted(slot));
			}
			this.owners[slot] = thread + 1;
			this.held[thread] = position + 1;
		}

		@Operation
		public void release(@Param(gen = ThreadIdGen.class) int thread) {
			long position = this.held[thread] - 1;
			if (position >= 0) {
				this.held[thread] = 0;
				this.owners[(int) (position % SLOTS)] = 0;
				this.ring.claims().release(position);
			}
		}

		@Validate
		public void noSlotHasLeaked() {
			for (int i = 0; i < this.held.length; i++) {
				release(i);
			}
			if (this.ring.inFlight().count() != 0
					|| this.ring.inFlight().before(this.ring.claims().head()).length != 0) {
				throw new IllegalStateException("A slot is in flight that nobody holds");
			}
			for (int i = 0; i < SLOTS; i++) {
				if (this.ring.claims().tryClaim() == SlotClaims.NO_SLOT) {
					throw new IllegalStateException("A slot that nobody holds cannot be claimed");
				}
			}
		}

	}

}
