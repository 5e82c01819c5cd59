package io.ringkernel.cuda.image;

import java.util.function.Supplier;

import io.ringkernel.backend.KernelSpec;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.exception.UnusableImageException;
import io.ringkernel.message.MessageLayout;

/**
 * Whether an image is one of a kernel, as far as the image itself tells: its entry, the
 * version of the ring that it speaks, and the layouts that it was built with.
 *
 * @since 0.2.0
 */
public final class ImageCheck {

	private static final String REBUILD = "Generate the headers from the records and build the image anew.";

	private final KernelSpec<?, ?> kernel;

	private final KernelImage image;

	/**
	 * Creates the check.
	 * @param kernel the kernel
	 * @param image its image
	 */
	public ImageCheck(KernelSpec<?, ?> kernel, KernelImage image) {
		this.kernel = kernel;
		this.image = image;
	}

	/**
	 * Checks the file. A cubin or fat binary tells nothing about itself before a driver
	 * has loaded it.
	 * @throws UnusableImageException if no launch of it could succeed
	 */
	public void check() {
		PtxHeader ptx = this.image.ptx();
		if (ptx == null) {
			checkBinary();
			return;
		}
		if (!ptx.entries().contains(this.image.entry())) {
			throw noEntry(ptx.entries().isEmpty() ? "it has none" : "it has " + String.join(", ", ptx.entries()));
		}
		checkInfo(this.image.constant("_info"), () -> ImageLayouts.read(this.image.constant("_layouts")));
	}

	private void checkBinary() {
		if (!this.image.module().isBinary()) {
			throw fail(
					"its image '%s' is neither PTX nor a cubin or fatbin: it begins with '%s'"
						.formatted(this.image.location(), this.image.module().beginning()),
					"Check the location, and that the build has not changed the file.");
		}
	}

	/**
	 * {@return the failure of an image without the kernel's entry}
	 * @param found a clause that says what was found instead
	 */
	public UnusableImageException noEntry(String found) {
		return fail("its image '%s' has no entry '%s'; %s".formatted(this.image.location(), this.image.entry(), found),
				"Name the right one behind a '#' in the image's location, or define it with RING_KERNEL(%s, …)."
					.formatted(this.image.entry()));
	}

	/**
	 * Checks what the image tells about the kernel against the Java side.
	 * @param bytes the constant {@code NAME_info}; none if there is no such constant
	 * @param layouts the layouts that the image was built with
	 * @return what it tells
	 * @throws UnusableImageException if the image is not one of the kernel
	 */
	public KernelInfo checkInfo(byte[] bytes, Supplier<ImageLayouts> layouts) {
		if (!KernelInfo.isInfo(bytes)) {
			throw fail(
					"'%s_info' in its image '%s' is no description of a ring kernel".formatted(this.image.described(),
							this.image.location()),
					"Define the kernel with RING_KERNEL of this version's ringkernel/ring_kernel.cuh.");
		}
		KernelInfo info = KernelInfo.read(bytes);
		if (info.abiVersion() != ControlBlock.ABI_VERSION) {
			throw fail(
					"its image '%s' speaks version %d of the ring, and this library version %d"
						.formatted(this.image.location(), info.abiVersion(), ControlBlock.ABI_VERSION),
					"Build it with this version's headers.");
		}
		checkLayout("request", this.kernel.requests(), info.requestFingerprint(), info.requestFixedBytes(),
				info.requestMaxBytes(), () -> layouts.get().request());
		checkLayout("response", this.kernel.responses(), info.responseFingerprint(), info.responseFixedBytes(),
				info.responseMaxBytes(), () -> layouts.get().response());
		return info;
	}

	private void checkLayout(String which, MessageLayout<?> layout, long fingerprint, int fixedBytes, int maxBytes,
			Supplier<String> inImage) {
		if (layout.fingerprint() != fingerprint || layout.fixedSize() != fixedBytes || layout.maxSize() != maxBytes) {
			throw new UnusableImageException(this.kernel.id(),
					"its image '%s' has another %s: a fixed block of %d B, at most %d B, fingerprint %016x, where Java has a fixed block of %d B, at most %d B, fingerprint %016x"
						.formatted(this.image.location(), which, fixedBytes, maxBytes, fingerprint, layout.fixedSize(),
								layout.maxSize(), layout.fingerprint()),
					"In Java it is\n%s%s".formatted(layout.describe(), stated(inImage.get())), REBUILD, null);
		}
	}

	private static String stated(String layout) {
		return layout.isEmpty() ? "and the image does not state its own." : "and in the image\n" + layout;
	}

	private UnusableImageException fail(String reason, String remedy) {
		return new UnusableImageException(this.kernel.id(), reason, remedy, null);
	}

}
