package io.ringkernel.compiler.corpus;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

import io.ringkernel.RingKernelHandler;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Loads a handler that calls a class of the tests in place of one of the JDK, whose
 * methods the JDK of the build may lack. The compiler reads a class file of it that calls
 * the JDK's.
 */
public final class Later extends ClassLoader {

	private final String resource;

	private final byte[] ofJdk;

	private Later(String resource, byte[] ofJdk) {
		super(Later.class.getClassLoader());
		this.resource = resource;
		this.ofJdk = ofJdk;
	}

	/**
	 * A handler.
	 * @param type its class, which is public with a public constructor
	 * @param called what it calls
	 * @param jdk the class of the JDK that the compiler finds in its place
	 */
	@SuppressWarnings("unchecked")
	public static <H extends RingKernelHandler<I, O>, I extends Record, O extends Record> RingKernelHandler<I, O> of(
			Class<H> type, Class<?> called, Class<?> jdk) {
		String resource = Type.getInternalName(type) + ".class";
		try (InputStream in = Objects.requireNonNull(type.getClassLoader().getResourceAsStream(resource))) {
			byte[] bytes = topLevel(in.readAllBytes());
			Class<?> defined = new Later(resource, calling(bytes, called, jdk)).defineClass(null, bytes, 0,
					bytes.length);
			return (RingKernelHandler<I, O>) defined.getConstructor().newInstance();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The class around it has another loader. */
	private static byte[] topLevel(byte[] bytes) {
		ClassNode node = read(bytes);
		node.innerClasses.clear();
		node.nestHostClass = null;
		return write(node);
	}

	/**
	 * A class file that calls another class.
	 * @param called the class that it called before
	 */
	public static byte[] calling(byte[] bytes, Class<?> called, Class<?> jdk) {
		ClassNode node = read(bytes);
		for (MethodNode method : node.methods) {
			for (AbstractInsnNode instruction : method.instructions) {
				if (instruction instanceof MethodInsnNode call && call.owner.equals(Type.getInternalName(called))) {
					call.owner = Type.getInternalName(jdk);
				}
			}
		}
		return write(node);
	}

	private static ClassNode read(byte[] bytes) {
		ClassNode node = new ClassNode();
		new ClassReader(bytes).accept(node, 0);
		return node;
	}

	private static byte[] write(ClassNode node) {
		ClassWriter writer = new ClassWriter(0);
		node.accept(writer);
		return writer.toByteArray();
	}

	@Override
	public InputStream getResourceAsStream(String name) {
		return name.equals(this.resource) ? new ByteArrayInputStream(this.ofJdk) : super.getResourceAsStream(name);
	}

}
