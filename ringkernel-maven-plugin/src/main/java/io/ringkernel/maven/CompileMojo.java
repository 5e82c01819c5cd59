package io.ringkernel.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ringkernel.cuda.image.PtxText;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Compiles each kernel in CUDA C++ to an image, and the image to machine code, if there
 * is nvcc. The image is kept among the resources of the project: commit it, and a machine
 * without nvcc builds the application with it.
 *
 * @since 0.2.0
 */
@Mojo(name = "compile", defaultPhase = LifecyclePhase.PROCESS_CLASSES, threadSafe = true)
@SuppressWarnings("NullAway.Init") // Maven sets the parameters.
public final class CompileMojo extends AbstractMojo {

	/** The worker is the one that the library holds, unless the source undefines this. */
	private static final String HANDLER_ALONE = "-DRINGKERNEL_HANDLER";

	/**
	 * Where the kernels lie: a file {@code NAME.cu} for each image.
	 */
	@Parameter(defaultValue = "${project.basedir}/src/main/cuda")
	File sources;

	/**
	 * Where the goal {@code headers} has written what kernels include.
	 */
	@Parameter(defaultValue = "${project.build.directory}/ringkernel/include")
	File headers;

	/** Where the images are kept. */
	@Parameter(defaultValue = "${project.basedir}/src/main/resources/kernels")
	File images;

	/** Where the application finds images and machine code. */
	@Parameter(defaultValue = "${project.build.outputDirectory}/kernels")
	File output;

	/** Where the goal remembers what it has compiled. */
	@Parameter(defaultValue = "${project.build.directory}/ringkernel/compiled")
	File compiled;

	/**
	 * The compiler: a name on the {@code PATH}, or a file.
	 */
	@Parameter(defaultValue = "nvcc", property = "nvcc.executable")
	String nvcc;

	/**
	 * The devices that images are compiled for beforehand, of those that nvcc knows. On
	 * others, the driver compiles the image at each start.
	 */
	@Parameter
	List<String> machineCode = List.of("sm_75", "sm_80", "sm_90", "sm_100", "sm_120");

	/** Creates the goal. */
	public CompileMojo() {
	}

	/**
	 * Compiles each kernel.
	 * @throws MojoFailureException if nvcc refuses a kernel, or if there is neither nvcc
	 * nor a kept image
	 * @throws MojoExecutionException if files cannot be read or written
	 */
	@Override
	public void execute() throws MojoExecutionException, MojoFailureException {
		Nvcc compiler = new Nvcc(this.nvcc);
		try {
			Optional<List<String>> devices = compiler.devices();
			for (Path source : kernels()) {
				String name = source.getFileName().toString().replaceFirst("\\.cu$", "");
				if (devices.isPresent()) {
					compileChanged(compiler, source, name, devices.get());
				}
				else {
					packageKept(name);
				}
			}
		}
		catch (IOException ex) {
			throw new MojoExecutionException("The images cannot be built", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new MojoExecutionException("Interrupted while nvcc ran", ex);
		}
	}

	private List<Path> kernels() throws IOException {
		if (!this.sources.isDirectory()) {
			return List.of();
		}
		try (Stream<Path> files = Files.list(this.sources.toPath())) {
			return files.filter((file) -> file.toString().endsWith(".cu")).sorted().toList();
		}
	}

	/** Compiles a kernel unless the build before has done so with the same files. */
	private void compileChanged(Nvcc compiler, Path source, String name, List<String> devices)
			throws IOException, InterruptedException, MojoFailureException {
		Path memory = this.compiled.toPath().resolve(name + ".sha256");
		Path packaged = this.output.toPath().resolve(name + ".ptx");
		Path kept = this.images.toPath().resolve(name + ".ptx");
		String inputs = new Inputs().options(List.of(name, this.nvcc))
			.options(this.machineCode)
			.options(devices)
			.folder(this.sources.toPath())
			.folder(this.headers.toPath())
			.stamp();
		if (Files.exists(packaged) && Files.exists(kept) && Files.mismatch(packaged, kept) < 0
				&& Inputs.kept(memory).equals(inputs)) {
			getLog().debug("%s and what it may include have not changed".formatted(source));
			return;
		}
		compile(compiler, source, name, devices);
		Files.createDirectories(memory.getParent());
		Files.writeString(memory, inputs);
	}

	private void compile(Nvcc compiler, Path source, String name, List<String> devices)
			throws IOException, InterruptedException, MojoFailureException {
		Path written = Files.createTempFile(name, ".ptx");
		try {
			compiler.run(List.of("-std=c++17", "-arch=" + PtxText.ARCHITECTURE, "-rdc=true", "-ptx", HANDLER_ALONE,
					"-I", this.headers.getPath(), source.toString(), "-o", written.toString()));
			PtxImage image = PtxImage.of(Files.readString(written));
			Path kept = this.images.toPath().resolve(name + ".ptx");
			if (!Files.exists(kept) || !Files.readString(kept).equals(image.text())) {
				Files.createDirectories(this.images.toPath());
				Files.writeString(kept, image.text());
				getLog().info("Compiled %s to %s".formatted(source, kept));
			}
			Path packaged = this.output.toPath().resolve(name + ".ptx");
			Files.createDirectories(this.output.toPath());
			Files.writeString(packaged, image.text());
			removeMachineCode(name);
			compileMachineCode(compiler, image, name, devices);
		}
		finally {
			Files.delete(written);
		}
	}

	/** What an earlier text was compiled to would be packaged, and never used. */
	private void removeMachineCode(String name) throws IOException {
		try (DirectoryStream<Path> files = Files.newDirectoryStream(this.output.toPath(),
				name + ".????????????????.fatbin")) {
			for (Path file : files) {
				Files.delete(file);
			}
		}
	}

	private void compileMachineCode(Nvcc compiler, PtxImage image, String name, List<String> devices)
			throws IOException, InterruptedException, MojoFailureException {
		String code = this.machineCode.stream().filter(devices::contains).collect(Collectors.joining(","));
		if (code.isEmpty()) {
			return;
		}
		Path whole = Files.write(Files.createTempFile(name, ".ptx"), image.whole());
		try {
			compiler.run(List.of("-fatbin", "-gencode", "arch=%s,code=[%s]".formatted(PtxText.ARCHITECTURE, code),
					whole.toString(), "-o", this.output.toPath().resolve(image.machineCodeName(name)).toString()));
		}
		finally {
			Files.delete(whole);
		}
	}

	private void packageKept(String name) throws IOException, MojoFailureException {
		Path kept = this.images.toPath().resolve(name + ".ptx");
		if (!Files.exists(kept)) {
			throw new MojoFailureException(
					"There is no %s, and no image is kept at %s. Install the CUDA toolkit, 12.4 or later, or build the image on a machine that has it, and commit it."
						.formatted(this.nvcc, kept));
		}
		Files.createDirectories(this.output.toPath());
		Files.copy(kept, this.output.toPath().resolve(name + ".ptx"), StandardCopyOption.REPLACE_EXISTING);
		getLog().info("There is no %s: the application gets the image that is kept, %s".formatted(this.nvcc, kept));
	}

}
