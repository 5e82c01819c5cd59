package io.ringkernel.spring.ai.graph;

import org.springframework.util.ClassUtils;

/**
 * Whether JVector is on the class path, which is optional.
 *
 * @since 0.2.0
 */
public final class GraphLibrary {

	/** What to do without it. */
	public static final String REMEDY = "Add the dependency io.github.jbellis:jvector, or set the index of the store to exact.";

	private static final String CLASS = "io.github.jbellis.jvector.graph.GraphIndexBuilder";

	private GraphLibrary() {
	}

	/**
	 * Looks for it.
	 * @return whether there can be graphs
	 */
	public static boolean isPresent() {
		return ClassUtils.isPresent(CLASS, ClassUtils.getDefaultClassLoader());
	}

}
