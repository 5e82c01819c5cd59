package io.ringkernel.spring.ai.index;

import io.ringkernel.spring.ai.index.Snapshots.Snapshot;
import io.ringkernel.spring.ai.storage.StorageSnapshot;

/**
 * What is stored at one moment.
 *
 * @param rows no row of it is used again before this is closed
 * @param stored the documents and vectors
 */
record Held(Snapshot rows, StorageSnapshot stored) implements AutoCloseable {

	@Override
	public void close() {
		try (this.rows) {
			this.stored.close();
		}
	}

}
