package io.ringkernel.spring.ai.autoconfigure;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.TreeMap;

import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.VectorStoreStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@code /actuator/vectorstore}: what each vector store holds, and what its searches
 * take, by the name of its bean. {@code /actuator/vectorstore/{name}} shows one of them,
 * and takes a snapshot of it. Who may do the latter has to be said: access is read-only
 * by default.
 *
 * @since 0.2.0
 */
@Endpoint(id = "vectorstore", defaultAccess = Access.READ_ONLY)
public final class VectorStoreEndpoint {

	static final String SNAPSHOT = "snapshot";

	/** Of a moment in UTC, as every file system takes it. */
	private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'")
		.withZone(ZoneOffset.UTC);

	private final Map<String, RingKernelVectorStore> stores;

	private final @Nullable Path snapshots;

	VectorStoreEndpoint(Map<String, RingKernelVectorStore> stores, @Nullable Path snapshots) {
		this.stores = Map.copyOf(stores);
		this.snapshots = snapshots;
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

	/**
	 * Copies what a store holds at one moment, while searches and changes go on. The copy
	 * goes below the directory that is configured. The request names no part of its path.
	 * @param name the name of the store's bean
	 * @param action {@value #SNAPSHOT}
	 * @return where the copy is; {@code null} if there is no such store
	 * @throws IllegalArgumentException if there is no such action
	 * @throws IllegalStateException if no directory for snapshots is configured
	 * @throws io.ringkernel.spring.ai.storage.StorageException if it cannot be written
	 */
	@WriteOperation
	public @Nullable Snapshot act(@Selector String name, String action) {
		RingKernelVectorStore store = this.stores.get(name);
		if (store == null) {
			return null;
		}
		if (!action.equals(SNAPSHOT)) {
			throw new IllegalArgumentException(
					"The action is none that a vector store has. Use '%s'.".formatted(SNAPSHOT));
		}
		if (this.snapshots == null) {
			throw new IllegalStateException(
					"There is no directory for snapshots. Set %s to one that the application may write."
						.formatted(VectorStoreEndpointProperties.SNAPSHOT_DIRECTORY));
		}
		Path copy = this.snapshots.resolve(name).resolve(TIME.format(Instant.now())).toAbsolutePath();
		return new Snapshot(copy.toString(), store.snapshot(copy));
	}

	/**
	 * A copy of a store.
	 *
	 * @param directory where its files are
	 * @param documents how many documents it has
	 * @since 0.2.0
	 */
	public record Snapshot(String directory, int documents) implements OperationResponseBody {
	}

}
