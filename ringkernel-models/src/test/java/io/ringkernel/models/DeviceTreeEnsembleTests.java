package io.ringkernel.models;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

import io.ringkernel.test.ptx.PtxMachine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The handler as it is compiled for a device, beside XGBoost and LightGBM: margins have
 * the same bits.
 */
class DeviceTreeEnsembleTests {

	private static final int ROWS = 1000;

	private final PtxMachine machine = new PtxMachine();

	@AfterEach
	void close() {
		this.machine.close();
		assertThat(this.machine.faults()).isEmpty();
	}

	static Stream<Arguments> models() {
		return Stream.of(arguments("logistic", TrainedModel.train("binary:logistic", 9, 21, 5, Map.of())),
				arguments("softprob", TrainedModel.train("multi:softprob", 6, 7, 4, Map.of("num_class", 3))),
				arguments("categories", TrainedModel.train("reg:squarederror", 6, 3, 20, 5, Map.of())),
				arguments("LightGBM", TrainedLightgbmModel.train("binary", 9, 0, 21, Map.of())),
				arguments("LightGBM, categories and zeros that are missing", TrainedLightgbmModel.train("multiclass", 6,
						3, 7, Map.of("num_class", 3, "zero_as_missing", true, "cat_smooth", 1))));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("models")
	void marginsHaveTheBitsOfTheLibrary(String name, Oracle trained) {
		try (RunningEnsemble running = RunningEnsemble.on(this.machine.provider(), model(trained))) {
			float[] rows = trained.rows(ROWS, 11);
			assertThat(bits(running.ensemble().margins(rows))).isEqualTo(bits(trained.margins(rows)));
			float[] row = trained.rows(1, 12);
			assertThat(bits(running.ensemble().margins(row))).isEqualTo(bits(trained.margins(row)));
		}
	}

	@Test
	void reloadsAndLoadsAgainAfterARelaunch() {
		TrainedModel first = TrainedModel.train("binary:logistic", 5, 9, 4, Map.of());
		TrainedModel second = TrainedModel.train("binary:logistic", 5, 13, 4, Map.of("base_score", 0.1));
		float[] rows = first.rows(30, 13);
		try (RunningEnsemble running = RunningEnsemble.on(this.machine.provider(), model(first))) {
			running.ensemble().reload(model(second));
			assertThat(bits(running.ensemble().margins(rows))).isEqualTo(bits(second.margins(rows)));
			running.ensemble().kernel().relaunch();
			assertThat(bits(running.ensemble().margins(rows))).isEqualTo(bits(second.margins(rows)));
			running.ensemble().reload(model(first));
			running.ensemble().kernel().relaunch();
			assertThat(bits(running.ensemble().margins(rows))).isEqualTo(bits(first.margins(rows)));
		}
	}

	private static Model model(Oracle trained) {
		return Model.of("a test", trained.forest());
	}

	private static int[] bits(float[] numbers) {
		int[] bits = new int[numbers.length];
		Arrays.setAll(bits, (i) -> Float.floatToIntBits(numbers[i]));
		return bits;
	}

}
