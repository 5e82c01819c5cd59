package io.ringkernel.spring.ai.autoconfigure;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Configuration of {@link VectorStoreEndpoint}.
 *
 * @param snapshotDirectory Directory below which snapshots go: each to a directory named
 * by the time, in one named by the store. Without it, the endpoint makes none.
 * @since 0.2.0
 */
@ConfigurationProperties("management.endpoint.vectorstore")
public record VectorStoreEndpointProperties(@Nullable Path snapshotDirectory) {

	static final String SNAPSHOT_DIRECTORY = "management.endpoint.vectorstore.snapshot-directory";

}
