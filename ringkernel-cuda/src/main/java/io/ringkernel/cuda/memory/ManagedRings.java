package io.ringkernel.cuda.memory;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.ringkernel.cuda.driver.ManagedMemory;
import io.ringkernel.message.MessageBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Managed memory for rings. Memory whose ring no thread can reach any more is kept for
 * the next ring of its size and never given back to the driver, which unmaps it at once:
 * the collector does not tell when the last look at it has ended, and one too late would
 * end the process.
 *
 * @since 0.2.0
 */
public final class ManagedRings {

	private static final Cleaner CLEANER = Cleaner.create();

	private static final int PAGE = 4096;

	private final DeviceResources resources;

	private final Queue<ManagedMemory> idle = new ConcurrentLinkedQueue<>();

	ManagedRings(DeviceResources resources) {
		this.resources = resources;
	}

	/**
	 * Takes memory for a ring.
	 * @param id the kernel that it is for
	 * @param bytes how much: whole pages
	 * @param patience how long other kernels may take to yield, if new memory is needed
	 * @return the memory, zeroed
	 */
	ManagedMemory take(String id, int bytes, Duration patience) {
		ManagedMemory known = idle(bytes);
		ManagedMemory memory = (known != null) ? known : allocate(id, bytes, patience);
		clear(memory.buffer());
		return memory;
	}

	private ManagedMemory allocate(String id, int bytes, Duration patience) {
		return this.resources.quiescence().during(id, patience, () -> this.resources.context().allocateManaged(bytes));
	}

	private @Nullable ManagedMemory idle(int bytes) {
		for (ManagedMemory memory : List.copyOf(this.idle)) {
			// Another kernel may take it first.
			if (memory.buffer().capacity() == bytes && this.idle.remove(memory)) {
				return memory;
			}
		}
		return null;
	}

	/**
	 * Whether there is memory of a size that no ring lies in.
	 */
	public boolean isIdle(int bytes) {
		return this.idle.stream().anyMatch((memory) -> memory.buffer().capacity() == bytes);
	}

	private static void clear(ByteBuffer pages) {
		byte[] zeros = new byte[PAGE];
		for (int at = 0; at < pages.capacity(); at += PAGE) {
			pages.put(at, zeros);
		}
	}

	/**
	 * Takes memory back once its views are not reachable any more and no kernel runs.
	 */
	void takeBackAfter(MessageBuffer views, ManagedMemory memory) {
		CLEANER.register(views, () -> this.resources.releaseLater(() -> this.idle.add(memory)));
	}

}
