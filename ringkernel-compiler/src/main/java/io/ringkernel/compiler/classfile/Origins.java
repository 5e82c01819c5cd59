package io.ringkernel.compiler.classfile;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * What makes a value. What the method is called with is an origin as well.
 *
 * @since 0.2.0
 */
public class Origins extends SourceInterpreter {

	public Origins() {
		super(Opcodes.ASM9);
	}

	@Override
	public SourceValue newParameterValue(boolean isInstance, int local, Type type) {
		return new SourceValue(type.getSize(), new LabelNode());
	}

}
