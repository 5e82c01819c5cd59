package io.ringkernel.models;

/**
 * The model that is in service.
 *
 * @param source where it was read from
 * @param format what wrote it
 * @param objective the objective, as the model names it
 * @param features the features of a row
 * @param outputs the predictions of a row
 * @param trees the number of trees
 * @param bytes how large it is in the kernel
 * @param capacity how large a model may be, in bytes
 * @param stamp tells models apart: equal models have equal stamps
 * @param reloads how many models have followed the first one
 * @since 0.2.0
 */
public record ModelStatus(String source, String format, String objective, int features, int outputs, int trees,
		long bytes, long capacity, String stamp, int reloads) {
}
