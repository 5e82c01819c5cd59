package io.ringkernel.spring.ai.embedding;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.ai.embedding.kernel.EncoderHandler;
import io.ringkernel.spring.ai.embedding.kernel.EncoderImage;
import io.ringkernel.spring.ai.embedding.kernel.EncoderRequest;
import io.ringkernel.spring.ai.embedding.kernel.EncoderResponse;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;
import io.ringkernel.spring.ai.embedding.model.InvalidEncoderException;
import io.ringkernel.spring.ai.embedding.tokenizer.TokenizedText;
import io.ringkernel.spring.ai.embedding.tokenizer.WordPieceTokenizer;

import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.document.Document;
import org.springframework.ai.document.MetadataMode;
import org.springframework.ai.embedding.AbstractEmbeddingModel;
import org.springframework.ai.embedding.Embedding;
import org.springframework.ai.embedding.EmbeddingOptions;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;
import org.springframework.ai.embedding.EmbeddingResponseMetadata;
import org.springframework.ai.embedding.observation.DefaultEmbeddingModelObservationConvention;
import org.springframework.ai.embedding.observation.EmbeddingModelObservationContext;
import org.springframework.ai.embedding.observation.EmbeddingModelObservationConvention;
import org.springframework.ai.embedding.observation.EmbeddingModelObservationDocumentation;
import org.springframework.util.Assert;

/**
 * A Spring AI embedding model whose encoder is a ring kernel. A vector has 384 elements
 * and a length of 1. A text that has more tokens than the model takes is cut off there,
 * which {@link #truncatedTexts()} counts; an empty one has a vector like any other. Any
 * number of threads may call it: each text is a request of its own.
 *
 * @since 0.2.0
 */
public final class RingKernelEmbeddingModel extends AbstractEmbeddingModel {

	/** The name of the provider, as {@code spring.ai.model.embedding} has it. */
	public static final String PROVIDER = "ringkernel";

	private static final EmbeddingModelObservationConvention DEFAULT_CONVENTION = new DefaultEmbeddingModelObservationConvention();

	private final EncoderKernel encoder;

	private final WordPieceTokenizer tokenizer;

	private final EmbeddingOptions options;

	private final ObservationRegistry observationRegistry;

	private final LongAdder truncated = new LongAdder();

	private volatile EmbeddingModelObservationConvention convention = DEFAULT_CONVENTION;

	/**
	 * Creates the model.
	 * @param kernel the kernel, with {@link #options(KernelOptions, EncoderWeights, int)}
	 * and a handler of the same weights
	 * @param weights the weights
	 * @param tokenizer the tokenizer of the same model
	 * @param maxTokens the most tokens of a text, 2 to {@link #maxTokens(EncoderWeights)}
	 * @param name the name of the model, which observations and responses have
	 * @param observationRegistry where calls are observed
	 * @throws InvalidEncoderException if the model does not know all tokens of the
	 * tokenizer, or {@code maxTokens} is out of range
	 */
	public RingKernelEmbeddingModel(Kernel<EncoderRequest, EncoderResponse> kernel, EncoderWeights weights,
			WordPieceTokenizer tokenizer, int maxTokens, String name, ObservationRegistry observationRegistry) {
		if (tokenizer.vocabularySize() > weights.shape().vocabulary()) {
			throw new InvalidEncoderException(
					"The tokenizer has %d tokens, and the model knows %d. Take the tokenizer of this model."
						.formatted(tokenizer.vocabularySize(), weights.shape().vocabulary()));
		}
		if (maxTokens < 2 || maxTokens > maxTokens(weights)) {
			throw new InvalidEncoderException(
					"max-tokens is %d. Set it to a value from 2 to %d.".formatted(maxTokens, maxTokens(weights)));
		}
		this.encoder = new EncoderKernel(kernel, weights, maxTokens);
		this.tokenizer = tokenizer;
		this.options = EmbeddingOptions.builder().model(name).dimensions(weights.shape().hidden()).build();
		this.observationRegistry = observationRegistry;
	}

	/**
	 * The most tokens of a text that the kernel can encode.
	 * @param weights the weights of a model
	 * @return the most tokens, with those that begin and end a text
	 */
	public static int maxTokens(EncoderWeights weights) {
		return Math.min(EncoderRequest.MAX_TOKENS, weights.shape().positions());
	}

	/**
	 * What the kernel has to have.
	 * @param options what is configured
	 * @param weights the weights
	 * @param maxTokens the most tokens of a text
	 * @return the same with the threads that it is for, and at least the memory it needs
	 */
	public static KernelOptions options(KernelOptions options, EncoderWeights weights, int maxTokens) {
		return options.toBuilder()
			.threadsPerWorker(EncoderHandler.THREADS_PER_WORKER)
			.stateMemory(Math.max(options.stateMemory(),
					EncoderImage.stateBytes(weights.shape(), maxTokens, options.workers())))
			.build();
	}

	/**
	 * Has other names in observations than Spring AI's.
	 * @param convention the names
	 */
	public void setObservationConvention(EmbeddingModelObservationConvention convention) {
		this.convention = convention;
	}

	/**
	 * What the model is.
	 * @return its name and its dimensions
	 */
	public EmbeddingOptions getOptions() {
		return this.options;
	}

	/**
	 * How many texts had more tokens than the model takes.
	 * @return the number since the model was created
	 */
	public long truncatedTexts() {
		return this.truncated.sum();
	}

	@Override
	public int dimensions() {
		return Objects.requireNonNull(this.options.getDimensions());
	}

	@Override
	public String getEmbeddingContent(Document document) {
		return document.getFormattedContent(MetadataMode.EMBED);
	}

	@Override
	public float[] embed(Document document) {
		return embed(getEmbeddingContent(document));
	}

	/**
	 * Embeds texts.
	 * @param request the texts; options are not used
	 * @return their vectors, in order
	 * @throws IllegalArgumentException if a text is null
	 * @throws RingKernelException if the kernel does not answer
	 */
	@Override
	public EmbeddingResponse call(EmbeddingRequest request) {
		EmbeddingRequest observed = new EmbeddingRequest(request.getInstructions(), this.options);
		EmbeddingModelObservationContext context = EmbeddingModelObservationContext.builder()
			.embeddingRequest(observed)
			.provider(PROVIDER)
			.build();
		return Objects.requireNonNull(EmbeddingModelObservationDocumentation.EMBEDDING_MODEL_OPERATION
			.observation(this.convention, DEFAULT_CONVENTION, () -> context, this.observationRegistry)
			.observe(() -> {
				EmbeddingResponse response = encode(request.getInstructions());
				context.setResponse(response);
				return response;
			}));
	}

	private EmbeddingResponse encode(List<String> texts) {
		Assert.noNullElements(texts, "A text is null. Leave it out, or embed an empty one.");
		List<int[]> tokens = texts.stream().map(this::tokenize).toList();
		List<float[]> vectors = this.encoder.encode(tokens);
		int count = tokens.stream().mapToInt((text) -> text.length).sum();
		return new EmbeddingResponse(
				IntStream.range(0, vectors.size()).mapToObj((i) -> new Embedding(vectors.get(i), i)).toList(),
				new EmbeddingResponseMetadata(Objects.requireNonNull(this.options.getModel()),
						new DefaultUsage(count, 0)));
	}

	private int[] tokenize(String text) {
		TokenizedText tokenized = this.tokenizer.tokenize(text, this.encoder.maxTokens());
		if (tokenized.isTruncated()) {
			this.truncated.increment();
		}
		return tokenized.tokens();
	}

}
