package io.ringkernel.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ringkernel.cuda.codegen.MessageHeader;
import io.ringkernel.exception.UnsupportedMessageTypeException;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Writes what a kernel in CUDA C++ includes: the headers of RingKernel, and for each
 * image {@code NAME.ptx} of the project's kernels a header {@code NAME_messages.cuh} of
 * their records.
 *
 * @since 0.2.0
 */
@Mojo(name = "headers", defaultPhase = LifecyclePhase.PROCESS_CLASSES,
		requiresDependencyResolution = ResolutionScope.COMPILE_PLUS_RUNTIME, threadSafe = true)
@SuppressWarnings("NullAway.Init") // Maven sets the parameters.
public final class HeadersMojo extends AbstractMojo {

	@Parameter(defaultValue = "${project.build.outputDirectory}", readonly = true)
	File classes;

	@Parameter(defaultValue = "${project.runtimeClasspathElements}", readonly = true)
	List<String> classPath;

	/** Where the headers are written. */
	@Parameter(defaultValue = "${project.build.directory}/ringkernel/include")
	File headers;

	/** Creates the goal. */
	public HeadersMojo() {
	}

	/**
	 * Writes the headers.
	 * @throws MojoFailureException if there is no layout of a record in CUDA C++
	 * @throws MojoExecutionException if the headers cannot be written
	 */
	@Override
	public void execute() throws MojoExecutionException, MojoFailureException {
		Path directory = this.headers.toPath();
		try (ProjectClasses project = new ProjectClasses(this.classes.toPath(), this.classPath)) {
			DeviceHeaders.writeTo(directory);
			Map<String, Set<Class<? extends Record>>> messages = new LinkedHashMap<>();
			for (ProjectKernel kernel : project.kernels()) {
				if (!kernel.image().isEmpty()) {
					messages.computeIfAbsent(kernel.imageName(), (name) -> new LinkedHashSet<>())
						.addAll(List.of(kernel.request(), kernel.response()));
				}
			}
			for (Map.Entry<String, Set<Class<? extends Record>>> image : messages.entrySet()) {
				Files.writeString(directory.resolve(image.getKey() + "_messages.cuh"),
						MessageHeader.of(List.copyOf(image.getValue())));
			}
		}
		catch (IOException ex) {
			throw new MojoExecutionException("The headers cannot be written to " + directory, ex);
		}
		catch (IllegalArgumentException | UnsupportedMessageTypeException ex) {
			throw new MojoFailureException(ex.getMessage(), ex);
		}
	}

}
