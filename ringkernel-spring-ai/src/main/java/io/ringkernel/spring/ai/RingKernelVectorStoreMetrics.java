package io.ringkernel.spring.ai;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The meters of vector stores, beside their observations, each with the tag
 * {@code store}:
 * <ul>
 * <li>{@code ringkernel.vectorstore.documents}: how many documents it holds</li>
 * <li>{@code ringkernel.vectorstore.vectors}: how large their vectors are, in bytes</li>
 * <li>{@code ringkernel.vectorstore.search}: searches, without embedding</li>
 * <li>{@code ringkernel.vectorstore.compared}: how large the vectors are that searches
 * were to compare with, added up, in bytes</li>
 * <li>{@code ringkernel.vectorstore.waiting}: vectors that wait for their place in the
 * graph, if the store has one</li>
 * </ul>
 *
 * @since 0.2.0
 */
public final class RingKernelVectorStoreMetrics implements MeterBinder {

	private static final String PREFIX = "ringkernel.vectorstore.";

	private final Map<String, RingKernelVectorStore> stores;

	/**
	 * Creates the meters of stores.
	 * @param stores the stores, each by the name that tags its meters
	 */
	public RingKernelVectorStoreMetrics(Map<String, RingKernelVectorStore> stores) {
		this.stores = Map.copyOf(stores);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.stores.forEach((name, store) -> bind(Tags.of("store", name), store, registry));
	}

	private static void bind(Tags tags, RingKernelVectorStore store, MeterRegistry registry) {
		Gauge.builder(PREFIX + "documents", store, RingKernelVectorStore::size)
			.tags(tags)
			.description("Documents in the vector store")
			.register(registry);
		Gauge.builder(PREFIX + "vectors", store, (it) -> it.status().vectorBytes())
			.tags(tags)
			.description("Size of the vectors of all documents")
			.baseUnit(BaseUnits.BYTES)
			.register(registry);
		FunctionTimer
			.builder(PREFIX + "search", store, (it) -> it.status().searches(), (it) -> it.status().searchNanos(),
					TimeUnit.NANOSECONDS)
			.tags(tags)
			.description("Searches, from the vector to the documents")
			.register(registry);
		FunctionCounter.builder(PREFIX + "compared", store, (it) -> it.status().comparedBytes())
			.tags(tags)
			.description("Size of the vectors that searches were to compare with")
			.baseUnit(BaseUnits.BYTES)
			.register(registry);
		if (store.status().graph() != null) {
			Gauge.builder(PREFIX + "waiting", store, RingKernelVectorStoreMetrics::waiting)
				.tags(tags)
				.description("Vectors that wait for their place in the graph")
				.register(registry);
		}
	}

	private static int waiting(RingKernelVectorStore store) {
		VectorStoreStatus.Graph graph = store.status().graph();
		return (graph != null) ? graph.waiting() : 0;
	}

}
