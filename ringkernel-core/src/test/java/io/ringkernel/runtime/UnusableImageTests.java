package io.ringkernel.runtime;

import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ringkernel.KernelState;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.Compile;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.UnusableImageException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Images are looked at wherever a kernel is defined, and what is wrong with one is seen.
 */
@Timeout(30)
class UnusableImageTests {

	@Test
	void withoutADeviceTheCpuServesAndTheReasonIsInThePlan() {
		try (RingKernelRuntime runtime = runtime(PlanRequest.AUTO, false)) {
			Kernel<Number, Number> kernel = activated(runtime.define(spec("bad.ptx")));
			assertThat(kernel.plan().reasons()).last()
				.isEqualTo("no device can run the kernel: its image 'bad.ptx' has no entry 'good'");
			assertThat(runtime.plan().reasons()).noneMatch((reason) -> reason.contains("bad.ptx"));
		}
	}

	@Test
	void onADeviceTheCpuServesThatKernelAlone() {
		try (RingKernelRuntime runtime = runtime(PlanRequest.AUTO, true)) {
			Kernel<Number, Number> kernel = activated(runtime.define(spec("bad.ptx")));
			assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CPU);
			assertThat(kernel.plan().reasons()).contains("not 'cuda', because its image 'bad.ptx' has no entry 'good'");
			assertThat(runtime.plan().backend()).isEqualTo(BackendKind.CUDA);
		}
	}

	@Test
	void anImageThatIsAskedForOnADeviceIsLeftToItsLaunch() {
		try (RingKernelRuntime runtime = runtime(new PlanRequest(BackendKind.CUDA, null, null), true)) {
			assertThat(runtime.define(spec("bad.ptx")).plan().backend()).isEqualTo(BackendKind.CUDA);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aRuntimeThatFailsOnThemRefusesTheKernel(boolean device) {
		try (RingKernelRuntime runtime = runtime(PlanRequest.AUTO, device)) {
			runtime.failOnUnusableImage(true);
			assertThatExceptionOfType(UnusableImageException.class).isThrownBy(() -> runtime.define(spec("bad.ptx")))
				.withMessage("Ring kernel 'good' cannot be launched: its image 'bad.ptx' has no entry 'good'. "
						+ "It has: other. Name the right one.");
			assertThat(runtime.kernels()).isEmpty();
		}
	}

	@Test
	void aGoodImageIsNotMentioned() {
		try (RingKernelRuntime runtime = runtime(PlanRequest.AUTO, false)) {
			runtime.failOnUnusableImage(true);
			assertThat(runtime.define(spec("good.ptx")).plan()).isEqualTo(runtime.plan());
		}
	}

	@Test
	void aKernelWithoutAnImageIsNotChecked() {
		try (RingKernelRuntime runtime = runtime(PlanRequest.AUTO, false)) {
			runtime.failOnUnusableImage(true);
			assertThat(runtime.define(spec(null)).plan()).isEqualTo(runtime.plan());
		}
	}

	@Test
	void aHandlerThatABackendCompilesIsServedByIt() {
		try (RingKernelRuntime runtime = runtime(PlanRequest.AUTO, true)) {
			assertThat(runtime.define(compiled("good", Compile.AUTO)).plan().backend()).isEqualTo(BackendKind.CUDA);
		}
	}

	@Test
	void aHandlerThatIsRefusedIsServedByTheCpuAndThePlanSaysWhy() {
		try (RingKernelRuntime runtime = runtime(PlanRequest.AUTO, true)) {
			runtime.failOnUnusableImage(true);
			Kernel<Number, Number> kernel = activated(runtime.define(compiled("bad", Compile.AUTO)));
			assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CPU);
			assertThat(kernel.plan().reasons()).contains("not 'cuda', because its image 'null' has no entry 'bad'");
		}
	}

	@Test
	void aHandlerThatStaysOnTheCpuAlthoughADeviceIsThereIsAWarningWithTheRefusal() {
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		Logger logger = (Logger) LoggerFactory.getLogger(RingKernelRuntime.class);
		logger.addAppender(log);
		try (RingKernelRuntime runtime = runtime(PlanRequest.AUTO, true)) {
			runtime.define(compiled("bad", Compile.AUTO));
		}
		finally {
			logger.detachAppender(log);
		}
		assertThat(log.list).filteredOn((event) -> event.getLevel() == Level.WARN)
			.extracting(ILoggingEvent::getFormattedMessage)
			.containsExactly("Ring kernel 'bad' runs on the CPU, and no device can run it: "
					+ "its image 'null' has no entry 'bad'. It has: other. Name the right one. "
					+ "Set compile to off for this kernel if the CPU is meant to run it.");
	}

	@Test
	void withoutADeviceNoHandlerIsCompiled() {
		try (RingKernelRuntime runtime = runtime(PlanRequest.AUTO, false)) {
			assertThat(runtime.define(compiled("bad", Compile.AUTO)).plan()).isEqualTo(runtime.plan());
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aHandlerThatHasToCompileAndIsRefusedIsAFailure(boolean device) {
		try (RingKernelRuntime runtime = runtime(PlanRequest.AUTO, device)) {
			assertThatExceptionOfType(UnusableImageException.class)
				.isThrownBy(() -> runtime.define(compiled("bad", Compile.REQUIRED)))
				.withMessageContaining("Name the right one.");
		}
	}

	@Test
	void withoutABackendThatCompilesAHandlerThatHasToIsAFailure() {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(new CpuBackendProvider()))) {
			assertThatExceptionOfType(UnusableImageException.class)
				.isThrownBy(() -> runtime.define(compiled("good", Compile.REQUIRED)))
				.withMessageContaining("no backend here compiles handlers");
		}
	}

	@Test
	void aHandlerThatIsNotToBeCompiledIsServedByTheCpu() {
		try (RingKernelRuntime runtime = runtime(PlanRequest.AUTO, true)) {
			assertThat(runtime.define(compiled("good", Compile.OFF)).plan().reasons())
				.contains("not 'cuda', because the kernel has no CUDA image");
		}
	}

	private static KernelSpec<Number, Number> compiled(String id, Compile compile) {
		return KernelSpec.of(id, Number.class, Number.class, (request) -> request,
				KernelOptions.builder().compile(compile).build());
	}

	private static Kernel<Number, Number> activated(Kernel<Number, Number> kernel) {
		kernel.launch();
		kernel.activate();
		assertThat(kernel.client().call(new Number(7))).isEqualTo(new Number(7));
		assertThat(kernel.state()).isEqualTo(KernelState.ACTIVE);
		return kernel;
	}

	private static RingKernelRuntime runtime(PlanRequest request, boolean device) {
		return RingKernelRuntime.open(request, List.of(new CpuBackendProvider(), new Device(device)));
	}

	private static KernelSpec<Number, Number> spec(String image) {
		MessageLayout<Number> layout = MessageLayout.of(Number.class);
		return new KernelSpec<>("good", layout, layout, (request) -> request, image, KernelOptions.DEFAULTS);
	}

	public record Number(int value) {
	}

	/**
	 * A device that takes only good.ptx and the handler of 'good', or the lack of it.
	 */
	private record Device(boolean present) implements BackendProvider {

		@Override
		public BackendKind kind() {
			return BackendKind.CUDA;
		}

		@Override
		public PlanOffer plan(PlanRequest request) {
			return this.present
					? new PlanOffer.Accepted(new ExecutionPlan(BackendKind.CUDA, ExecutionMode.PERSISTENT,
							Transport.MAPPED, List.of(), Map.of()))
					: new PlanOffer.Refused("there is none", "Buy one.");
		}

		@Override
		public boolean compilesHandlers() {
			return true;
		}

		@Override
		public void checkImage(KernelSpec<?, ?> kernel) {
			boolean isGood = (kernel.image() != null) ? kernel.image().equals("good.ptx") : kernel.id().equals("good");
			if (!isGood) {
				throw new UnusableImageException(kernel.id(),
						"its image '%s' has no entry '%s'".formatted(kernel.image(), kernel.id()), "It has: other.",
						"Name the right one.", null);
			}
		}

		@Override
		public Backend open(ExecutionPlan plan) {
			return new CpuBackend(ExecutionMode.PERSISTENT);
		}

	}

}
