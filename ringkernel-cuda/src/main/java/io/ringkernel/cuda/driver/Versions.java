package io.ringkernel.cuda.driver;

/**
 * Versions of CUDA as the driver counts them: 12040 for CUDA 12.4.
 *
 * @since 0.2.0
 */
public final class Versions {

	/** CUDA 12.4: the first whose drivers load PTX 8.4, the device library's. */
	public static final int MINIMUM = 12_040;

	private Versions() {
	}

	/**
	 * {@return a version as NVIDIA writes it, such as {@code 12.4}}
	 * @param version the version as the driver counts it
	 */
	public static String text(int version) {
		return version / 1000 + "." + version % 1000 / 10;
	}

}
