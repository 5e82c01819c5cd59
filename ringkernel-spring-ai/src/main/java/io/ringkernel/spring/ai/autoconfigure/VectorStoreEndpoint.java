package io.ringkernel.spring.ai.autoconfigure;

import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.VectorStoreStatus;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@code /actuator/vectorstore}: what the vector store holds, and what its searches take.
 *
 * @since 0.2.0
 */
@Endpoint(id = "vectorstore")
public final class VectorStoreEndpoint {

	private final RingKernelVectorStore store;

	VectorStoreEndpoint(RingKernelVectorStore store) {
		this.store = store;
	}

	/**
	 * Looks at the store.
	 * @return what it holds now
	 */
	@ReadOperation
	public VectorStoreStatus status() {
		return this.store.status();
	}

}
