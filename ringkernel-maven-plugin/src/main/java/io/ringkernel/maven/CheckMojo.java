package io.ringkernel.maven;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

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

	/** Creates the goal. */
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
					check(kernel, refusals);
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

	private void check(ProjectKernel kernel, List<String> refusals) throws ReflectiveOperationException {
		if (Modifier.isAbstract(kernel.handler().getModifiers())) {
			leaveOut(kernel, "is abstract.");
			return;
		}
		try {
			Constructor<?> constructor = kernel.handler().getDeclaredConstructor();
			constructor.setAccessible(true);
			compile((RingKernelHandler<?, ?>) constructor.newInstance(), kernel.request(), kernel.response());
			getLog().info("Ring kernel '%s' compiles for a device".formatted(kernel.id()));
		}
		catch (NoSuchMethodException ex) {
			leaveOut(kernel, "has no constructor without parameters.");
		}
		catch (InvocationTargetException ex) {
			leaveOut(kernel, "has a constructor that threw %s".formatted(ex.getCause()));
		}
		catch (HandlerRefusedException | UnsupportedMessageTypeException ex) {
			refusals.add("Ring kernel '%s' cannot run on a device: %s".formatted(kernel.id(), ex.getMessage()));
		}
	}

	private void leaveOut(ProjectKernel kernel, String reason) {
		getLog()
			.warn("Ring kernel '%s' is not checked: %s %s".formatted(kernel.id(), kernel.handler().getName(), reason));
	}

	@SuppressWarnings("unchecked") // The records are those of the handler's type.
	private static <I extends Record, O extends Record> void compile(RingKernelHandler<?, ?> handler, Class<I> request,
			Class<O> response) {
		HandlerCompiler.compile((RingKernelHandler<I, O>) handler, MessageLayout.of(request),
				MessageLayout.of(response));
	}

}
