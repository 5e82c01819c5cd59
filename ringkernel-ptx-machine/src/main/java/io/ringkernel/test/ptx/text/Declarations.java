package io.ringkernel.test.ptx.text;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Reads declarations of variables into a scope. */
final class Declarations {

	private static final byte[] NOTHING = {};

	private final Tokens tokens;

	private final Scope scope;

	Declarations(Tokens tokens, Scope scope) {
		this.tokens = tokens;
		this.scope = scope;
	}

	/** Reads what follows the name of a space, to the semicolon. */
	List<Variable> variables(Space space) {
		List<Variable> all = new ArrayList<>();
		int alignment = alignment();
		ScalarType type = type();
		do {
			all.addAll(declarators(space, type, alignment));
		}
		while (this.tokens.takeIf(","));
		this.tokens.expect(";");
		return all;
	}

	/** Reads parameters in parentheses, if there are any. */
	List<Variable> parameters() {
		List<Variable> all = new ArrayList<>();
		if (!this.tokens.takeIf("(")) {
			return all;
		}
		while (!this.tokens.takeIf(")")) {
			String space = this.tokens.take();
			if (!space.equals(".param")) {
				throw new PtxSyntaxException(this.tokens.line(),
						"parameters in '%s' are not supported".formatted(space));
			}
			int alignment = alignment();
			ScalarType type = type();
			if (this.tokens.takeIf(".ptr")) {
				skipPointer();
			}
			all.addAll(declarators(Space.PARAM, type, alignment));
			this.tokens.takeIf(",");
		}
		return all;
	}

	private void skipPointer() {
		if (Space.named(this.tokens.peek().substring(1)) != null) {
			this.tokens.take();
		}
		alignment();
	}

	private int alignment() {
		return this.tokens.takeIf(".align") ? (int) Numbers.integer(this.tokens.take()) : 0;
	}

	private ScalarType type() {
		String name = this.tokens.take();
		ScalarType type = name.startsWith(".") ? ScalarType.named(name.substring(1)) : null;
		if (type == null) {
			throw new PtxSyntaxException(this.tokens.line(), "the type '%s' is not supported".formatted(name));
		}
		return type;
	}

	private List<Variable> declarators(Space space, ScalarType type, int alignment) {
		String name = this.tokens.take();
		List<Variable> all = new ArrayList<>();
		if (this.tokens.takeIf("<")) {
			long count = Numbers.integer(this.tokens.take());
			this.tokens.expect(">");
			for (long i = 0; i < count; i++) {
				all.add(new Variable(name + i, space, type, alignment, type.bytes(), NOTHING));
			}
		}
		else {
			long elements = 1;
			while (this.tokens.takeIf("[")) {
				elements *= this.tokens.peek().equals("]") ? 0 : Numbers.integer(this.tokens.take());
				this.tokens.expect("]");
			}
			byte[] initial = this.tokens.takeIf("=") ? initializer(type) : NOTHING;
			all.add(new Variable(name, space, type, alignment, elements * type.bytes(), initial));
		}
		all.forEach(this.scope::declare);
		return all;
	}

	private byte[] initializer(ScalarType type) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		if (this.tokens.takeIf("{")) {
			while (!this.tokens.takeIf("}")) {
				element(type, bytes);
				this.tokens.takeIf(",");
			}
		}
		else {
			element(type, bytes);
		}
		return bytes.toByteArray();
	}

	private void element(ScalarType type, ByteArrayOutputStream bytes) {
		boolean negative = this.tokens.takeIf("-");
		String token = this.tokens.take();
		if (!Numbers.begins(token)) {
			throw new PtxSyntaxException(this.tokens.line(),
					"a variable that begins as '%s' is not supported".formatted(token));
		}
		long value = Numbers.literal(token, negative).bits();
		for (int i = 0; i < type.bytes(); i++) {
			bytes.write((int) (value >>> (i * Byte.SIZE)));
		}
	}

}
