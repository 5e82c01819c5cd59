package io.ringkernel.spring.boot.test.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.boot.test.autoconfigure.example.Number;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler is edited while the application runs, and the application context is
 * restarted with a class loader of its own, as DevTools does.
 */
class EditedHandlerTests {

	private static final int REQUESTS = 20;

	private static final String SOURCE = """
			package edited;

			import io.ringkernel.RingKernelHandler;
			import io.ringkernel.spring.RingKernel;
			import io.ringkernel.spring.boot.test.autoconfigure.example.Number;

			@RingKernel(id = "edited")
			public class Edited implements RingKernelHandler<Number, Number> {

				@Override
				public Number handle(Number request) {
					return new Number(request.value() * FACTOR);
				}

			}
			""";

	@TempDir
	private Path classes;

	@Test
	void requestsInFlightAreAnsweredAndTheDeviceThenRunsTheEditedHandler() throws Exception {
		assertThat(answersAcrossRestart(2)).containsExactlyElementsOf(multiples(2));
		assertThat(answersAcrossRestart(3)).containsExactlyElementsOf(multiples(3));
	}

	/**
	 * What a handler on the device answers to requests after which its context closes.
	 */
	private List<Number> answersAcrossRestart(int factor) throws Exception {
		compile(factor);
		List<CompletableFuture<Number>> answers = new ArrayList<>();
		try (URLClassLoader loader = new URLClassLoader(new URL[] { this.classes.toUri().toURL() },
				EditedHandlerTests.class.getClassLoader())) {
			Class<?> handler = loader.loadClass("edited.Edited");
			new ApplicationContextRunner().withClassLoader(loader)
				.withConfiguration(
						AutoConfigurations.of(PtxMachineAutoConfiguration.class, RingKernelAutoConfiguration.class))
				.withBean(handler)
				.run((context) -> {
					Kernel<Number, Number> kernel = kernel(context.getBean(RingKernelRuntime.class));
					assertThat(kernel.status().plan().backend()).isEqualTo(BackendKind.CUDA);
					IntStream.range(0, REQUESTS)
						.forEach((value) -> answers.add(kernel.client().submit(new Number(value))));
				});
		}
		return answers.stream().map(CompletableFuture::join).toList();
	}

	@SuppressWarnings("unchecked")
	private static Kernel<Number, Number> kernel(RingKernelRuntime runtime) {
		return (Kernel<Number, Number>) runtime.kernel("edited").orElseThrow();
	}

	private void compile(int factor) throws IOException {
		Path source = Files.createDirectories(this.classes.resolve("edited")).resolve("Edited.java");
		Files.writeString(source, SOURCE.replace("FACTOR", Integer.toString(factor)));
		int status = ToolProvider.getSystemJavaCompiler()
			.run(null, null, null, "-proc:none", "-cp", classPath(), "-d", this.classes.toString(), source.toString());
		assertThat(status).as("the status of javac").isZero();
	}

	/** What the source refers to, however the class path of this process was made. */
	private static String classPath() {
		return Stream.of(Number.class, RingKernelHandler.class, RingKernel.class)
			.map((type) -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
			.collect(Collectors.joining(File.pathSeparator));
	}

	private static List<Number> multiples(int factor) {
		return IntStream.range(0, REQUESTS).mapToObj((value) -> new Number(value * factor)).toList();
	}

}
