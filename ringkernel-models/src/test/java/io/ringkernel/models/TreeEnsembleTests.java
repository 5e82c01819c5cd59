package io.ringkernel.models;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.models.forest.InvalidModelException;
import io.ringkernel.models.kernel.EnsembleImage;
import io.ringkernel.models.kernel.ScoreRequest;
import io.ringkernel.models.kernel.ScoreResponse;
import io.ringkernel.models.kernel.TreeEnsembleHandler;
import io.ringkernel.runtime.Kernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.Answers;

import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link TreeEnsemble} on the CPU.
 */
class TreeEnsembleTests {

	private static final int FEATURES = 7;

	private static final TrainedModel FIRST = TrainedModel.train("binary:logistic", FEATURES, 40, 5, Map.of());

	private static final TrainedModel SECOND = TrainedModel.train("binary:logistic", FEATURES, 55, 6,
			Map.of("base_score", 0.2));

	private static final TrainedModel CLASSES = TrainedModel.train("multi:softprob", FEATURES, 5, 3,
			Map.of("num_class", 3));

	private final RunningEnsemble running = RunningEnsemble.onCpu(model(FIRST));

	private final TreeEnsemble ensemble = this.running.ensemble();

	@AfterEach
	void close() {
		this.running.close();
	}

	private static Model model(TrainedModel trained) {
		return Model.of("a test", trained.forest());
	}

	@Test
	void scoresARow() {
		float[] row = FIRST.rows(1, 5);
		assertThat(this.ensemble.margins(row)).isEqualTo(FIRST.margins(row));
		assertThat(this.ensemble.score(row)).isEqualTo(this.ensemble.scores(row)[0]).isBetween(0f, 1f);
	}

	@Test
	void scoresABatchThatIsLongerThanAMessage() {
		float[] rows = FIRST.rows(3 * ScoreRequest.MAX_FLOATS / FEATURES, 5);
		assertThat(this.ensemble.margins(rows)).isEqualTo(FIRST.margins(rows));
	}

	@Test
	void scoresWithoutWaiting() throws Exception {
		float[] rows = FIRST.rows(10, 5);
		assertThat(this.ensemble.submit(rows).get(30, TimeUnit.SECONDS)).isEqualTo(this.ensemble.scores(rows));
	}

