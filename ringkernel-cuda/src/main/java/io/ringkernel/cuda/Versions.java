package io.ringkernel.cuda;

/**
 * Versions as the driver counts them.
 */
final class Versions {

	/** CUDA 12.4: the first whose drivers load PTX 8.4, the device library's. */
	static final int MINIMUM = 12_040;

	private Versions() {
	}

	static String text(int version) {
		return version / 1000 + "." + version % 1000 / 10;
	}

}
