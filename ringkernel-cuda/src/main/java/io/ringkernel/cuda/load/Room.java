package io.ringkernel.cuda.load;

import java.util.List;
import java.util.stream.Stream;

/**
 * What kernels leave of a device to one more. The device spreads blocks breadth-first:
 * each goes to the multiprocessor that holds least.
 *
 * @since 0.2.0
 */
public final class Room {

	private final int multiprocessors;

	private final List<LoadedKernel> others;

	private final int taken;

	private final double largestShare;

	public Room(int multiprocessors, List<LoadedKernel> others) {
		this(multiprocessors, others, others.stream().mapToInt(LoadedKernel::multiprocessors).sum(),
				others.stream().mapToDouble(LoadedKernel::share).max().orElse(0));
	}

	private Room(int multiprocessors, List<LoadedKernel> others, int taken, double largestShare) {
		this.multiprocessors = multiprocessors;
		this.others = others;
		this.taken = taken;
		this.largestShare = largestShare;
	}

	/** What is left of it once a kernel has found its place. */
	public Room beside(LoadedKernel kernel) {
		return new Room(this.multiprocessors, Stream.concat(this.others.stream(), Stream.of(kernel)).toList(),
				this.taken + kernel.multiprocessors(), Math.max(this.largestShare, kernel.share()));
	}

	List<LoadedKernel> others() {
		return this.others;
	}

	/** How many multiprocessors the others take, as densely as these hold them. */
	public int taken() {
		return this.taken;
	}

	/** Whether all blocks of a kernel find a place at once. */
	public boolean holds(LoadedKernel kernel) {
		return kernel.multiprocessors() + this.taken <= this.multiprocessors
				&& kernel.grid().blocks() <= places(kernel.share(), kernel.blocksPerMultiprocessor());
	}

	/**
	 * How many blocks find a place at most. A block does not fit beside one that leaves
	 * too little of a multiprocessor; what else lies there is not counted, so that fewer
	 * may find one.
	 */
	private int places(double share, int perMultiprocessor) {
		int held = (this.largestShare + share <= 1) ? 0
				: this.others.stream()
					.filter((other) -> other.share() + share > 1)
					.mapToInt((other) -> other.grid().blocks())
					.sum();
		return Math.max(0, this.multiprocessors - held) * perMultiprocessor;
	}

	/**
	 * How many blocks a kernel is to have at most: as many as find a place beside the
	 * kernels that stay and, if it stays as well, leave one to each kernel that is
	 * launched on demand. 0 if none certainly finds a place.
	 * @param share which part of a multiprocessor a block takes at least
	 */
	int lasting(double share, int perMultiprocessor, boolean stays) {
		Room staying = new Room(this.multiprocessors, this.others.stream().filter(LoadedKernel::stays).toList());
		int left = stays ? largestOnDemandBeside(share) : 0;
		return Math.max(0, staying.places(share, perMultiprocessor) - left * perMultiprocessor);
	}

	private int largestOnDemandBeside(double share) {
		return this.others.stream()
			.filter((other) -> !other.stays() && other.share() + share > 1)
			.mapToInt(LoadedKernel::multiprocessors)
			.max()
			.orElse(0);
	}

}
