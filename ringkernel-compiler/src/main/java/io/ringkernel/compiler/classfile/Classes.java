package io.ringkernel.compiler.classfile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.ringkernel.compiler.strict.StrictExponential;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The class files that the code of a handler refers to, read through its class loader.
 *
 * @since 0.2.0
 */
public final class Classes {

	public static final String PARALLEL = "io/ringkernel/Parallel";

	public static final String LAMBDAS = "java/lang/invoke/LambdaMetafactory";

	/** The room of functions that stand in for those of the JDK. */
	public static final String STRICT = Type.getInternalName(StrictExponential.class)
		.replace(StrictExponential.class.getSimpleName(), "");

	private final @Nullable ClassLoader loader;

	private final Map<String, @Nullable ClassNode> read = new HashMap<>();

	public Classes(@Nullable ClassLoader loader) {
		this.loader = loader;
	}

	/** The class file of a class; {@code null} if there is none. */
	public @Nullable ClassNode find(String name) {
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

	/** The method that a reference names, if it has code; {@code null} else. */
	public @Nullable Method method(String owner, String name, String descriptor) {
		return withCode(resolve(owner, name, descriptor));
	}

	private static @Nullable Method withCode(@Nullable Method method) {
		return (method != null && method.hasCode()) ? method : null;
	}

	/**
	 * The method that a reference names, which may be abstract: one of the class, of one
	 * that it extends, or of an interface; {@code null} if there is none.
	 */
	public @Nullable Method resolve(String owner, String name, String descriptor) {
		for (ClassNode at : withSuperclasses(owner)) {
			Method method = declared(at, name, descriptor);
			if (method != null) {
				return method;
			}
		}
		return inherited(owner, name, descriptor);
	}

	/**
	 * The method that runs when a method is called of an object, as the JVM selects it;
	 * {@code null} if it has no code.
	 * @param receiver the class of the object, or the interface of a lambda
	 * @param resolved the method that the call names
	 */
	public @Nullable Method select(String receiver, Method resolved) {
		if (resolved.isPrivate()) {
			return resolved;
		}
		String name = resolved.node().name;
		String descriptor = resolved.node().desc;
		for (ClassNode at : withSuperclasses(receiver)) {
			Method method = declared(at, name, descriptor);
			if (method != null && (method.equals(resolved) || method.overrides(resolved))) {
				return withCode(method);
			}
		}
		return withCode(inherited(receiver, name, descriptor));
	}

	private static @Nullable Method declared(ClassNode type, String name, String descriptor) {
		for (MethodNode method : type.methods) {
			if (method.name.equals(name) && method.desc.equals(descriptor)) {
				return new Method(type, method);
			}
		}
		return null;
	}

	/**
	 * A method of an interface that no interface replaces which extends that: one with
	 * code, if there is one.
	 */
	private @Nullable Method inherited(String type, String name, String descriptor) {
		List<Method> methods = interfaces(type).stream()
			.map((node) -> declared(node, name, descriptor))
			.filter((method) -> method != null && !method.isPrivate() && !method.isStatic())
			.map(Objects::requireNonNull)
			.toList();
		List<Method> specific = methods.stream()
			.filter((method) -> methods.stream()
				.noneMatch((other) -> !other.equals(method) && interfaces(other.owner().name).contains(method.owner())))
			.toList();
		return specific.stream()
			.filter(Method::hasCode)
			.findFirst()
			.orElse(specific.isEmpty() ? null : specific.get(0));
	}

	private List<ClassNode> withSuperclasses(String type) {
		List<ClassNode> classes = new ArrayList<>();
		for (ClassNode at = find(type); at != null; at = (at.superName != null) ? find(at.superName) : null) {
			classes.add(at);
		}
		return classes;
	}

	private Set<ClassNode> interfaces(String type) {
		Set<ClassNode> interfaces = new LinkedHashSet<>();
		for (ClassNode at : withSuperclasses(type)) {
			for (String name : at.interfaces) {
				ClassNode node = find(name);
				if (node != null && interfaces.add(node)) {
					interfaces.addAll(interfaces(name));
				}
			}
		}
		return interfaces;
	}

	public Class<?> load(String name) throws ClassNotFoundException {
		return Class.forName(Type.getObjectType(name).getClassName(), true, this.loader);
	}

	/** The constants of an enum whose class file has been read, in their order. */
	public List<Object> constants(String type) {
		try {
			return List.of(load(type).getEnumConstants());
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException("The class of an enum that was read cannot be loaded", ex);
		}
	}

}
