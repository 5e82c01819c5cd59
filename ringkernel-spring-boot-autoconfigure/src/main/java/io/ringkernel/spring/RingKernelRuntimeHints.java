package io.ringkernel.spring;

import java.io.IOException;
import java.io.UncheckedIOException;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

/**
 * What a native image has to know of ring kernels in general: the backends, which are
 * found as services; and JCuda, where it is on the class path, with its native library,
 * which it unpacks, and its classes, which that library looks up by name.
 *
 * @since 0.1.0
 */
public class RingKernelRuntimeHints implements RuntimeHintsRegistrar {

	private static final String BACKENDS = "META-INF/services/io.ringkernel.backend.BackendProvider";

	/** Creates the registrar. */
	public RingKernelRuntimeHints() {
	}

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern(BACKENDS);
		if (ClassUtils.isPresent("jcuda.driver.JCudaDriver", classLoader)) {
			hints.resources().registerPattern("lib/libJCudaDriver-*").registerPattern("lib/JCudaDriver-*");
			hints.resources().registerPattern("io/ringkernel/cuda/kernels/*");
			for (String classes : new String[] { "jcuda/*.class", "jcuda/driver/*.class" }) {
				register(hints.jni(), classes, classLoader, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS,
						MemberCategory.INVOKE_DECLARED_METHODS, MemberCategory.ACCESS_DECLARED_FIELDS);
			}
		}
	}

	private static void register(ReflectionHints hints, String classes, @Nullable ClassLoader classLoader,
			MemberCategory... categories) {
		String directory = classes.substring(0, classes.lastIndexOf('/') + 1);
		for (Resource found : find(classes, classLoader)) {
			String file = found.getFilename();
			if (file != null && !file.equals("package-info.class")) {
				String type = ClassUtils.convertResourcePathToClassName(directory + file.replace(".class", ""));
				hints.registerType(TypeReference.of(type), categories);
			}
		}
	}

	private static Resource[] find(String classes, @Nullable ClassLoader classLoader) {
		try {
			return new PathMatchingResourcePatternResolver(new DefaultResourceLoader(classLoader))
				.getResources("classpath*:" + classes);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The classes %s cannot be listed".formatted(classes), ex);
		}
	}

}
