package io.ringkernel.spring.ai.autoconfigure;

import java.nio.file.Path;

import io.ringkernel.spring.ai.search.DeviceRows;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The properties of the vector store.
 *
 * @param metric How vectors are compared.
 * @param storage As what the kernel keeps the elements of vectors.
 * @param dimensions Elements of each vector, from 1 to 16384. The embedding model is
 * asked if it is 0.
 * @param initialCapacity Documents for whose vectors the device has memory before they
 * are added.
 * @param batchSize Documents that are embedded at once. If it is 0, as many as their
 * tokens allow.
 * @param directory Directory that keeps documents and vectors. They are gone with the
 * application if it is not set.
 * @param modelName Name of the embedding model that the directory notes. By default, the
 * model that the options of the embedding model name, or its class.
 * @since 0.2.0
 */
@ConfigurationProperties(RingKernelVectorStoreProperties.PREFIX)
public record RingKernelVectorStoreProperties(@DefaultValue("cosine") SimilarityMetric metric,
		@DefaultValue("float32") ElementType storage, @DefaultValue("0") int dimensions,
		@DefaultValue("0") int initialCapacity, @DefaultValue("0") int batchSize, @Nullable Path directory,
		@Nullable String modelName) {

	/** What the names of all properties begin with. */
	public static final String PREFIX = "spring.ai.vectorstore.ringkernel";

	/**
	 * Checks the values.
	 * @param metric how vectors are compared
	 * @param storage as what the kernel keeps their elements
	 * @param dimensions elements of each vector; 0 to ask the embedding model
	 * @param initialCapacity for how many documents there is memory at first
	 * @param batchSize how many documents are embedded at once; 0 to count their tokens
	 * @param directory where documents and vectors are kept, if anywhere
	 * @param modelName the name of the embedding model, if it is not to be asked
	 */
	public RingKernelVectorStoreProperties {
		if (dimensions < 0 || dimensions > VectorSearchRequest.MAX_FLOATS) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + ".dimensions", dimensions,
					"Set it to a value from 1 to %d, or to 0 to ask the embedding model."
						.formatted(VectorSearchRequest.MAX_FLOATS));
		}
		if (initialCapacity < 0 || initialCapacity > DeviceRows.MAX_ROWS) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + ".initial-capacity", initialCapacity,
					"Set it to a value from 0 to %d.".formatted(DeviceRows.MAX_ROWS));
		}
		if (batchSize < 0) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + ".batch-size", batchSize,
					"Set it to 1 or more, or to 0 to count the tokens of documents.");
		}
	}

}
