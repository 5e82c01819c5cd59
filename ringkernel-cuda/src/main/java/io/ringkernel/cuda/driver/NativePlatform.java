package io.ringkernel.cuda.driver;

import java.util.Locale;
import java.util.Set;

/**
 * The operating system and the processor that native code runs on, as the system
 * properties name them.
 */
record NativePlatform(String system, String architecture) {

	private static final Set<String> X86_64 = Set.of("amd64", "x86_64");

	static NativePlatform current() {
		return new NativePlatform(System.getProperty("os.name"), System.getProperty("os.arch"));
	}

	/** Whether JCuda is published with a native library for this platform. */
	boolean hasJCuda() {
		String name = this.system.toLowerCase(Locale.ROOT);
		return (name.startsWith("linux") || name.startsWith("windows"))
				&& X86_64.contains(this.architecture.toLowerCase(Locale.ROOT));
	}

	@Override
	public String toString() {
		return this.system + "/" + this.architecture;
	}

}
