package io.ringkernel.compiler.translation;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.compiler.value.Shapes;
import io.ringkernel.compiler.value.Value;
import io.ringkernel.message.Field;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;

/**
 * What the parts of a translation work with.
 *
 * @since 0.2.0
 */
public record Compilation(Translation translation, Messages messages, Shapes shapes, Inlining inlining) {

	/**
	 * Translates a method where it is called.
	 * @param arguments what it is called with, beginning with the receiver if it has one
	 * @param inResponse which arrays that it makes are those of the response
	 * @return what it returns; {@code null} if nothing
	 */
	public @Nullable Value inline(Method method, List<Value> arguments, Map<AbstractInsnNode, Field> inResponse) {
		return this.inlining.translate(this, method, arguments, inResponse);
	}

	/** Translates a static method of ours, which makes no array of the response. */
	public @Nullable Value inline(String owner, String name, String descriptor, List<Value> arguments) {
		Method method = this.translation.classes().method(owner, name, descriptor);
		return inline(Objects.requireNonNull(method, name), arguments, Map.of());
	}

	/** Translates methods where they are called. */
	@FunctionalInterface
	public interface Inlining {

		@Nullable Value translate(Compilation compilation, Method method, List<Value> arguments,
				Map<AbstractInsnNode, Field> inResponse);

	}

}
