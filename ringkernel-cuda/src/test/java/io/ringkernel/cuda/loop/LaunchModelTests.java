package io.ringkernel.cuda.loop;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every interleaving of producers, watcher, kernel and loader.
 */
class LaunchModelTests {

	@Test
	void noInterleavingLosesAWakeup() {
		LaunchModel model = new LaunchModel(LaunchModel.Omission.NOTHING);
		assertThat(model.states()).isGreaterThan(10_000);
		assertThat(model.lostWakeup()).isNull();
		assertThat(model.hopeless()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(value = LaunchModel.Omission.class, mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
	void eachStepOfTheProtocolIsNeeded(LaunchModel.Omission omission) {
		assertThat(new LaunchModel(omission).lostWakeup()).isNotNull();
	}

}
