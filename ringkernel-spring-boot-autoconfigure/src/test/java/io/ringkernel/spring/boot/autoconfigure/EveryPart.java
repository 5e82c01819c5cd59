package io.ringkernel.spring.boot.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.util.ClassUtils;

/**
 * The auto-configurations of the starter.
 */
final class EveryPart {

	private EveryPart() {
	}

	static Class<?>[] classes() {
		return ImportCandidates.load(AutoConfiguration.class, EveryPart.class.getClassLoader())
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.ringkernel."))
			.map((name) -> ClassUtils.resolveClassName(name, null))
			.toArray(Class<?>[]::new);
	}

}
