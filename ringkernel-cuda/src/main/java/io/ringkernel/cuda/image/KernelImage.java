package io.ringkernel.cuda.image;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.ringkernel.backend.Compile;
import io.ringkernel.backend.FailurePoint;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.compiler.CompiledHandler;
import io.ringkernel.compiler.StatePlaces;
import io.ringkernel.cuda.nvrtc.NvrtcException;
import io.ringkernel.cuda.nvrtc.NvrtcUnavailableException;
import io.ringkernel.exception.UnusableImageException;
import org.jspecify.annotations.Nullable;

/**
 * The image of a kernel as it is named by its location: {@code classpath:} with a
 * resource, {@code file:} with a URL, or the path of a file; and behind a {@code #}, if
 * there is one, the name of the kernel's entry. Otherwise the entry is named as the
 * kernel, with underscores for hyphens, or the only one of a PTX text. Of a kernel
 * without a location, the handler is compiled.
 *
 * @param location where it was found
 * @param entry the name of the kernel's entry
 * @param module what is handed to the driver
 * @param ptx what it says about itself; {@code null} if it is no PTX text
 * @param failures what its codes of failure mean if it is a handler in Java, else none
 * @param initialState the first bytes of its state if it is a handler in Java: direct and
 * read-only; all others are zero
 * @param places where its fields lie in its state if it is a handler in Java; else
 * {@code null}
 * @since 0.2.0
 */
public record KernelImage(String location, String entry, ModuleImage module, @Nullable PtxHeader ptx,
		List<FailurePoint> failures, ByteBuffer initialState, @Nullable StatePlaces places) {

	private static final ByteBuffer ZERO = ByteBuffer.allocateDirect(0).asReadOnlyBuffer();

	private static final String CLASSPATH = "classpath:";

	private static final String FILE = "file:";

	/**
	 * {@return the image of a kernel}
	 * @param kernel the kernel
	 * @throws UnusableImageException if the kernel has none, or it cannot be read
	 */
	public static KernelImage of(KernelSpec<?, ?> kernel) {
		if (kernel.handler() instanceof ImagedHandler<?, ?> imaged) {
			return imaged.image();
		}
		String image = kernel.image();
		if (image == null && kernel.options().compile() != Compile.OFF) {
			return CompiledHandlers.image(kernel);
		}
		if (image == null || image.isBlank()) {
			throw new UnusableImageException(kernel.id(), "it has no CUDA image",
					"Name one, such as @RingKernel(image = \"classpath:kernels/%s.ptx\"), or set ringkernel.backend to cpu."
						.formatted(entryOf(kernel.kernelId())),
					null);
		}
		int hash = image.lastIndexOf('#');
		String location = (hash < 0) ? image : image.substring(0, hash);
		ModuleImage module = read(kernel, location);
		PtxHeader ptx = module.ptx().orElse(null);
		// The entry of a handler alone is that of its worker, whatever its kernel is
		// called.
		boolean isHandler = ptx != null && ptx.entries().contains(LinkedHandler.ENTRY);
		String entry = (hash < 0 || isHandler) ? entryOf(kernel.kernelId(), ptx) : image.substring(hash + 1);
		return new KernelImage(location, entry, module, ptx, List.of(), ZERO, null);
	}

	static KernelImage of(String location, CompiledHandler handler) {
		ModuleImage module = ModuleImage.of(location, handler.ptx().getBytes(StandardCharsets.US_ASCII));
		return new KernelImage(location, LinkedHandler.ENTRY, module, module.ptx().orElseThrow(), handler.failures(),
				handler.initialState(), handler.places());
	}

	private static String entryOf(String kernelId, @Nullable PtxHeader ptx) {
		return (ptx != null && ptx.entries().size() == 1) ? ptx.entries().get(0) : entryOf(kernelId);
	}

	private static String entryOf(String kernelId) {
		return kernelId.replace('-', '_');
	}

	private static ModuleImage read(KernelSpec<?, ?> kernel, String location) {
		try {
			ModuleImage image = location.endsWith(KernelSource.EXTENSION) ? compiled(kernel, location)
					: ModuleImage.read(location, (at) -> open(kernel, at));
			if (image == null) {
				throw new UnusableImageException(kernel.id(),
						"its image '%s' is not on the class path".formatted(location),
						"Check the location, and that the build packages it.", null);
			}
			return image;
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new UnusableImageException(kernel.id(), "its image '%s' cannot be read (%s)".formatted(location, ex),
					"Check the location.", ex);
		}
	}

	private static @Nullable ModuleImage compiled(KernelSpec<?, ?> kernel, String location) throws IOException {
		KernelSource source = KernelSource.read(location, List.of(kernel.requests().type(), kernel.responses().type()),
				(at) -> open(kernel, at));
		try {
			return (source != null) ? ModuleImage.of(location, source.image().getBytes(StandardCharsets.UTF_8)) : null;
		}
		catch (NvrtcUnavailableException ex) {
			throw new UnusableImageException(kernel.id(),
					"its image '%s' is source code in CUDA C++, and %s".formatted(location, ex.getMessage()),
					ex.remedy()
							+ " Or compile the image with the goal 'compile' of ringkernel-maven-plugin, and name the .ptx file that it makes.",
					ex);
		}
		catch (NvrtcException ex) {
			throw new UnusableImageException(kernel.id(), "its image '%s' does not compile".formatted(location),
					"NVRTC says\n" + ex.getMessage(), "Correct the source.", ex);
		}
	}

	private static @Nullable InputStream open(KernelSpec<?, ?> kernel, String location) throws IOException {
		if (!location.startsWith(CLASSPATH)) {
			Path file = location.startsWith(FILE) ? Path.of(URI.create(location)) : Path.of(location);
			return Files.newInputStream(file);
		}
		String resource = location.substring(CLASSPATH.length());
		String name = resource.startsWith("/") ? resource.substring(1) : resource;
		InputStream own = resource(kernel.handler().getClass().getClassLoader(), name);
		return (own != null) ? own : resource(Thread.currentThread().getContextClassLoader(), name);
	}

	private static @Nullable InputStream resource(@Nullable ClassLoader loader, String name) {
		return (loader != null) ? loader.getResourceAsStream(name) : ClassLoader.getSystemResourceAsStream(name);
	}

	/**
	 * {@return what the constants begin with that describe the kernel: the name of the
	 * entry, or of the handler that is linked with it}
	 */
	public String described() {
		return isLinked() ? LinkedHandler.NAME : this.entry;
	}

	private boolean isLinked() {
		return this.ptx != null && this.entry.equals(LinkedHandler.ENTRY);
	}

	/**
	 * A constant that describes the kernel, if the image is PTX; no bytes if there is
	 * none.
	 */
	byte[] constant(String suffix) {
		return this.module.constant(described() + suffix);
	}

	/**
	 * {@return what is known of a kernel whose worker may be another image than its
	 * handler}
	 * @param stated what the image tells of the kernel
	 */
	public KernelInfo complete(KernelInfo stated) {
		return isLinked() ? stated.with(KernelInfo.read(this.module.constant(this.entry + "_info"))) : stated;
	}

	/**
	 * {@return what the state begins with, from position 0}
	 */
	@Override
	public ByteBuffer initialState() {
		return this.initialState.duplicate();
	}

	@Override
	public String toString() {
		return this.location + "#" + this.entry;
	}

}
