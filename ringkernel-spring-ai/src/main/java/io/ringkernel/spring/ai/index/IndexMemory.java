package io.ringkernel.spring.ai.index;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntSupplier;

import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.exception.OutOfDeviceMemoryException;
import io.ringkernel.spring.ai.filter.Cell;
import io.ringkernel.spring.ai.search.DeviceFullException;
import io.ringkernel.spring.ai.search.DeviceRows;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of the device in which the kernel keeps its rows: grows as rows are staged,
 * while others are searched. A kernel that runs on the CPU needs none. Any number of
 * threads have memory for rows; one at a time does the rest.
 * <p>
 * What was allocated is used again by later incarnations, unless it was lost with the
 * process that used the device. It goes back when the index is closed, because only then
 * no handler reads it any more.
 */
final class IndexMemory implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(IndexMemory.class);

	/** Stands for the rows themselves. */
	private static final int NO_COLUMN = -1;

	/** Stands for what searches share that are under way together. */
	private static final Part PASSES = new Part(-1, NO_COLUMN);

	private final SearchKernel kernel;

	private final int dimensions;

	private final ElementType elementType;

	private final IntSupplier documents;

	private final ConcurrentMap<Part, DeviceMemory> allocated = new ConcurrentHashMap<>();

	/** What the kernel has of it. A thread waits while another one attaches the same. */
	private final ConcurrentMap<Part, DeviceMemory> attached = new ConcurrentHashMap<>();

	IndexMemory(SearchKernel kernel, int dimensions, ElementType elementType, IntSupplier documents) {
		this.kernel = kernel;
		this.dimensions = dimensions;
		this.elementType = elementType;
		this.documents = documents;
	}

	/**
	 * Begins an incarnation, to which nothing is attached. The kernel has taken a reset
	 * for it, so the process that it runs in is a later one than any whose memory is
	 * lost.
	 */
	void renew() {
		this.attached.clear();
		this.allocated.values().removeIf(DeviceMemory::isLost);
	}

	/**
	 * Has memory for searches that are under way together, and for the first documents.
	 * Returns whether the kernel holds the incarnation. If the device has too little
	 * memory, throws a {@link DeviceFullException}.
	 */
	boolean reserve(long incarnation, int capacity) {
		if (!this.kernel.isOnDevice()) {
			return true;
		}
		boolean canShare = DeviceRows.queriesPerPass(this.dimensions, 1, Integer.MAX_VALUE) > 0;
		boolean done = !canShare || attach(incarnation, PASSES);
		for (int block = 0; (long) block * DeviceRows.ROWS_PER_BLOCK < capacity; block++) {
			done &= attachInitially(incarnation, block, capacity);
		}
		return done;
	}

	private boolean attachInitially(long incarnation, int block, int capacity) {
		try {
			return attach(incarnation, new Part(block, NO_COLUMN));
		}
		catch (DeviceFullException ex) {
			int room = block * DeviceRows.ROWS_PER_BLOCK;
			throw new DeviceFullException(
					"The initial capacity of the vector store is %d documents, and device %d has memory for %d vectors of %d dimensions."
						.formatted(capacity, this.kernel.device(), room, this.dimensions),
					remedy("Set spring.ai.vectorstore.ringkernel.initial-capacity to at most %d".formatted(room)), ex);
		}
	}

	/** Has memory for a row that is staged next, as {@link #reserve(long, int)} does. */
	boolean reserve(long incarnation, int row, List<Cell> cells) {
		if (!this.kernel.isOnDevice()) {
			return true;
		}
		int block = row / DeviceRows.ROWS_PER_BLOCK;
		boolean done = attach(incarnation, new Part(block, NO_COLUMN));
		for (Cell cell : cells) {
			done &= attach(incarnation, new Part(block, cell.column()));
		}
		return done;
	}

	private boolean attach(long incarnation, Part part) {
		// A look takes no lock.
		return this.attached.containsKey(part) || this.attached.computeIfAbsent(part, (missing) -> {
			DeviceMemory memory = this.allocated.computeIfAbsent(missing, (absent) -> allocate(absent).orElse(null));
			return (memory != null && this.kernel.change(missing.attachment(incarnation, memory))) ? memory : null;
		}) != null;
	}

	/** Nothing if the kernel has left the device, and with it the incarnation. */
	private Optional<DeviceMemory> allocate(Part part) {
		long bytes = part.bytes(this.dimensions, this.elementType);
		try {
			return this.kernel.allocate(bytes);
		}
		catch (DeviceLostException ex) {
			logger.debug("The device was lost while the index got memory", ex);
			return Optional.empty();
		}
		catch (OutOfDeviceMemoryException ex) {
			throw new DeviceFullException(
					"Device %d has memory for %d vectors of %d dimensions; %d documents are stored, and what is needed next takes %d B."
						.formatted(this.kernel.device(), blocks(part) * DeviceRows.ROWS_PER_BLOCK, this.dimensions,
								this.documents.getAsInt(), bytes),
					remedy("Remove documents"), ex);
		}
	}

	/** How many blocks have memory, but for that which lacks a part. */
	private long blocks(Part missing) {
		return this.allocated.keySet()
			.stream()
			.filter((part) -> part.isRows() && part.block() != missing.block())
			.count();
	}

	private String remedy(String change) {
		return "%s, free memory of the device, or set ringkernel.kernels.%s.devices to one that has more."
			.formatted(change, this.kernel.id());
	}

	/**
	 * Gives the memory back, unless a handler might still read it.
	 */
	@Override
	public void close() {
		if (this.allocated.isEmpty()) {
			return;
		}
		if (this.kernel.forget()) {
			this.allocated.values().forEach(DeviceMemory::close);
		}
		else {
			logger.warn("The kernel has not let go of its index, so {} pieces of device memory are kept",
					this.allocated.size());
		}
		this.allocated.clear();
	}

	/** The rows of a block, or their cells in a column; or what passes need. */
	private record Part(int block, int column) {

		boolean isRows() {
			return this.column == NO_COLUMN && !equals(PASSES);
		}

		long bytes(int dimensions, ElementType elementType) {
			if (equals(PASSES)) {
				return DeviceRows.PASSES_BYTES;
			}
			return (this.column != NO_COLUMN) ? DeviceRows.COLUMN_BYTES
					: DeviceRows.blockBytes(dimensions, elementType);
		}

		VectorSearchRequest attachment(long incarnation, DeviceMemory memory) {
			if (equals(PASSES)) {
				return VectorSearchRequest.attachPasses(incarnation, memory.address(), memory.bytes());
			}
			return (this.column != NO_COLUMN)
					? VectorSearchRequest.attachColumn(incarnation, this.block, this.column, memory.address(),
							memory.bytes())
					: VectorSearchRequest.attachBlock(incarnation, this.block, memory.address(), memory.bytes());
		}

	}

}