	@Test
	void refusesAnotherNumberOfFeatures() {
		assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> this.ensemble.score(1, 2))
			.withMessageContaining("2 elements")
			.withMessageContaining("7 features");
		assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> this.ensemble.scores(new float[15]))
			.withMessageContaining("15 elements")
			.satisfies((ex) -> assertThat(ex.limit()).hasValue(FEATURES));
		assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> this.ensemble.submit(new float[0]));
		assertThatExceptionOfType(InvalidMessageException.class)
			.isThrownBy(() -> this.ensemble.submit(FIRST.rows(ScoreRequest.MAX_FLOATS, 1)))
			.withMessageContaining(String.valueOf(ScoreRequest.MAX_FLOATS * FEATURES));
	}

	@Test
	void refusesMissingFeaturesIfToldTo() {
		TreeEnsemble strict = new TreeEnsemble("strict", this.ensemble.kernel(), model(FIRST), 1 << 20, true);
		float[] rows = new float[3 * FEATURES];
		rows[FEATURES + 4] = Float.NaN;
		assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> strict.scores(rows))
			.withMessageContaining("feature 4 of row 1")
			.withMessageContaining("ringkernel.models.strict.refuse-missing");
		rows[FEATURES + 4] = 1;
		assertThat(strict.scores(rows)).isEqualTo(this.ensemble.scores(rows));
	}

	@Test
	void aModelWithSeveralOutputsHasNoSingleScore() {
		try (RunningEnsemble classes = RunningEnsemble.onCpu(model(CLASSES))) {
			float[] row = CLASSES.rows(1, 5);
			assertThat(classes.ensemble().scores(row)).hasSize(3);
			assertThatIllegalStateException().isThrownBy(() -> classes.ensemble().score(row))
				.withMessageContaining("3 outputs");
		}
	}

	@Test
	void reloadPutsAnotherModelIntoService() {
		float[] rows = FIRST.rows(20, 6);
		for (int i = 0; i < 3; i++) {
			this.ensemble.reload(new ByteArrayResource(SECOND.file("ubj")));
			assertThat(this.ensemble.margins(rows)).isEqualTo(SECOND.margins(rows));
			this.ensemble.reload(new ByteArrayResource(FIRST.file("json")));
			assertThat(this.ensemble.margins(rows)).isEqualTo(FIRST.margins(rows));
		}
		assertThat(this.ensemble.status().reloads()).isEqualTo(6);
		assertThat(this.ensemble.status().trees()).isEqualTo(40);
	}

	@Test
	void aModelOfAnotherLibraryMayReplaceTheFirst() {
		TrainedLightgbmModel other = TrainedLightgbmModel.train("binary", FEATURES, 0, 20, Map.of());
		float[] rows = other.rows(20, 6);
		this.ensemble.reload(new ByteArrayResource(other.file().getBytes(StandardCharsets.UTF_8)));
		assertThat(this.ensemble.margins(rows)).isEqualTo(other.margins(rows));
		assertThat(this.ensemble.status().format()).isEqualTo("LightGBM v4");
		assertThat(this.ensemble.status().objective()).isEqualTo("binary");
	}

	@Test
	void aRefusedModelLeavesTheOneBeforeInService() {
		float[] rows = FIRST.rows(20, 6);
		float[] before = this.ensemble.margins(rows);
		byte[] file = SECOND.file("json");
		assertThatExceptionOfType(InvalidModelException.class)
			.isThrownBy(() -> this.ensemble.reload(new ByteArrayResource(Arrays.copyOf(file, file.length / 2))))
			.withMessageContaining("truncated");
		assertThatExceptionOfType(InvalidModelException.class).isThrownBy(() -> this.ensemble.reload(model(CLASSES)))
			.withMessageContaining("3 outputs");
		TrainedModel large = TrainedModel.train("binary:logistic", FEATURES, 300, 9, Map.of());
		assertThatExceptionOfType(InvalidModelException.class).isThrownBy(() -> this.ensemble.reload(model(large)))
			.withMessageContaining("ringkernel.models.test.capacity")
			.withMessageContaining(String.valueOf(model(large).image().length() * 8L));
		assertThat(this.ensemble.margins(rows)).isEqualTo(before);
		assertThat(this.ensemble.status().reloads()).isZero();
	}

	@Test
	void aKernelThatHasLostTheModelGetsItAgain() {
		float[] rows = FIRST.rows(20, 6);
		this.ensemble.reload(model(SECOND));
		this.ensemble.kernel().client().call(ScoreRequest.load(1, 0, 0, new long[] { 4711 }));
		assertThat(this.ensemble.margins(rows)).isEqualTo(SECOND.margins(rows));
	}

	@Test
	void aKernelThatBeginsWithoutTheModelGetsItByTheFirstCall() {
		float[] rows = FIRST.rows(20, 6);
		try (RunningEnsemble empty = RunningEnsemble.withoutModelOnCpu(model(FIRST))) {
			assertThat(empty.ensemble().margins(rows)).isEqualTo(FIRST.margins(rows));
		}
	}

	@Test
	void aKernelThatHasLostTheModelGetsItAgainForRequestsThatNobodyWaitsFor() throws Exception {
		float[] rows = FIRST.rows(20, 6);
		this.ensemble.reload(model(SECOND));
		this.ensemble.kernel().client().call(ScoreRequest.load(1, 0, 0, new long[] { 4711 }));
		List<CompletableFuture<float[]>> scores = IntStream.range(0, 100)
			.mapToObj((i) -> this.ensemble.submit(rows))
			.toList();
		float[] expected = this.ensemble.scores(rows);
		for (CompletableFuture<float[]> score : scores) {
			assertThat(score.get(30, TimeUnit.SECONDS)).isEqualTo(expected);
		}
	}

	/**
	 * As when a device is lost, or comes back, between two of the requests: the rest of
	 * them meet another state.
	 */
	@Test
	void aModelThatIsStoredInTwoStatesIsInNeither() {
		EnsembleImage image = model(SECOND).image();
		float[] row = FIRST.rows(1, 6);
		List<ScoreRequest> loads = image.loads(0, 64);
		for (int first = 1; first < loads.size(); first++) {
			TreeEnsembleHandler before = new TreeEnsembleHandler(model(FIRST).image(), 1 << 16);
			TreeEnsembleHandler after = new TreeEnsembleHandler(model(FIRST).image(), 1 << 16);
			loads.subList(0, first).forEach(before::handle);
			assertThat(loads.subList(first, loads.size())).allMatch((load) -> after.handle(load).isStale());
			assertThat(before.handle(ScoreRequest.score(0, image.stamp(), row)).isStale()).isTrue();
			assertThat(after.handle(ScoreRequest.score(0, image.stamp(), row)).isStale()).isTrue();
			assertThat(image.loads(0, 64)).noneMatch((load) -> after.handle(load).isStale());
			assertThat(after.handle(ScoreRequest.score(0, image.stamp(), row)).margins())
				.isEqualTo(SECOND.margins(row));
		}
	}

	@Test
	@SuppressWarnings("unchecked")
	void givesUpOnAKernelThatLosesTheModelAgainAndAgain() {
		Kernel<ScoreRequest, ScoreResponse> kernel = mock(Answers.RETURNS_DEEP_STUBS);
		given(kernel.spec().options()).willReturn(KernelOptions.DEFAULTS);
		RingKernelClient<ScoreRequest, ScoreResponse> client = mock();
		given(kernel.id()).willReturn("trees");
		given(kernel.client()).willReturn(client);
		given(client.call(any())).willReturn(new ScoreResponse(true, new float[0]));
		TreeEnsemble losing = new TreeEnsemble("test", kernel, model(FIRST), 1 << 20, false);
		assertThatExceptionOfType(DeviceLostException.class).isThrownBy(() -> losing.margins(FIRST.rows(1, 5)))
			.withMessageContaining("'trees'")
			.withMessageContaining("lost model 'test' 10 times")
			.withMessageContaining("See why it is relaunched.");
	}

	@Test
	void reloadsUnderLoadLoseAndMixNothing() throws Exception {
		float[] rows = FIRST.rows(200, 7);
		int[] first = bits(FIRST.margins(rows));
		int[] second = bits(SECOND.margins(rows));
		Model[] models = { model(FIRST), model(SECOND) };
		AtomicBoolean done = new AtomicBoolean();
		AtomicLong calls = new AtomicLong();
		ExecutorService callers = Executors.newFixedThreadPool(8);
		try {
			List<Future<?>> futures = new ArrayList<>();
			for (int caller = 0; caller < 8; caller++) {
				futures.add(callers.submit(() -> {
					while (!done.get()) {
						int[] answer = bits(this.ensemble.margins(rows));
						assertThat(Arrays.equals(answer, first) || Arrays.equals(answer, second))
							.as("an answer of one model")
							.isTrue();
						calls.incrementAndGet();
					}
				}));
			}
			for (int reload = 1; reload <= 100; reload++) {
				this.ensemble.reload(models[reload % 2]);
				assertThat(bits(this.ensemble.margins(rows))).isEqualTo((reload % 2 == 0) ? first : second);
			}
			done.set(true);
			for (Future<?> future : futures) {
				future.get(1, TimeUnit.MINUTES);
			}
		}
		finally {
			done.set(true);
			callers.shutdown();
			assertThat(callers.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
		}
		assertThat(calls.get()).isGreaterThan(60);
	}

	private static int[] bits(float[] numbers) {
		int[] bits = new int[numbers.length];
		Arrays.setAll(bits, (i) -> Float.floatToIntBits(numbers[i]));
		return bits;
	}

}
