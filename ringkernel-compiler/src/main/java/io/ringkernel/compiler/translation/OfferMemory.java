package io.ringkernel.compiler.translation;

import io.ringkernel.compiler.ir.AtomicOperation;
import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import org.jspecify.annotations.Nullable;

/**
 * The memory that begins the state of a kernel whose workers share loops. Each step on a
 * word is atomic, and orders what is around it: the first thread makes it for all. <pre>
 *     0  the loop that is offered, u64; 0 if none     8  whether a worker owns this memory, u32
 *    12  how many workers assist, u32                16  the next index, u32
 *    24  the failure of the lowest index, u64        32  the request, then the values, 8 bytes each
 * </pre>
 */
final class OfferMemory {

	static final int OFFERED = 0;

	static final int OWNER = 8;

	static final int PRESENT = 12;

	static final int NEXT = 16;

	static final int FAILURE = 24;

	static final int REQUEST = 32;

	/** Far more than a loop reads. */
	static final int MAX_VALUES = 128;

	private static final int ALIGNMENT = 16;

	private final Translation translation;

	private final Code code;

	private final int values;

	/** Creates memory for as much of a request. */
	OfferMemory(Translation translation, int requestBytes) {
		this.translation = translation;
		this.code = translation.code();
		this.values = values(requestBytes);
	}

	static int bytes(int requestBytes) {
		return values(requestBytes) + MAX_VALUES * Long.BYTES;
	}

	private static int values(int requestBytes) {
		return REQUEST + (requestBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	}

	Register at(int offset) {
		return this.code.binary(Operator.ADD, this.translation.state().reserved(), Constant.of((long) offset));
	}

	/** Adds to a word; gives all threads what it was before. */
	Register add(MemoryType as, int at, Operand operand) {
		return step(AtomicOperation.ADD, as, at, operand, null);
	}

	Register read(MemoryType as, int at) {
		return add(as, at, new Constant(as.type(), 0));
	}

	/** Has the worker own this memory, unless another one does; gives 0 if it has. */
	Register own() {
		return step(AtomicOperation.COMPARE_AND_SET, MemoryType.INT, OWNER, Constant.ZERO, Constant.of(1));
	}

	private Register step(AtomicOperation operation, MemoryType as, int at, Operand operand,
			@Nullable Operand replacement) {
		Register before = this.code.register(as.type());
		this.code.add(new Instruction.Atomic(operation, as, before, at(at), operand, replacement, true,
				this.translation.isFirst()));
		return this.translation.agreed(as, before);
	}

	/** Sets a word that no other worker looks at. */
	void set(MemoryType as, int at, Operand value) {
		this.code.add(new Instruction.Store(as, this.translation.state().reserved(), at, value, false,
				this.translation.isFirst()));
	}

	/** Writes a value of the loop. */
	void store(int index, Operand value) {
		Operand stored = (value.type() == RegisterType.PREDICATE)
				? this.code.select((Register) value, Constant.of(1), Constant.ZERO) : value;
		set(memory(value.type()), this.values + index * Long.BYTES, stored);
	}

	/** Reads a value of the loop into the register that it is of. */
	void load(Register value, int index) {
		boolean isPredicate = value.type() == RegisterType.PREDICATE;
		Register loaded = isPredicate ? this.code.register(RegisterType.INT) : value;
		this.code.add(new Instruction.Load(memory(value.type()), loaded, this.translation.state().reserved(),
				this.values + index * Long.BYTES, true));
		if (isPredicate) {
			this.code.add(new Instruction.Compare(Comparison.NE, false, value, loaded, Constant.ZERO));
		}
	}

	private static MemoryType memory(RegisterType type) {
		return switch (type) {
			case INT, PREDICATE -> MemoryType.INT;
			case LONG, ADDRESS -> MemoryType.LONG;
			case FLOAT -> MemoryType.FLOAT;
			case DOUBLE -> MemoryType.DOUBLE;
		};
	}

}
