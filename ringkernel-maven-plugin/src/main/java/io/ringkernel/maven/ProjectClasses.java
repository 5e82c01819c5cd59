package io.ringkernel.maven;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The compiled classes of the project that is built, and the kernels among them. What the
 * plugin itself is made of is found before what the project depends on: a record of the
 * project and the compiler of handlers see the same annotations.
 */
final class ProjectClasses implements AutoCloseable {

	private static final String RING_KERNEL = "Lio/ringkernel/spring/RingKernel;";

	private final Path directory;

	private final URLClassLoader loader;

	ProjectClasses(Path directory, List<String> classPath) {
		this.directory = directory;
		this.loader = new URLClassLoader(classPath.stream().map(ProjectClasses::url).toArray(URL[]::new),
				ProjectClasses.class.getClassLoader());
	}

	private static URL url(String element) {
		try {
			return Path.of(element).toUri().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalArgumentException("The class path has '%s', which is no file.".formatted(element), ex);
		}
	}

	/** The kernels whose handler, or whose bean method, has the annotation. */
	List<ProjectKernel> kernels() throws IOException {
		if (!Files.isDirectory(this.directory)) {
			return List.of();
		}
		List<ProjectKernel> kernels = new ArrayList<>();
		try (Stream<Path> files = Files.walk(this.directory)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(".class")).sorted().toList()) {
				ClassNode type = new ClassNode();
				new ClassReader(Files.readAllBytes(file)).accept(type, ClassReader.SKIP_CODE);
				add(kernels, type.visibleAnnotations, Type.getObjectType(type.name), null);
				for (MethodNode method : type.methods) {
					add(kernels, method.visibleAnnotations, Type.getReturnType(method.desc), method.signature);
				}
			}
		}
		return kernels;
	}

	private void add(List<ProjectKernel> kernels, @Nullable List<AnnotationNode> annotations, Type handler,
			@Nullable String signature) {
		for (AnnotationNode annotation : (annotations != null) ? annotations : List.<AnnotationNode>of()) {
			if (annotation.desc.equals(RING_KERNEL)) {
				List<Class<?>> arguments = ReturnType.argumentsIn(signature)
					.stream()
					.<Class<?>>map(this::load)
					.toList();
				kernels.add(ProjectKernel.of(attribute(annotation, "id"), attribute(annotation, "image"),
						load(handler.getClassName()), arguments));
			}
		}
	}

	private static String attribute(AnnotationNode annotation, String name) {
		List<Object> pairs = (annotation.values != null) ? annotation.values : List.of();
		for (int i = 0; i < pairs.size(); i += 2) {
			if (pairs.get(i).equals(name)) {
				return (String) pairs.get(i + 1);
			}
		}
		return "";
	}

	private Class<?> load(String name) {
		try {
			return Class.forName(name, false, this.loader);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalArgumentException("%s is not on the class path.".formatted(name), ex);
		}
	}

	@Override
	public void close() throws IOException {
		this.loader.close();
	}

}
