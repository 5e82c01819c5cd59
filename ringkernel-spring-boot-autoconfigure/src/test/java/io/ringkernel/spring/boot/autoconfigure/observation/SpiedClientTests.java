package io.ringkernel.spring.boot.autoconfigure.observation;

import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.ringkernel.RingKernelClient;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Twice;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willReturn;

/**
 * A test may spy on a client whose calls are observed.
 */
@SpringBootTest(properties = "ringkernel.backend=cpu", webEnvironment = SpringBootTest.WebEnvironment.NONE)
class SpiedClientTests {

	@MockitoSpyBean
	private RingKernelClient<Number, Number> twice;

	@Autowired
	private Caller caller;

	@Autowired
	private TestObservationRegistry registry;

	@Test
	void theSpySeesTheCallsOfOthersAndTheyAreObserved() {
		assertThat(this.caller.call(4)).isEqualTo(8);
		then(this.twice).should().call(new Number(4));
		TestObservationRegistryAssert.assertThat(this.registry)
			.hasSingleObservationThat()
			.hasNameEqualTo("ringkernel.client");
	}

	@Test
	void theSpyAnswersAsItIsTold() {
		willReturn(new Number(55)).given(this.twice).call(new Number(5));
		assertThat(this.caller.call(5)).isEqualTo(55);
	}

	record Caller(RingKernelClient<Number, Number> client) {

		int call(int value) {
			return this.client.call(new Number(value)).value();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ RingKernelAutoConfiguration.class, RingKernelObservationAutoConfiguration.class })
	@Import(Twice.class)
	static class Application {

		@Bean
		TestObservationRegistry registry() {
			return TestObservationRegistry.create();
		}

		@Bean
		Caller caller(RingKernelClient<Number, Number> twice) {
			return new Caller(twice);
		}

	}

}
