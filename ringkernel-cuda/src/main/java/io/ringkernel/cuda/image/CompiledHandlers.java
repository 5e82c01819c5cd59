package io.ringkernel.cuda.image;

import io.ringkernel.backend.KernelSpec;
import io.ringkernel.compiler.HandlerCompiler;
import io.ringkernel.compiler.HandlerResults;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.exception.UnusableImageException;

/**
 * The images of handlers that are compiled, each once: a kernel is checked, loaded and
 * bridged with the same image.
 */
final class CompiledHandlers {

	private static final HandlerResults<KernelImage> IMAGES = new HandlerResults<>();

	private CompiledHandlers() {
	}

	static KernelImage image(KernelSpec<?, ?> kernel) {
		return IMAGES.of(kernel.handler(), kernel.requests(), kernel.responses(), () -> compiled(kernel));
	}

	private static <I extends Record, O extends Record> KernelImage compiled(KernelSpec<I, O> kernel) {
		try {
			return KernelImage.of(kernel.handler().getClass().getName() + ".handle",
					HandlerCompiler.compile(kernel.handler(), kernel.requests(), kernel.responses()));
		}
		catch (HandlerRefusedException ex) {
			boolean isOne = ex.refusals().size() == 1;
			throw new UnusableImageException(kernel.id(),
					"it has no CUDA image, and its handler is not compiled for a device: %s.%s%s: %s".formatted(
							ex.className(), ex.methodName(), (ex.line() > 0) ? ", line " + ex.line() : "",
							isOne ? ex.reason()
									: "%s (the first of %d places)".formatted(ex.reason(), ex.refusals().size())),
					isOne ? "" : String.valueOf(ex.getMessage()),
					isOne ? ex.remedy() : "Change these lines, or set compile to 'off'.", ex);
		}
		catch (RuntimeException ex) {
			throw new UnusableImageException(kernel.id(),
					"it has no CUDA image, and the compiler of handlers failed on its handler (%s)".formatted(ex),
					"Set compile to 'off' for this kernel.", ex);
		}
	}

}
