package io.ringkernel.spring.ai;

import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The meters of a vector store, beside its observations:
 * <ul>
 * <li>{@code ringkernel.vectorstore.documents}: how many documents it holds</li>
 * <li>{@code ringkernel.vectorstore.vectors}: how large their vectors are, in bytes</li>
 * <li>{@code ringkernel.vectorstore.search}: searches, without embedding</li>
 * <li>{@code ringkernel.vectorstore.compared}: how large the vectors are that searches
 * were to compare with, added up, in bytes</li>
 * </ul>
 *
 * @since 0.2.0
 */
public final class RingKernelVectorStoreMetrics implements MeterBinder {

	private static final String PREFIX = "ringkernel.vectorstore.";

	private final RingKernelVectorStore store;

	/**
	 * Creates the meters of a store.
	 * @param store the store
	 */
	public RingKernelVectorStoreMetrics(RingKernelVectorStore store) {
		this.store = store;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder(PREFIX + "documents", this.store, RingKernelVectorStore::size)
			.description("Documents in the vector store")
			.register(registry);
		Gauge.builder(PREFIX + "vectors", this.store, (it) -> it.status().vectorBytes())
			.description("Size of the vectors of all documents")
			.baseUnit(BaseUnits.BYTES)
			.register(registry);
		FunctionTimer
			.builder(PREFIX + "search", this.store, (it) -> it.status().searches(), (it) -> it.status().searchNanos(),
					TimeUnit.NANOSECONDS)
			.description("Searches, from the vector to the documents")
			.register(registry);
		FunctionCounter.builder(PREFIX + "compared", this.store, (it) -> it.status().comparedBytes())
			.description("Size of the vectors that searches were to compare with")
			.baseUnit(BaseUnits.BYTES)
			.register(registry);
	}

}
