package io.ringkernel.cuda;

import java.util.concurrent.atomic.AtomicBoolean;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cuda.image.ImageCheck;
import io.ringkernel.cuda.image.KernelImage;
import io.ringkernel.exception.RingKernelException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiles one throwaway handler, on a thread of its own while the driver opens a device.
 * The first handler of a process takes 70 ms to become PTX, nearly all of it in classes
 * that have not run before.
 */
final class CompilerWarmup {

	private static final Logger logger = LoggerFactory.getLogger(CompilerWarmup.class);

	private static final AtomicBoolean BEGUN = new AtomicBoolean();

	private CompilerWarmup() {
	}

	/** Begins it, once a process. Nothing waits for its end. */
	static void begin() {
		if (BEGUN.compareAndSet(false, true)) {
			Thread thread = new Thread(CompilerWarmup::run, "ringkernel-cuda-warmup");
			thread.setDaemon(true);
			thread.start();
		}
	}

	private static void run() {
		try {
			compile();
		}
		catch (RingKernelException ex) {
			logger.debug("The handler that warms up the compiler failed", ex);
		}
	}

	/** Does what the definition of a kernel does with its handler. */
	static KernelImage compile() {
		KernelSpec<Message, Message> kernel = KernelSpec.of("compiler-warmup", Message.class, Message.class, new Sum(),
				KernelOptions.DEFAULTS);
		KernelImage image = KernelImage.of(kernel);
		new ImageCheck(kernel, image).check();
		return image;
	}

	private record Message(int number, @Capacity(16) float[] values) {
	}

	/** Touches what most handlers do: components, arrays, a loop and a reduction. */
	private static final class Sum implements RingKernelHandler<Message, Message> {

		@Override
		public Message handle(Message request) {
			float sum = Parallel.sumFloat(request.values().length, (i) -> request.values()[i]);
			float[] values = new float[request.values().length];
			Parallel.range(values.length, (i) -> values[i] = request.values()[i] / sum);
			return new Message(request.number() + 1, values);
		}

	}

}
