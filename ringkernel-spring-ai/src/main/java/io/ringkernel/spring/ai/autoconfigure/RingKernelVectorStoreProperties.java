package io.ringkernel.spring.ai.autoconfigure;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

import io.ringkernel.spring.ai.graph.IndexKind;
import io.ringkernel.spring.ai.search.DeviceRows;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The properties of the vector store, or of several.
 *
 * @param metric How vectors are compared.
 * @param storage As what the kernel keeps the elements of vectors.
 * @param index How the nearest documents are found: by a comparison with every vector, or
 * by a graph, which needs JVector.
 * @param dimensions Elements of each vector, from 1 to 16384. The embedding model is
 * asked if it is 0.
 * @param initialCapacity Documents for whose vectors the device has memory before they
 * are added.
 * @param batchSize Documents that are embedded at once. If it is 0, as many as their
 * tokens allow, and all if a ring kernel embeds them.
 * @param directory Directory that keeps documents and vectors. They are gone with the
 * application if it is not set. With several stores, each has a directory in it.
 * @param modelName Name of the embedding model that the directory notes. By default, the
 * model that the options of the embedding model name, or its class.
 * @param stores Several stores in place of one, by the names of their beans.
 * @since 0.2.0
 */
@ConfigurationProperties(RingKernelVectorStoreProperties.PREFIX)
public record RingKernelVectorStoreProperties(@DefaultValue("cosine") SimilarityMetric metric,
		@DefaultValue("float32") ElementType storage, @DefaultValue("exact") IndexKind index,
		@DefaultValue("0") int dimensions, @DefaultValue("0") int initialCapacity, @DefaultValue("0") int batchSize,
		@Nullable Path directory, @Nullable String modelName, @DefaultValue Map<String, Store> stores) {

	/** What the names of all properties begin with. */
	public static final String PREFIX = "spring.ai.vectorstore.ringkernel";

	private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

	/**
	 * Checks the values, which are as the record says.
	 * @param metric how vectors are compared
	 * @param storage as what their elements are kept
	 * @param index how the nearest documents are found
	 * @param dimensions elements of each vector
	 * @param initialCapacity documents that there is memory for at first
	 * @param batchSize documents that are embedded at once
	 * @param directory where all is kept
	 * @param modelName the name of the embedding model
	 * @param stores several stores, by their names
	 */
	public RingKernelVectorStoreProperties {
		check(PREFIX, dimensions, initialCapacity);
		if (batchSize < 0) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + ".batch-size", batchSize,
					"Set it to 1 or more, or to 0 to count the tokens of documents.");
		}
		stores.forEach((name, store) -> {
			String prefix = PREFIX + ".stores." + name;
			if (!NAME.matcher(name).matches()) {
				throw new InvalidConfigurationPropertyValueException(PREFIX + ".stores", name,
						"Name a store by lower-case letters, digits and single hyphens between them.");
			}
			check(prefix, Objects.requireNonNullElse(store.dimensions(), 0),
					Objects.requireNonNullElse(store.initialCapacity(), 0));
		});
	}

	private static void check(String prefix, int dimensions, int initialCapacity) {
		if (dimensions < 0 || dimensions > VectorSearchRequest.MAX_FLOATS) {
			throw new InvalidConfigurationPropertyValueException(prefix + ".dimensions", dimensions,
					"Set it to a value from 1 to %d, or to 0 to ask the embedding model."
						.formatted(VectorSearchRequest.MAX_FLOATS));
		}
		if (initialCapacity < 0 || initialCapacity > DeviceRows.MAX_ROWS) {
			throw new InvalidConfigurationPropertyValueException(prefix + ".initial-capacity", initialCapacity,
					"Set it to a value from 0 to %d.".formatted(DeviceRows.MAX_ROWS));
		}
	}

	/** Its own properties, and those of all stores for what it leaves out. */
	RingKernelVectorStoreProperties of(String name) {
		Store store = Objects.requireNonNull(this.stores.get(name), name);
		Path shared = (this.directory != null) ? this.directory.resolve(name) : null;
		return new RingKernelVectorStoreProperties(Objects.requireNonNullElse(store.metric(), this.metric),
				Objects.requireNonNullElse(store.storage(), this.storage),
				Objects.requireNonNullElse(store.index(), this.index),
				Objects.requireNonNullElse(store.dimensions(), this.dimensions),
				Objects.requireNonNullElse(store.initialCapacity(), this.initialCapacity), this.batchSize,
				(store.directory() != null) ? store.directory() : shared,
				(store.modelName() != null) ? store.modelName() : this.modelName, Map.of());
	}

	/**
	 * The properties of one of several stores. What is {@code null} is as for all stores.
	 *
	 * @param metric How vectors are compared.
	 * @param storage As what the kernel keeps the elements of vectors.
	 * @param index How the nearest documents are found.
	 * @param dimensions Elements of each vector, from 1 to 16384. The embedding model is
	 * asked if it is 0.
	 * @param initialCapacity Documents for whose vectors the device has memory before
	 * they are added.
	 * @param directory Directory that keeps documents and vectors. By default the
	 * directory by the name of the store in that of all stores.
	 * @param modelName Name of the embedding model that the directory notes.
	 * @param embeddingModel Name of the bean that embeds. By default the one
	 * EmbeddingModel bean, or the primary one.
	 * @since 0.2.0
	 */
	public record Store(@Nullable SimilarityMetric metric, @Nullable ElementType storage, @Nullable IndexKind index,
			@Nullable Integer dimensions, @Nullable Integer initialCapacity, @Nullable Path directory,
			@Nullable String modelName, @Nullable String embeddingModel) {
	}

}
