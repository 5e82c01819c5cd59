package io.ringkernel.spring.ai.embedding;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.spring.ai.embedding.kernel.EncoderHandler;
import io.ringkernel.spring.ai.embedding.kernel.EncoderImage;
import io.ringkernel.spring.ai.embedding.kernel.EncoderOutcome;
import io.ringkernel.spring.ai.embedding.kernel.EncoderRequest;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

/**
 * The kernel on a CUDA device encodes as {@link EncoderHandler} does.
 */
@Tag("gpu")
@EnabledIf("io.ringkernel.spring.ai.RunningKernel#hasDevice")
class CudaEncoderTests {

	private static final int MAX_TOKENS = 40;

	/** Of halves: ten bits behind the first one. */
	private static final double CLOSE = 0.9999;

	/** Of the type of the state, in front of the image; where a worker's tag lies. */
	private static final int STATE_BYTES = 128;

	private static final int TAG_AT = 2 * 128 + Integer.BYTES;

	private static final EncoderWeights WEIGHTS = RandomWeights.of(RandomWeights.TWO_LAYERS);

	private final RunningEncoder running = start(3);

	private final EncoderHandler handler = new EncoderHandler(WEIGHTS);

	private final Random random = new Random(3);

	CudaEncoderTests() {
	}

	private static RunningEncoder start(int workers) {
		return new RunningEncoder(BackendKind.CUDA, WEIGHTS, MAX_TOKENS,
				KernelOptions.builder().workers(workers).requestTimeout(Duration.ofMinutes(1)).build());
	}

	@AfterEach
	void close() {
		this.running.close();
	}

	private int[] text(int tokens) {
		return this.random.ints(tokens, 0, RandomWeights.TWO_LAYERS.vocabulary()).toArray();
	}

	private float[] encoded(int[] text) {
		return this.running.encoder().encode(List.of(text)).get(0);
	}

	/** A number for each vector that tells it from any other one. */
	private static List<Integer> bits(List<float[]> vectors) {
		return vectors.stream().map(Arrays::hashCode).toList();
	}

	private static double cosine(float[] one, float[] other) {
		return IntStream.range(0, one.length).mapToDouble((i) -> (double) one[i] * other[i]).sum();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 16, 17, 33, MAX_TOKENS })
	void encodesAsTheCpuDoes(int tokens) {
		int[] text = text(tokens);
		float[] expected = this.handler.handle(EncoderRequest.encode(0, text)).vector();
		float[] vector = encoded(text);
		assertThat(cosine(vector, vector)).isCloseTo(1, within(1e-5));
		assertThat(cosine(vector, expected)).isGreaterThan(CLOSE);
		assertThat(cosine(vector, encoded(text(tokens)))).isLessThan(CLOSE);
	}

	@Test
	void oneWorkerEncodesToTheBitAsSeveralDo() {
		List<int[]> texts = Stream.of(3, 20, 40).map(this::text).toList();
		try (RunningEncoder alone = start(1)) {
			assertThat(bits(this.running.encoder().encode(texts))).isEqualTo(bits(alone.encoder().encode(texts)));
		}
	}

	@Test
	void encodesTheSameWhenTagsBeginAnew() {
		List<int[]> texts = Stream.of(5, 3).map(this::text).toList();
		List<Integer> expected = bits(this.running.encoder().encode(texts));
		int tags = 1 + 2 * RandomWeights.TWO_LAYERS.layers();
		for (int worker = 0; worker < 3; worker++) {
			long board = EncoderImage.stateBytes(RandomWeights.TWO_LAYERS, MAX_TOKENS, worker) - STATE_BYTES;
			this.running.kernel()
				.client()
				.call(EncoderRequest.load(0, (int) (board + TAG_AT) / Integer.BYTES,
						new int[] { Integer.divideUnsigned(-1, tags) * tags - 2 * tags }));
		}
		for (int round = 0; round < 3; round++) {
			assertThat(texts.stream().map(this::encoded).map(Arrays::hashCode).toList()).isEqualTo(expected);
		}
	}

	@Test
	void callersGetTheVectorsOfTheirTexts() {
		List<int[]> texts = Stream.generate(() -> text(1 + this.random.nextInt(16))).limit(9).toList();
		List<float[]> expected = texts.stream().map(this::encoded).toList();
		List<CompletableFuture<float[]>> vectors = texts.stream()
			.map((text) -> CompletableFuture.supplyAsync(() -> encoded(text)))
			.toList();
		assertThat(bits(vectors.stream().map(CompletableFuture::join).toList())).isEqualTo(bits(expected));
	}

	@Test
	void storesTheModelAgainThatTheDeviceHasLost() {
		int[] text = text(9);
		float[] before = encoded(text);
		this.running.kernel().terminate();
		this.running.kernel().launch();
		this.running.kernel().activate();
		assertThat(encoded(text)).isEqualTo(before);
	}

	/** As when the kernel comes to another state between two of the requests. */
	@Test
	void storesNoWordsBesideAnotherMark() {
		int[] text = text(9);
		float[] before = encoded(text);
		assertThat(this.running.kernel().client().call(EncoderRequest.load(4711, 6, new int[] { 1, 2 })).outcome())
			.isEqualTo(EncoderOutcome.STALE);
		assertThat(encoded(text)).isEqualTo(before);
	}

	@Test
	void refusesTokensThatTheModelDoesNotHave() {
		encoded(text(2));
		long stamp = EncoderImage.stamp(EncoderImage.of(WEIGHTS, MAX_TOKENS));
		Stream
			.of(new int[0], text(MAX_TOKENS + 1), new int[] { 1, RandomWeights.TWO_LAYERS.vocabulary() },
					new int[] { -1 })
			.forEach((text) -> assertThatExceptionOfType(HandlerFailedException.class)
				.isThrownBy(() -> this.running.kernel().client().call(EncoderRequest.encode(stamp, text)))
				.satisfies((failure) -> assertThat(failure.code()).isEqualTo(1)));
	}

	@Test
	void refusesWordsBehindTheEndOfItsState() {
		assertThatExceptionOfType(HandlerFailedException.class)
			.isThrownBy(() -> this.running.kernel()
				.client()
				.call(EncoderRequest.load(0, Integer.MAX_VALUE - 1, new int[] { 1, 2 })))
			.satisfies((failure) -> assertThat(failure.code()).isEqualTo(2));
	}

}
