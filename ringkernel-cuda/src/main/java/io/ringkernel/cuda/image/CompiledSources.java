package io.ringkernel.cuda.image;

import java.util.LinkedHashMap;
import java.util.Map;

import io.ringkernel.cuda.nvrtc.Nvrtc;

/**
 * The images of sources in CUDA C++, each compiled once: a kernel is checked, loaded and
 * launched again with the same.
 */
final class CompiledSources {

	/** Those of a process, and some that were changed meanwhile. */
	private static final int KEPT = 64;

	private static final Map<KernelSource, String> IMAGES = new LinkedHashMap<>(16, 0.75f, true) {

		private static final long serialVersionUID = 1;

		@Override
		protected boolean removeEldestEntry(Map.Entry<KernelSource, String> eldest) {
			return size() > KEPT;
		}

	};

	private CompiledSources() {
	}

	/**
	 * The image of a source.
	 * @throws io.ringkernel.exception.RingKernelException if there is no NVRTC, or it
	 * refuses the source
	 */
	static String image(KernelSource source) {
		synchronized (IMAGES) {
			return IMAGES.computeIfAbsent(source, (key) -> key.compile(Nvrtc.ofSystem()));
		}
	}

}
