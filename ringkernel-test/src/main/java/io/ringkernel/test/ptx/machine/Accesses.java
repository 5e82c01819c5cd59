package io.ringkernel.test.ptx.machine;

/**
 * Is told of the plain accesses of a block to memory, and of what orders them.
 *
 * @since 0.2.0
 */
public interface Accesses {

	/** Nobody looks. */
	Accesses UNWATCHED = new Accesses() {

		@Override
		public void read(Warp warp, int lane, long address, int bytes) {
		}

		@Override
		public void write(Warp warp, int lane, long address, int bytes) {
		}

		@Override
		public void order(int[] lanes) {
		}

		@Override
		public void order(Warp warp, int lanes) {
		}

	};

	/**
	 * A lane reads.
	 * @param warp its warp
	 * @param lane the lane
	 * @param address the address of the first byte
	 * @param bytes how many
	 */
	void read(Warp warp, int lane, long address, int bytes);

	/**
	 * A lane writes.
	 * @param warp its warp
	 * @param lane the lane
	 * @param address the address of the first byte
	 * @param bytes how many
	 */
	void write(Warp warp, int lane, long address, int bytes);

	/**
	 * Threads have met at a barrier: what each did before, all see after.
	 * @param lanes the lanes of each warp of the block, one bit each
	 */
	void order(int[] lanes);

	/**
	 * Lanes of one warp have met.
	 * @param warp the warp
	 * @param lanes the lanes
	 */
	default void order(Warp warp, int lanes) {
		int[] all = new int[warp.number() + 1];
		all[warp.number()] = lanes;
		order(all);
	}

}
