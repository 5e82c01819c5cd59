package io.ringkernel.compiler.bytecode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

import io.ringkernel.compiler.strict.StrictExponential;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The class files that the code of a handler refers to, read through its class loader.
 */
final class Classes {

	/** The room of functions that stand in for those of the JDK. */
	static final String STRICT = Type.getInternalName(StrictExponential.class)
		.replace(StrictExponential.class.getSimpleName(), "");

	private final @Nullable ClassLoader loader;

	private final Map<String, @Nullable ClassNode> read = new HashMap<>();

	Classes(@Nullable ClassLoader loader) {
		this.loader = loader;
	}

	/** The class file of a class; {@code null} if there is none. */
	@Nullable ClassNode find(String name) {
		if (!this.read.containsKey(name)) {
			this.read.put(name, read(name));
		}
		return this.read.get(name);
	}

	private @Nullable ClassNode read(String name) {
		String resource = name + ".class";
		ClassLoader from = name.startsWith(STRICT) ? Classes.class.getClassLoader() : this.loader;
		try (InputStream in = (from != null) ? from.getResourceAsStream(resource)
				: ClassLoader.getSystemResourceAsStream(resource)) {
			if (in == null) {
				return null;
			}
			ClassNode node = new ClassNode();
			new ClassReader(in).accept(node, ClassReader.SKIP_FRAMES);
			return node;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The class file of %s cannot be read".formatted(name), ex);
		}
	}

	/**
	 * A method of a class or of one that it extends; {@code null} if there is none with
	 * code.
	 */
	@Nullable Method method(String owner, String name, String descriptor) {
		for (ClassNode at = find(owner); at != null; at = (at.superName != null) ? find(at.superName) : null) {
			for (MethodNode method : at.methods) {
				if (method.name.equals(name) && method.desc.equals(descriptor) && method.instructions.size() > 0) {
					return new Method(at, method);
				}
			}
		}
		return null;
	}

	/** The class itself. */
	Class<?> load(String name) throws ClassNotFoundException {
		return Class.forName(Type.getObjectType(name).getClassName(), true, this.loader);
	}

}
