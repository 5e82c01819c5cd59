package io.ringkernel.maven;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.signature.SignatureReader;
import org.objectweb.asm.signature.SignatureVisitor;

/**
 * Reads the return type in the generic signature of a method, without loading what else
 * the method or its class mentions: the build may not have all of it on its class path.
 */
final class ReturnType extends SignatureVisitor {

	private static final String ANY = Object.class.getName();

	private static final SignatureVisitor IGNORED = new SignatureVisitor(Opcodes.ASM9) {
	};

	private final List<String> arguments = new ArrayList<>();

	private ReturnType() {
		super(Opcodes.ASM9);
	}

	/**
	 * The classes of the type arguments of the return type in a signature: that of
	 * {@code Object} in place of a wildcard, a type variable or an array.
	 */
	static List<String> argumentsIn(@Nullable String signature) {
		ReturnType type = new ReturnType();
		if (signature != null) {
			new SignatureReader(signature).accept(new SignatureVisitor(Opcodes.ASM9) {

				@Override
				public SignatureVisitor visitReturnType() {
					return type;
				}

			});
		}
		return type.arguments;
	}

	@Override
	public void visitTypeArgument() {
		this.arguments.add(ANY);
	}

	@Override
	public SignatureVisitor visitTypeArgument(char wildcard) {
		int index = this.arguments.size();
		this.arguments.add(ANY);
		return new SignatureVisitor(Opcodes.ASM9) {

			@Override
			public void visitClassType(String name) {
				ReturnType.this.arguments.set(index, Type.getObjectType(name).getClassName());
			}

			@Override
			public SignatureVisitor visitTypeArgument(char nested) {
				return IGNORED;
			}

			@Override
			public SignatureVisitor visitArrayType() {
				return IGNORED;
			}

		};
	}

}
