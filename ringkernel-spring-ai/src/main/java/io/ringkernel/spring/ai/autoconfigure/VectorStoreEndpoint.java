package io.ringkernel.spring.ai.autoconfigure;

import java.util.Map;
import java.util.TreeMap;

import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.VectorStoreStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * {@code /actuator/vectorstore}: what each vector store holds, and what its searches
 * take, by the name of its bean. {@code /actuator/vectorstore/{name}} shows one of them.
 *
 * @since 0.2.0
 */
@Endpoint(id = "vectorstore")
public final class VectorStoreEndpoint {

	private final Map<String, RingKernelVectorStore> stores;

	VectorStoreEndpoint(Map<String, RingKernelVectorStore> stores) {
		this.stores = Map.copyOf(stores);
	}

	/**
	 * Looks at all stores.
	 * @return what each holds now, by the name of its bean
	 */
	@ReadOperation
	public Map<String, VectorStoreStatus> stores() {
		Map<String, VectorStoreStatus> all = new TreeMap<>();
		this.stores.forEach((name, store) -> all.put(name, store.status()));
		return all;
	}

	/**
	 * Looks at a store.
	 * @param name the name of its bean
	 * @return what it holds now; {@code null} if there is no such store
	 */
	@ReadOperation
	public @Nullable VectorStoreStatus store(@Selector String name) {
		RingKernelVectorStore store = this.stores.get(name);
		return (store != null) ? store.status() : null;
	}

}
