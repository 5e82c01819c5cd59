package io.ringkernel.compiler.bytecode;

import java.util.List;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.translation.ArrayElements;
import io.ringkernel.compiler.translation.Compilation;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import io.ringkernel.message.Field;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;

/**
 * The opcodes of arrays.
 */
final class ArrayAccess {

	/** In the order of the codes that begin with {@link Opcodes#T_BOOLEAN}. */
	private static final List<MemoryType> ELEMENTS = List.of(MemoryType.BOOLEAN, MemoryType.CHAR, MemoryType.FLOAT,
			MemoryType.DOUBLE, MemoryType.BYTE, MemoryType.SHORT, MemoryType.INT, MemoryType.LONG);

	private final Compilation compilation;

	private final Translation translation;

	private final Code code;

	private final StackFrame frame;

	ArrayAccess(Compilation compilation, StackFrame frame) {
		this.compilation = compilation;
		this.translation = compilation.translation();
		this.code = this.translation.code();
		this.frame = frame;
	}

	void load() {
		Operand index = this.frame.popScalar();
		Value loaded = this.frame.pop();
		if (loaded.shape() instanceof Shape.SwitchMap map) {
			this.frame.push(branch(map, index));
			return;
		}
		if (loaded.shape() instanceof Shape.RecordsOf records) {
			ArrayElements.requireWithin(this.translation, loaded, index);
			this.frame.push(this.compilation.messages().element(records, (Register) loaded.scalar(), index));
			return;
		}
		if (loaded.shape() instanceof Shape.RowsOf rows) {
			ArrayElements.requireWithin(this.translation, loaded, index);
			this.frame.push(row(loaded, rows.element(), index));
			return;
		}
		Value array = array(loaded);
		MemoryType element = ArrayElements.type(array);
		Register address = ArrayElements.address(this.translation, array, index);
		Register value = this.code.load(element, address, 0, true);
		this.frame.push(this.translation.isOfWorker(array) ? value : this.translation.agreed(element, value));
	}

	/** 0 is the branch of those constants that the {@code switch} does not name. */
	private Operand branch(Shape.SwitchMap map, Operand ordinal) {
		Operand branch = Constant.ZERO;
		for (int i = 0; i < map.branches().size(); i++) {
			branch = this.code.select(this.code.compare(Comparison.EQ, ordinal, Constant.of(i)),
					Constant.of(map.branches().get(i)), branch);
		}
		return branch;
	}

	private Value row(Value rows, MemoryType element, Operand index) {
		Operand length = rows.scalars().get(2);
		Register first = this.code.binary(Operator.MUL, index, length);
		Value row = Value.array(element, ArrayElements.address(this.code, (Register) rows.scalar(), first, element),
				length);
		return this.translation.isOfWorker(rows) ? this.translation.ofWorker(row) : row;
	}

	/** Outside parallel parts, one thread stores for all. */
	void store() {
		Value stored = this.frame.pop();
		Operand index = this.frame.popScalar();
		Value array = array(this.frame.pop());
		ArrayElements.requireChanging(this.translation, array);
		Register address = ArrayElements.address(this.translation, array, index);
		this.code.add(new Instruction.Store(ArrayElements.type(array), address, 0, stored.scalar(), true,
				this.translation.guard()));
	}

	void length() {
		Value array = this.frame.pop();
		boolean isOfArrays = array.shape() instanceof Shape.RecordsOf || array.shape() instanceof Shape.RowsOf;
		this.frame.push(isOfArrays ? array.scalars().get(1) : array(array).scalars().get(1));
	}

	/**
	 * Makes an array.
	 * @param member the array of the response that it is; {@code null} if it is gone with
	 * the request
	 */
	void create(int type, @Nullable Field member) {
		Operand length = this.frame.popScalar();
		this.frame.push(this.compilation.messages().make(member, ELEMENTS.get(type - Opcodes.T_BOOLEAN), length));
	}

	/** Makes an array of arrays that have the same length. */
	void createRows(MultiANewArrayInsnNode made) {
		Type type = Type.getType(made.desc);
		if (!(this.compilation.shapes().of(type) instanceof Shape.RowsOf shape)) {
			throw this.translation.refuse("an array %s is made".formatted(type.getClassName()),
					"Use two dimensions of a primitive type at most.");
		}
		Operand length = notNegative(this.frame.popScalar());
		Operand count = notNegative(this.frame.popScalar());
		Value elements = this.translation.scratch()
			.allocate(shape.element(), this.code.binary(Operator.MUL, count, length));
		this.frame.push(this.translation.ofWorker(new Value(shape, List.of(elements.scalar(), count, length))));
	}

	private Operand notNegative(Operand length) {
		this.translation.failures().throwIfNegative(length);
		return (length instanceof Constant) ? length : this.code.binary(Operator.MAX, length, Constant.ZERO);
	}

	private Value array(Value value) {
		if (value.shape() instanceof Shape.RecordsOf) {
			throw this.translation.refuse("an element of an array of records is replaced",
					"Change an array of a primitive type.");
		}
		if (value.shape() instanceof Shape.RowsOf) {
			throw this.translation.refuse("a row of a two-dimensional array is replaced by another one",
					"Copy its elements by System.arraycopy.");
		}
		if (!(value.shape() instanceof Shape.ArrayOf)) {
			throw this.translation.refuse("an array of objects is used",
					"Use an array of a primitive type, or one of records that the request has.");
		}
		return value;
	}

}
