package io.ringkernel.maven;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.HandlerCompiler;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.exception.UnsupportedMessageTypeException;
import io.ringkernel.message.MessageLayout;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.jspecify.annotations.Nullable;

/**
 * Fails the build if a device cannot run the handler of a kernel that has no image. The
 * report names class, method and line, and says what to do. Needs no GPU and no CUDA
 * toolkit.
 * <p>
 * The goal makes an instance of each handler by its constructor without parameters. A
 * handler without such a constructor is left out, with a warning, and so is one whose
 * constructor fails in a build, or whose bean method names no class, such as a pipeline:
 * check it in a test, by {@code assertThat(kernel).compilesForDevice()}.
 *
 * @since 0.2.0
 */
@Mojo(name = "check", defaultPhase = LifecyclePhase.PROCESS_CLASSES,
		requiresDependencyResolution = ResolutionScope.COMPILE_PLUS_RUNTIME, threadSafe = true)
@SuppressWarnings("NullAway.Init") // Maven sets the parameters.
public final class CheckMojo extends AbstractMojo {

	@Parameter(defaultValue = "${project.build.outputDirectory}", readonly = true)
	File classes;

	@Parameter(defaultValue = "${project.runtimeClasspathElements}", readonly = true)
	List<String> classPath;

	/**
	 * Ids of kernels that are meant to run on the CPU, or that have their image by a
	 * property.
	 */
	@Parameter
	List<String> excludes = List.of();

	/**
	 * Creates the goal.
	 */
	public CheckMojo() {
	}

	/**
	 * Compiles each handler.
	 * @throws MojoFailureException if a device cannot run one of them, or one does not
	 * say which records it handles
	 * @throws MojoExecutionException if the classes of the project cannot be read
	 */
	@Override
	public void execute() throws MojoExecutionException, MojoFailureException {
		List<String> refusals = new ArrayList<>();
		try (ProjectClasses project = new ProjectClasses(this.classes.toPath(), this.classPath)) {
			for (ProjectKernel kernel : project.kernels()) {
				if (kernel.image().isEmpty() && !this.excludes.contains(kernel.id())) {
					refusal(kernel).ifPresent(refusals::add);
				}
			}
		}
		catch (IOException | ReflectiveOperationException ex) {
			throw new MojoExecutionException("The classes of the project cannot be read", ex);
		}
		catch (IllegalArgumentException ex) {
			throw new MojoFailureException(ex.getMessage(), ex);
		}
		if (!refusals.isEmpty()) {
			throw new MojoFailureException(String.join(System.lineSeparator(), refusals));
		}
	}

	private Optional<String> refusal(ProjectKernel kernel) throws ReflectiveOperationException {
		try {
			RingKernelHandler<?, ?> handler = instance(kernel.handler());
			if (handler == null) {
				leaveOut(kernel,
						isAbstract(kernel.handler()) ? "is abstract." : "has no constructor without parameters.");
				return Optional.empty();
			}
			compile(handler, kernel.request(), kernel.response());
			getLog().info("Ring kernel '%s' compiles for a device".formatted(kernel.id()));
			return Optional.empty();
		}
		catch (InvocationTargetException ex) {
			leaveOut(kernel, "has a constructor that threw %s".formatted(ex.getCause()));
			return Optional.empty();
		}
		catch (HandlerRefusedException | UnsupportedMessageTypeException ex) {
			return Optional.of("Ring kernel '%s' cannot run on a device: %s".formatted(kernel.id(), ex.getMessage()));
		}
	}

	private void leaveOut(ProjectKernel kernel, String reason) {
		getLog()
			.warn("Ring kernel '%s' is not checked: %s %s".formatted(kernel.id(), kernel.handler().getName(), reason));
	}

	private static boolean isAbstract(Class<?> handler) {
		return Modifier.isAbstract(handler.getModifiers());
	}

	private static @Nullable RingKernelHandler<?, ?> instance(Class<?> handler) throws ReflectiveOperationException {
		if (isAbstract(handler)) {
			return null;
		}
		for (Constructor<?> constructor : handler.getDeclaredConstructors()) {
			if (constructor.getParameterCount() == 0) {
				constructor.setAccessible(true);
				return (RingKernelHandler<?, ?>) constructor.newInstance();
			}
		}
		return null;
	}

	@SuppressWarnings("unchecked") // ProjectKernel has read the records from the
									// handler's type.
	private static <I extends Record, O extends Record> void compile(RingKernelHandler<?, ?> handler, Class<I> request,
			Class<O> response) {
		HandlerCompiler.compile((RingKernelHandler<I, O>) handler, MessageLayout.of(request),
				MessageLayout.of(response));
	}

}
