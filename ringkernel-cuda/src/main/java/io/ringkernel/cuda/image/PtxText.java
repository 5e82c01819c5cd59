package io.ringkernel.cuda.image;

import java.util.stream.Collectors;

/**
 * A text of PTX as NVIDIA's compilers write it, made fit to be kept and to be loaded.
 *
 * @since 0.2.0
 */
public final class PtxText {

	/** All that the headers need; drivers load it from CUDA 12.4 on. */
	public static final String VERSION = "8.4";

	/** The oldest device that the compilers of CUDA 13 compile for. */
	public static final String ARCHITECTURE = "compute_75";

	private PtxText() {
	}

	/**
	 * Lowers the version of the instruction set: a compiler states its own, which only
	 * drivers load that are as new as the compiler. Comments at the beginnings of lines,
	 * which name its build, are left out.
	 * @param written what a compiler has written
	 * @return the text to load
	 */
	public static String lowered(String written) {
		return written.lines()
			.filter((line) -> !line.startsWith("//"))
			.dropWhile(String::isBlank)
			.map((line) -> line.startsWith(".version ") ? ".version " + VERSION : line)
			.collect(Collectors.joining("\n", "", "\n"));
	}

}
