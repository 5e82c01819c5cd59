package io.ringkernel.cuda.nvrtc;

import java.util.List;
import java.util.Map;

/**
 * The compiler NVRTC of CUDA 12 or 13. It needs neither a driver nor a device.
 *
 * @since 0.2.0
 */
public interface Nvrtc {

	/**
	 * {@return the compiler of this machine}
	 * @throws NvrtcUnavailableException if there is none, or no JNA to call it by
	 */
	static Nvrtc ofSystem() {
		return NvrtcLibrary.ofSystem();
	}

	/**
	 * {@return the version of CUDA that it is of, such as {@code 13.0}}
	 */
	String version();

	/**
	 * Compiles a source to PTX.
	 * @param name what the source is called in messages
	 * @param source the source
	 * @param headers texts of headers, by what {@code #include} calls them
	 * @param options options of the compiler
	 * @return the text of the PTX
	 * @throws NvrtcException if it does not compile
	 */
	String compile(String name, String source, Map<String, String> headers, List<String> options);

}
