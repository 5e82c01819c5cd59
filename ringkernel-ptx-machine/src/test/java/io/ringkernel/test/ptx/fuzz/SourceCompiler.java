package io.ringkernel.test.ptx.fuzz;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.corpus.HalfReference;
import io.ringkernel.compiler.corpus.Later;

/**
 * Compiles classes in memory, by javac. Their class files are resources of their loader,
 * which call methods of the JDK where the classes call those of the tests.
 */
final class SourceCompiler extends ClassLoader {

	private static final String PACKAGE = "io.ringkernel.test.ptx.fuzz.generated.";

	private final Map<String, byte[]> classes = new HashMap<>();

	/**
	 * @param sources the texts of classes, by their simple names
	 */
	SourceCompiler(Map<String, String> sources) throws IOException {
		super(SourceCompiler.class.getClassLoader());
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		StringWriter problems = new StringWriter();
		List<Source> units = sources.entrySet().stream().map((it) -> new Source(it.getKey(), it.getValue())).toList();
		try (JavaFileManager files = new MemoryFiles(compiler.getStandardFileManager(null, null, null))) {
			boolean compiled = compiler
				.getTask(problems, files, null, List.of("-g", "-nowarn", "-proc:none", "-classpath", classPath()), null,
						units)
				.call();
			if (!compiled) {
				throw new IllegalStateException("generated classes do not compile: " + problems);
			}
		}
	}

	/** Where the classes lie that sources name, however this JVM was started. */
	private static String classPath() {
		return Stream.of(RingKernelHandler.class, HalfReference.class, Input.class)
			.map((type) -> Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString())))
			.map(Path::toString)
			.collect(Collectors.joining(File.pathSeparator));
	}

	@SuppressWarnings("unchecked")
	RingKernelHandler<Input, Output> handler(String name) throws ReflectiveOperationException {
		return (RingKernelHandler<Input, Output>) loadClass(PACKAGE + name).getConstructor().newInstance();
	}

	@Override
	protected Class<?> findClass(String name) throws ClassNotFoundException {
		byte[] bytes = this.classes.get(name);
		if (bytes == null) {
			throw new ClassNotFoundException(name);
		}
		return defineClass(name, bytes, 0, bytes.length);
	}

	@Override
	public InputStream getResourceAsStream(String name) {
		byte[] bytes = this.classes.get(name.replace(".class", "").replace('/', '.'));
		return (bytes != null) ? new ByteArrayInputStream(Later.calling(bytes, HalfReference.class, Float.class))
				: super.getResourceAsStream(name);
	}

	private static final class Source extends SimpleJavaFileObject {

		private final String text;

		Source(String name, String text) {
			super(URI.create("string:///" + (PACKAGE + name).replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
			this.text = text;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

	}

	private final class MemoryFiles extends ForwardingJavaFileManager<JavaFileManager> {

		MemoryFiles(JavaFileManager files) {
			super(files);
		}

		@Override
		public JavaFileObject getJavaFileForOutput(Location location, String name, Kind kind, FileObject sibling) {
			return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/')), kind) {

				@Override
				public OutputStream openOutputStream() {
					return new ByteArrayOutputStream() {

						@Override
						public void close() {
							SourceCompiler.this.classes.put(Objects.requireNonNull(name), toByteArray());
						}

					};
				}

			};
		}

	}

}
