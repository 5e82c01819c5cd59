package io.ringkernel.cuda;

import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A kernel host runs images that the application alone can find.
 */
@RequiresGpu
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IsolatedImagesTests {

	private static final KernelOptions OPTIONS = KernelOptions.builder().workers(2).build();

	@Test
	void anImageOfAClassLoaderThatTheHostLacks(@TempDir Path directory) throws Exception {
		try (InputStream image = getClass().getResourceAsStream("/kernels/handlers/echo.ptx")) {
			Files.copy(Objects.requireNonNull(image), directory.resolve("own-echo.ptx"));
		}
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		try (URLClassLoader own = new URLClassLoader(new URL[] { directory.toUri().toURL() }, before);
				RingKernelRuntime runtime = open()) {
			Thread.currentThread().setContextClassLoader(own);
			Kernel<Echo, Echo> kernel = runtime
				.define(CudaTestKernels.withImage(new CudaTestKernels().echo(OPTIONS), "classpath:own-echo.ptx"));
			activate(kernel);
			Echo request = new Echo(1, 2, 3, 4, 5, 6, 7, 8);
			assertThat(kernel.client().call(request)).isEqualTo(request);
		}
		finally {
			Thread.currentThread().setContextClassLoader(before);
		}
	}

	/** The emulated driver runs no code that was compiled from Java. */
	@Test
	@DisabledIfSystemProperty(named = "ringkernel.emulated-driver", matches = ".+")
	void aHandlerInJavaWithItsFailuresAndItsState() {
		try (RingKernelRuntime runtime = open()) {
			Kernel<Numbers, Numbers> kernel = runtime
				.define(KernelSpec.of("sums", Numbers.class, Numbers.class, new Scaled(), OPTIONS));
			activate(kernel);
			assertThat(kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
			assertThat(kernel.client().call(new Numbers(new int[] { 1, 2, 3 })).values()).containsExactly(3, 6, 9);
			assertThatExceptionOfType(HandlerFailedException.class)
				.isThrownBy(() -> kernel.client().call(new Numbers(new int[0])))
				.withMessageContaining("nothing to scale");
		}
	}

	private static RingKernelRuntime open() {
		return RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null),
				List.of(CudaBackendProvider.isolated(HostOptions.DEFAULTS)));
	}

	private static void activate(Kernel<?, ?> kernel) {
		kernel.launch();
		kernel.activate();
	}

	record Numbers(@Capacity(64) int[] values) {
	}

	static final class Scaled implements RingKernelHandler<Numbers, Numbers> {

		private final int factor = Integer.parseInt("3");

		@Override
		public Numbers handle(Numbers request) {
			int[] values = request.values();
			if (values.length == 0) {
				throw new IllegalArgumentException("nothing to scale");
			}
			int[] scaled = new int[values.length];
			Parallel.range(values.length, (i) -> scaled[i] = this.factor * values[i]);
			return new Numbers(scaled);
		}

	}

}
