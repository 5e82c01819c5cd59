package io.ringkernel.cuda.nvrtc;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToIntBiFunction;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * NVRTC as JNA calls it.
 */
record LoadedNvrtc(NvrtcCalls calls) implements Nvrtc {

	private static final Logger logger = LoggerFactory.getLogger(LoadedNvrtc.class);

	private static final int SUCCESS = 0;

	private static final String REMEDY = "Install it, such as by the package cuda-nvrtc of NVIDIA's repository, or set CUDA_PATH to the folder of a CUDA toolkit.";

	/**
	 * The first library that can be loaded, by a name that the linker knows or as a file.
	 */
	static LoadedNvrtc of(List<String> candidates) {
		@Nullable Throwable reason = null;
		for (String candidate : candidates) {
			try {
				return new LoadedNvrtc(Native.load(candidate, NvrtcCalls.class,
						Map.of(Library.OPTION_STRING_ENCODING, StandardCharsets.UTF_8.name())));
			}
			catch (UnsatisfiedLinkError ex) {
				logger.debug("NVRTC is not loaded as {}", candidate, ex);
				reason = (reason != null) ? reason : ex;
			}
		}
		throw new NvrtcUnavailableException(
				"NVRTC of CUDA 12 or 13 is not found (%s)".formatted(String.join(", ", candidates)), REMEDY,
				Objects.requireNonNull(reason));
	}

	@Override
	public String version() {
		IntByReference major = new IntByReference();
		IntByReference minor = new IntByReference();
		check(this.calls.nvrtcVersion(major, minor));
		return major.getValue() + "." + minor.getValue();
	}

	@Override
	public String compile(String name, String source, Map<String, String> headers, List<String> options) {
		PointerByReference program = new PointerByReference();
		check(this.calls.nvrtcCreateProgram(program, source, name, headers.size(),
				headers.values().toArray(String[]::new), headers.keySet().toArray(String[]::new)));
		try {
			Pointer created = program.getValue();
			int result = this.calls.nvrtcCompileProgram(created, options.size(), options.toArray(String[]::new));
			if (result != SUCCESS) {
				String log = text(created, this.calls::nvrtcGetProgramLogSize, this.calls::nvrtcGetProgramLog);
				throw new NvrtcException(log.isBlank() ? this.calls.nvrtcGetErrorString(result) : log.strip());
			}
			return text(created, this.calls::nvrtcGetPTXSize, this.calls::nvrtcGetPTX);
		}
		finally {
			this.calls.nvrtcDestroyProgram(program);
		}
	}

	private String text(Pointer program, ToIntBiFunction<Pointer, LongByReference> size,
			ToIntBiFunction<Pointer, byte[]> text) {
		LongByReference bytes = new LongByReference();
		check(size.applyAsInt(program, bytes));
		byte[] content = new byte[Math.toIntExact(bytes.getValue())];
		check(text.applyAsInt(program, content));
		// It ends with a zero byte.
		return new String(content, 0, Math.max(0, content.length - 1), StandardCharsets.UTF_8);
	}

	private void check(int result) {
		if (result != SUCCESS) {
			throw new NvrtcException(this.calls.nvrtcGetErrorString(result));
		}
	}

}
