package io.ringkernel.spring.ai.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.ringkernel.spring.ai.filter.MetadataColumns;
import io.ringkernel.spring.ai.filter.MetadataJson;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import io.ringkernel.spring.ai.storage.StoredDocument;
import org.jspecify.annotations.Nullable;

/**
 * Sends stored documents to the kernel. Some are read while those before them are
 * prepared, by several threads, and sent.
 */
final class DocumentLoad implements DocumentStorage.Visitor, AutoCloseable {

	/** What is read at once, of vectors and metadata: 4 MB and more. */
	private static final int BYTES_AT_ONCE = 4 << 20;

	private final StageBatches batches;

	private final MetadataColumns columns;

	private final SimilarityMetric metric;

	private final LoadProgress progress;

	private List<Stored> read = new ArrayList<>();

	private int bytes;

	/** What is being sent. */
	private @Nullable Staging staging;

	DocumentLoad(StageBatches batches, MetadataColumns columns, SimilarityMetric metric, LoadProgress progress) {
		this.batches = batches;
		this.columns = columns;
		this.metric = metric;
		this.progress = progress;
	}

	@Override
	public void visit(int row, StoredDocument document, float[] vector) {
		this.read.add(new Stored(row, document.metadata(), vector));
		this.bytes += vector.length * Float.BYTES + document.metadata().length();
		if (this.bytes >= BYTES_AT_ONCE) {
			send();
		}
	}

	private void send() {
		await();
		List<Stored> some = this.read;
		this.read = new ArrayList<>(some.size());
		this.bytes = 0;
		this.staging = new Staging(() -> stage(some));
	}

	private void await() {
		if (this.staging != null) {
			this.staging.await();
		}
	}

	private void stage(List<Stored> some) {
		List<Map<String, Object>> metadata = some.parallelStream().map(this::prepare).toList();
		for (int i = 0; i < some.size(); i++) {
			Stored stored = some.get(i);
			this.batches.add(stored.row(), stored.vector(), this.columns.add(metadata.get(i)));
			this.progress.advance();
		}
	}

	private Map<String, Object> prepare(Stored stored) {
		this.metric.prepare(stored.vector(), 0, stored.vector().length);
		return MetadataJson.read(stored.metadata());
	}

	/**
	 * Sends what is left.
	 * @return whether the kernel has taken all rows
	 */
	boolean end() {
		send();
		await();
		return this.batches.end();
	}

	/** Waits for what is being sent, whatever comes of it. */
	@Override
	public void close() {
		if (this.staging != null) {
			this.staging.close();
		}
	}

	/** What the kernel has of a document: not its text. */
	private record Stored(int row, String metadata, float[] vector) {
	}

}
