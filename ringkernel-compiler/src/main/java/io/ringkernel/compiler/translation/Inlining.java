package io.ringkernel.compiler.translation;

import java.util.List;
import java.util.Map;

import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.compiler.value.Value;
import io.ringkernel.message.Field;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.AbstractInsnNode;

/**
 * Translates methods where they are called.
 *
 * @since 0.2.0
 */
@FunctionalInterface
public interface Inlining {

	/**
	 * Translates a method.
	 * @param arguments what it is called with, beginning with the receiver if it has one
	 * @param inResponse which arrays that it makes are those of the response
	 * @return what it returns; {@code null} if nothing
	 */
	@Nullable Value translate(Compilation compilation, Method method, List<Value> arguments,
			Map<AbstractInsnNode, Field> inResponse);

}
