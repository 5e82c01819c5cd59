package io.ringkernel.test.ptx.text;

import org.jspecify.annotations.Nullable;

/**
 * A state space of PTX.
 *
 * @since 0.2.0
 */
public enum Space {

	/** Any memory, by an address that says which. */
	GENERIC,

	/** The registers of a thread. */
	REG,

	/** The memory of the device, and of the host where it is mapped. */
	GLOBAL,

	/** What no kernel writes. */
	CONST,

	/** The memory of a block. */
	SHARED,

	/** The memory of a thread. */
	LOCAL,

	/** Parameters of kernels and functions. */
	PARAM;

	/**
	 * Finds a space by its name, without the dot.
	 * @return the space, or {@code null} if there is none of this name
	 */
	public static @Nullable Space named(String name) {
		return switch (name) {
			case "reg" -> REG;
			case "global" -> GLOBAL;
			case "const" -> CONST;
			case "shared" -> SHARED;
			case "local" -> LOCAL;
			case "param" -> PARAM;
			default -> null;
		};
	}

}
