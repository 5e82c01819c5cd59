package io.ringkernel.spring.ai.index;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.exception.OutOfDeviceMemoryException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.search.DeviceFullException;
import io.ringkernel.spring.ai.search.DeviceRows;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The tests of {@link DocumentIndex} with a kernel on a CUDA device, whose rows take
 * several blocks of its memory.
 */
@Tag("gpu")
@EnabledIf("io.ringkernel.spring.ai.RunningKernel#hasDevice")
class CudaDocumentIndexTests extends DocumentIndexTests {

	private static final long MOST = 1L << 40;

	private static final long LEAST = 4096;

	@Override
	BackendKind backend() {
		return BackendKind.CUDA;
	}

	@Test
	void whatTheDeviceHasNoRoomForDisturbsNothing() {
		List<IndexedDocument> documents = addMany(100);
		float[] query = vector();
		List<DeviceMemory> filler = fillDevice();
		try {
			List<IndexedDocument> tooMany = IntStream.range(0, DeviceRows.ROWS_PER_BLOCK)
				.mapToObj((i) -> document("more" + i, Map.of("number", i)))
				.toList();
			assertThatExceptionOfType(DeviceFullException.class).isThrownBy(() -> this.index.add(tooMany))
				.withMessageContaining("memory for 4096 vectors of 24 dimensions; 100 documents are stored")
				.withMessageContaining("Remove documents");
			long handled = this.running.kernel().status().processed();
			assertThat(ids(this.index.search(query, 10, ANY_SCORE, null))).isEqualTo(nearest(documents, query, 10));
			assertThat(this.running.kernel().status().processed() - handled).as("requests of a search").isOne();
			this.index.add(List.of(document("one", Map.of("number", 1, "parity", "odd"))));
			assertThat(this.index.size()).isEqualTo(101);
		}
		finally {
			filler.forEach(DeviceMemory::close);
		}
		List<IndexedDocument> all = addMany(2 * DeviceRows.ROWS_PER_BLOCK);
		this.index.remove(List.of("one"));
		assertThat(ids(this.index.search(query, 10, ANY_SCORE, null))).isEqualTo(nearest(all, query, 10));
	}

	@Test
	void documentsThatTheDeviceHasNoRoomForAreLoadedOnceItHas(@TempDir Path directory) {
		List<IndexedDocument> documents = List.of(document("a", Map.of()), document("b", Map.of()));
		try (DocumentIndex first = open(directory)) {
			first.add(documents);
		}
		try (DocumentIndex second = open(directory)) {
			List<DeviceMemory> filler = fillDevice();
			try {
				assertThatExceptionOfType(DeviceFullException.class).isThrownBy(second::load)
					.withMessageContaining("memory for 0 vectors of 24 dimensions; 2 documents are stored");
				assertThat(second.problem()).contains("2 documents are stored");
			}
			finally {
				filler.forEach(DeviceMemory::close);
			}
			assertThat(second.search(vector(), 5, ANY_SCORE, null)).hasSize(2);
			assertThat(second.problem()).isNull();
		}
	}

	@Test
	void memoryOfTheInitialCapacityIsThereBeforeTheDocuments(@TempDir Path directory) {
		try (DocumentIndex index = open(directory, DeviceRows.ROWS_PER_BLOCK + 1)) {
			index.load();
			List<DeviceMemory> filler = fillDevice();
			try {
				index.add(IntStream.range(0, DeviceRows.ROWS_PER_BLOCK + 1)
					.mapToObj((i) -> document("id" + i, Map.of()))
					.toList());
				assertThat(index.search(vector(), 5, ANY_SCORE, null)).hasSize(5);
			}
			finally {
				filler.forEach(DeviceMemory::close);
			}
		}
	}

	@Test
	void anInitialCapacityThatTheDeviceHasNoRoomForIsNamed(@TempDir Path directory) {
		DeviceMemory some = allocate(DeviceRows.PASSES_BYTES + LEAST);
		List<DeviceMemory> filler = fillDevice();
		some.close();
		try (DocumentIndex index = open(directory, 100 * DeviceRows.ROWS_PER_BLOCK)) {
			assertThatExceptionOfType(DeviceFullException.class).isThrownBy(index::load)
				.withMessageContaining("The initial capacity of the vector store is 409600 documents, and device 0 has "
						+ "memory for ")
				.withMessageContaining("Set spring.ai.vectorstore.ringkernel.initial-capacity to at most ");
		}
		finally {
			filler.forEach(DeviceMemory::close);
		}
	}

	private DocumentIndex open(Path directory) {
		return open(directory, 0);
	}

	private DocumentIndex open(Path directory, int initialCapacity) {
		return new DocumentIndex(DocumentStorage.open(directory, DIMENSIONS, ""), this.running.kernel(),
				SimilarityMetric.DOT_PRODUCT, elementType(), DIMENSIONS, initialCapacity, RowGraph.NONE);
	}

	private List<DeviceMemory> fillDevice() {
		List<DeviceMemory> filler = new ArrayList<>();
		for (long bytes = MOST; bytes >= LEAST;) {
			try {
				filler.add(allocate(bytes));
			}
			catch (OutOfDeviceMemoryException ex) {
				bytes /= 2;
			}
		}
		return filler;
	}

	private DeviceMemory allocate(long bytes) {
		return this.running.kernel().allocate(bytes).orElseThrow();
	}

}
