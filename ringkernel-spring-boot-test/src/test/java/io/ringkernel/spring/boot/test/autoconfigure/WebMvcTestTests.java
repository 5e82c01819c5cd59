package io.ringkernel.spring.boot.test.autoconfigure;

import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.boot.test.autoconfigure.example.Doubling;
import io.ringkernel.spring.boot.test.autoconfigure.example.DoublingController;
import io.ringkernel.spring.boot.test.autoconfigure.example.ExampleApplication;
import io.ringkernel.spring.boot.test.autoconfigure.example.ExampleController;
import io.ringkernel.spring.boot.test.autoconfigure.example.Number;
import io.ringkernel.spring.boot.test.autoconfigure.example.Twice;
import io.ringkernel.spring.exchange.ImportRingKernelExchanges;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

/**
 * Tests for {@link WebMvcTest @WebMvcTest} of an application whose main class has
 * {@link ImportRingKernelExchanges @ImportRingKernelExchanges}.
 */
class WebMvcTestTests {

	@Nested
	@ContextConfiguration(classes = ExampleApplication.class)
	@WebMvcTest(ExampleController.class)
	class OfAControllerThatCallsNoKernel {

		@Autowired
		private MockMvcTester mvc;

		@Autowired
		private ApplicationContext context;

		@Test
		void startsWithoutARuntime() {
			assertThat(this.mvc.get().uri("/numbers/21")).hasStatusOk().hasBodyTextEqualTo("21");
			assertThat(this.context.getBeansOfType(RingKernelRuntime.class)).isEmpty();
		}

	}

	@Nested
	@ContextConfiguration(classes = ExampleApplication.class)
	@WebMvcTest(DoublingController.class)
	class WithAReplacedInterface {

		@Autowired
		private MockMvcTester mvc;

		@MockitoBean
		private Doubling doubling;

		@Test
		void callsTheReplacement() {
			given(this.doubling.twice(new Number(21))).willReturn(new Number(1));
			assertThat(this.mvc.get().uri("/doubles/21")).hasStatusOk().hasBodyTextEqualTo("1");
		}

	}

	@Nested
	@ContextConfiguration(classes = ExampleApplication.class)
	@WebMvcTest(DoublingController.class)
	@AutoConfigureRingKernels
	@Import(Twice.class)
	class WithAKernel {

		@Autowired
		private MockMvcTester mvc;

		@Test
		void callsTheKernel() {
			assertThat(this.mvc.get().uri("/doubles/21")).hasStatusOk().hasBodyTextEqualTo("42");
		}

	}

}
