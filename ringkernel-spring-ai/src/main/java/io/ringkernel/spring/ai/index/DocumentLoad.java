package io.ringkernel.spring.ai.index;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.ringkernel.Durations;
import io.ringkernel.spring.ai.filter.MetadataColumns;
import io.ringkernel.spring.ai.filter.MetadataJson;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.search.DeviceRows;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends stored documents to the kernel: several threads take some rows at a time, and
 * read, prepare and send them.
 */
final class DocumentLoad {

	private static final Logger logger = LoggerFactory.getLogger(DocumentLoad.class);

	/** Fewer documents are loaded before an operator looks at the log. */
	private static final int MIN_DOCUMENTS_LOGGED = 50_000;

	private static final int STEPS_LOGGED = 10;

	/** More of them wait for memory and for the bus. */
	private static final int MOST_THREADS = 16;

	/** So often each thread takes rows at least, so that all end about together. */
	private static final int PARTS_PER_THREAD = 4;

	private final DocumentStorage storage;

	private final MetadataColumns columns;

	private final Supplier<StageBatches> batches;

	private final RowGraph graph;

	private final long version;

	/** Behind the last row. */
	private final int end;

	private final int threads;

	/**
	 * A part of a block of the device, or all of it: the memory of a block is asked for
	 * by the thread that comes to it first, and others wait for that.
	 */
	private final int rowsAtOnce;

	/** Behind the rows that were taken. */
	private final AtomicInteger taken = new AtomicInteger();

	private volatile boolean isLost;

	private final long started = System.nanoTime();

	private int loaded;

	DocumentLoad(DocumentStorage storage, MetadataColumns columns, Supplier<StageBatches> batches, RowGraph graph,
			long version) {
		this.storage = storage;
		this.columns = columns;
		this.batches = batches;
		this.graph = graph;
		this.version = version;
		this.end = storage.endOfRows();
		this.threads = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
		int share = Math.max(1, this.end / (this.threads * PARTS_PER_THREAD));
		this.rowsAtOnce = Math.min(DeviceRows.ROWS_PER_BLOCK, Integer.highestOneBit(share));
	}

	/**
	 * Sends all documents. When this method returns or throws, no thread sends any more.
	 * Returns whether the kernel has taken them.
	 */
	boolean run() {
		try (Staging staging = new Staging(Math.min(this.threads, this.end), this::send)) {
			staging.await();
		}
		if (this.isLost) {
			return false;
		}
		logger.debug("Loaded {} documents into the vector store's kernel within {}", this.loaded,
				Durations.format(Duration.ofNanos(System.nanoTime() - this.started)));
		return true;
	}

	private void send() {
		try {
			StageBatches own = this.batches.get();
			for (int from = take(); from < this.end && own.areTaken(); from = take()) {
				int to = Math.min(this.end, from + this.rowsAtOnce);
				logProgress(this.storage.forEach(from, to, (row, document, vector) -> own.add(row,
						this.columns.add(MetadataJson.read(document.metadata())), (target, offset) -> {
							vector.read(target, offset);
							this.graph.add(row, target, offset, this.version);
						})));
			}
			if (!own.end()) {
				this.isLost = true;
			}
		}
		finally {
			// If this thread has failed, or its rows were not taken, others may stop.
			this.taken.set(this.end);
		}
	}

	private synchronized void logProgress(int more) {
		int documents = this.storage.size();
		int step = documents / STEPS_LOGGED;
		boolean isStep = documents >= MIN_DOCUMENTS_LOGGED && (this.loaded + more) / step > this.loaded / step;
		this.loaded += more;
		if (isStep) {
			logger.info("Loaded {} of {} documents into the vector store's kernel", this.loaded, documents);
		}
	}

	private int take() {
		return this.taken.getAndAdd(this.rowsAtOnce);
	}

}
