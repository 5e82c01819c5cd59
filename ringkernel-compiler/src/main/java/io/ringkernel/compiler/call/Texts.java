package io.ringkernel.compiler.call;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.strict.StrictText;
import io.ringkernel.compiler.translation.Compilation;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import org.objectweb.asm.Type;

/**
 * The calls of {@code String}: of a text of the request, which lies there in UTF-8, and
 * of one that is known.
 *
 * @since 0.2.0
 */
public final class Texts {

	private static final String STRICT = Type.getInternalName(StrictText.class);

	/** A device looks for a character of a text that is known among so many at once. */
	private static final int MAX_KNOWN = 256;

	private final Compilation compilation;

	private final Translation translation;

	private final Code code;

	public Texts(Compilation compilation) {
		this.compilation = compilation;
		this.translation = compilation.translation();
		this.code = this.translation.code();
	}

	/** Whether a value is a text whose characters are known to the code. */
	static boolean isText(Value value) {
		return value.shape() instanceof Shape.Utf8 || (value.shape() instanceof Shape.Text text && text.isWhole());
	}

	Value call(String name, List<Value> arguments) {
		Value text = arguments.get(0);
		return switch (name) {
			case "length" -> Value.of(length(text));
			case "isEmpty" -> Value.of(this.code.select(this.code.compare(Comparison.EQ, length(text), Constant.ZERO),
					Constant.of(1), Constant.ZERO));
			case "charAt" -> Value.of(charAt(text, arguments.get(1).scalar()));
			case "equals" -> equal(text, arguments.get(1));
			case "hashCode" -> (text.shape() instanceof Shape.Text known) ? Value.of(known.constant().hashCode())
					: strict("hashCode", "([B)I", List.of(bytes(text)));
			default -> throw this.translation.refuse("java.lang.String.%s is called".formatted(name),
					"Use length, isEmpty, charAt, equals and hashCode of a text, and switch.");
		};
	}

	private static Operand length(Value text) {
		return (text.shape() instanceof Shape.Text known) ? Constant.of(known.constant().length())
				: text.scalars().get(2);
	}

	private Value bytes(Value text) {
		return this.translation.ofWorker(Value.array(MemoryType.BYTE, (Register) text.scalar(), text.scalars().get(1)));
	}

	private Operand charAt(Value text, Operand index) {
		this.translation.failures()
			.throwIf(this.code.compare(Comparison.NOT_BELOW, index, length(text)),
					"java.lang.StringIndexOutOfBoundsException", null);
		if (!(text.shape() instanceof Shape.Text known) || known.constant().length() > MAX_KNOWN) {
			Value placed = this.translation.constants().placed(text);
			return strict("charAt", "([BII)C", List.of(bytes(placed), Value.of(length(placed)), Value.of(index)))
				.scalar();
		}
		Operand found = Constant.ZERO;
		for (int i = 0; i < known.constant().length(); i++) {
			found = this.code.select(this.code.compare(Comparison.EQ, index, Constant.of(i)),
					Constant.of((int) known.constant().charAt(i)), found);
		}
		return found;
	}

	private Value equal(Value text, Value other) {
		if (!isText(other)) {
			throw this.translation.refuse("a text is compared with an object that is none", "Compare it with a text.");
		}
		if (other.shape() instanceof Shape.Text known) {
			return (text.shape() instanceof Shape.Text both)
					? Value.of(both.constant().equals(known.constant()) ? 1 : 0) : isKnown(text, known);
		}
		return (text.shape() instanceof Shape.Text known) ? isKnown(other, known)
				: strict("equals", "([B[B)Z", List.of(bytes(text), bytes(other)));
	}

	/** Well-formed texts are equal if their bytes are. */
	private Value isKnown(Value text, Shape.Text known) {
		ByteBuffer expected = this.translation.constants().utf8(known.constant());
		Register equal = this.code.copy(Constant.ZERO);
		Label end = new Label();
		this.code.branch(this.code.compare(Comparison.EQ, text.scalars().get(1), Constant.of(expected.remaining())),
				false, end);
		for (int i = 0; i < expected.remaining(); i++) {
			Register at = this.code.load(MemoryType.BYTE, (Register) text.scalar(), i, true);
			this.code.branch(this.code.compare(Comparison.EQ, at, Constant.of((int) expected.get(i))), false, end);
		}
		this.code.move(equal, Constant.of(1));
		this.code.mark(end);
		return Value.of(equal);
	}

	/** How many units a text of the request has. */
	public Operand units(Value bytes) {
		return strict("length", "([B)I", List.of(bytes)).scalar();
	}

	private Value strict(String name, String descriptor, List<Value> arguments) {
		return Objects.requireNonNull(this.compilation.inline(STRICT, name, descriptor, arguments), name);
	}

}
