package io.ringkernel.benchmarks.picture;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A picture of results.
 */
interface Picture {

	/** Where it is, from the root of the repository. */
	Path file();

	/** What the names of its results end with. */
	String kind();

	/**
	 * Draws it.
	 * @param results the results
	 * @return the SVG document
	 */
	String draw(Results results) throws IOException;

}
