package io.ringkernel.spring.ai.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;

import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * Has MVStore, which needs a public class, use files that stay open if a thread is
 * interrupted.
 *
 * @since 0.2.0
 */
public final class SteadyPath extends FilePathWrapper {

	private static final String SCHEME = "ringkernel-steady";

	static {
		FilePath.register(new SteadyPath());
	}

	/**
	 * Creates a path without a name.
	 */
	public SteadyPath() {
	}

	/** The name by which MVStore opens a file. */
	static String name(String file) {
		return SCHEME + ":" + file;
	}

	@Override
	public String getScheme() {
		return SCHEME;
	}

	@Override
	public FileChannel open(String mode) throws IOException {
		return new SteadyChannel(() -> super.open(mode));
	}

}
