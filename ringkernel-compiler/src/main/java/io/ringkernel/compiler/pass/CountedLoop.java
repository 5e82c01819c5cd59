package io.ringkernel.compiler.pass;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Conversion;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.ir.RegisterUse;
import org.jspecify.annotations.Nullable;

/**
 * A loop that counts an index up by a constant, and whose body is straight and stores
 * nothing. Its instructions are told apart by what they depend on, as several indices can
 * share what depends on none of them, and can load together what depends on one alone.
 */
final class CountedLoop {

	/** Beyond that, a thread has enough to do, and too few registers. */
	private static final int MAX_INSTRUCTIONS = 64;

	/**
	 * A few steps beyond the greatest {@code int} are still a greater unsigned number.
	 */
	private static final int MAX_STEP = 1024;

	/** So that a load needs no address of its own to be as far from the first. */
	private static final int MAX_SCALE = 1 << 16;

	private static final Constant ONE = Constant.of(1);

	private final Register index;

	private final int step;

	private final List<Instruction> body;

	/** The registers that code outside of the loop may know. */
	private final Set<Register> known;

	/** What each register that is written once is written by. */
	private final Map<Register, Instruction> definitions = new HashMap<>();

	/** What an iteration reads of the one before. */
	private final Set<Register> carried = new HashSet<>();

	private final Set<Register> varying = new HashSet<>();

	private final Set<Limit> limits = new LinkedHashSet<>();

	/** Places that are within their arrays while the limits hold. */
	private final Map<Operand, Place> checked = new HashMap<>();

	private final List<Instruction> invariant = new ArrayList<>();

	private final List<Instruction> independent = new ArrayList<>();

	private final List<Instruction> ordered = new ArrayList<>();

	private CountedLoop(Register index, int step, List<Instruction> body, Set<Register> known) {
		this.index = index;
		this.step = step;
		this.body = body;
		this.known = known;
	}

	/**
	 * The loop that begins at an index, and that the code ends with; {@code null} if it
	 * is none, or has nothing to gain.
	 */
	static @Nullable CountedLoop of(Code all, int begin) {
		List<Instruction> code = all.instructions().subList(begin, all.instructions().size());
		if (code.isEmpty() || !(code.get(code.size() - 1) instanceof Instruction.Binary count)
				|| !addsConstant(count)) {
			return null;
		}
		int step = (int) ((Constant) count.right()).bits();
		StraightLine straight = StraightLine.of(code.subList(0, code.size() - 1));
		if (step <= 0 || step > MAX_STEP || straight == null || !straight.loads()
				|| straight.instructions().size() > MAX_INSTRUCTIONS || straight.written().contains(count.to())) {
			return null;
		}
		CountedLoop loop = new CountedLoop(count.to(), step, straight.instructions(), all.knownOutside(begin));
		return loop.isUnderstood() ? loop : null;
	}

	/** Whether a constant is added to an {@code int} in its place. */
	static boolean addsConstant(Instruction.Binary count) {
		return count.operator() == Operator.ADD && count.to().type() == RegisterType.INT
				&& count.left().equals(count.to()) && count.right() instanceof Constant;
	}

	/** Tells the instructions apart, if several indices can be taken at once. */
	private boolean isUnderstood() {
		if (!this.body.stream().allMatch(StraightLine::isRepeatable) || !define()) {
			return false;
		}
		divide();
		return !this.limits.isEmpty() && this.independent.stream().anyMatch(Instruction.Load.class::isInstance)
				&& this.ordered.stream().noneMatch(Instruction.Branch.class::isInstance);
	}

	/** Finds where registers are written: once, unless the next iteration reads them. */
	private boolean define() {
		Set<Register> written = RegisterUse.written(this.body);
		for (Instruction instruction : this.body) {
			for (Register register : RegisterUse.read(instruction)) {
				if (written.contains(register) && !this.definitions.containsKey(register)) {
					this.carried.add(register);
				}
			}
			Register to = RegisterUse.written(instruction);
			if (to != null && this.definitions.put(to, instruction) != null && !this.carried.contains(to)) {
				return false;
			}
		}
		return true;
	}

	private void divide() {
		Set<Register> late = new HashSet<>(this.carried);
		this.varying.addAll(this.carried);
		this.varying.add(this.index);
		for (int i = 0; i < this.body.size(); i++) {
			Instruction instruction = this.body.get(i);
			if (i + 1 < this.body.size() && isLimit(instruction, this.body.get(i + 1))) {
				i++;
				continue;
			}
			List<Register> reads = RegisterUse.read(instruction);
			Set<Register> writes = writes(instruction);
			if (!Collections.disjoint(reads, late) || !Collections.disjoint(writes, late)) {
				this.ordered.add(instruction);
				late.addAll(writes);
				this.varying.addAll(writes);
			}
			else if (isSpeculative(instruction) && Collections.disjoint(reads, this.varying)) {
				this.invariant.add(instruction);
			}
			else {
				this.independent.add(instruction);
				this.varying.addAll(writes);
			}
		}
	}

	/** Whether an instruction may be made although the loop never comes to it. */
	private static boolean isSpeculative(Instruction instruction) {
		boolean divides = instruction instanceof Instruction.Binary binary
				&& (binary.operator() == Operator.DIV || binary.operator() == Operator.REM);
		return !divides && !(instruction instanceof Instruction.Load) && !writes(instruction).isEmpty();
	}

	/**
	 * Whether the loop is left if an index, or a place that grows with it, is not below
	 * an invariant limit.
	 */
	private boolean isLimit(Instruction instruction, Instruction next) {
		if (!(instruction instanceof Instruction.Compare compare && next instanceof Instruction.Branch branch
				&& branch.when() && branch.predicate().equals(compare.to()) && isInvariant(compare.right()))) {
			return false;
		}
		boolean isCheck = compare.comparison() == Comparison.NOT_BELOW;
		boolean isEnd = compare.comparison() == Comparison.GE && compare.left().equals(this.index);
		Place place = (isCheck || isEnd) ? place(compare.left()) : null;
		if (place == null) {
			return false;
		}
		this.limits.add(new Limit(place, compare.right()));
		this.checked.put(compare.left(), place);
		return true;
	}

	/** How a number grows with the index; {@code null} if not evenly. */
	private @Nullable Place place(Operand number) {
		Operand scale = scale(number);
		if (scale != null) {
			return new Place(null, scale);
		}
		if (!(definition(number) instanceof Instruction.Binary sum) || sum.operator() != Operator.ADD) {
			return null;
		}
		Operand right = scale(sum.right());
		if (right != null) {
			return isInvariant(sum.left()) ? new Place(sum.left(), right) : null;
		}
		Operand left = scale(sum.left());
		return (left != null && isInvariant(sum.right())) ? new Place(sum.right(), left) : null;
	}

	/** What the index is multiplied by; {@code null} if it is no multiple of that. */
	private @Nullable Operand scale(Operand number) {
		if (number.equals(this.index) && number.type() == RegisterType.INT) {
			return ONE;
		}
		if (!(definition(number) instanceof Instruction.Binary product) || number.type() != RegisterType.INT) {
			return null;
		}
		if (product.operator() == Operator.SHL && product.left().equals(this.index)
				&& product.right() instanceof Constant shift && shift.bits() >= 0 && shift.bits() < Integer.SIZE - 1) {
			return Constant.of(1 << shift.bits());
		}
		if (product.operator() != Operator.MUL) {
			return null;
		}
		if (product.left().equals(this.index)) {
			return isInvariant(product.right()) ? product.right() : null;
		}
		return (product.right().equals(this.index) && isInvariant(product.left())) ? product.left() : null;
	}

	private boolean isInvariant(Operand operand) {
		return !(operand instanceof Register register && this.varying.contains(register));
	}

	private @Nullable Instruction definition(Operand operand) {
		return (operand instanceof Register register && !this.carried.contains(register))
				? this.definitions.get(register) : null;
	}

	private static Set<Register> writes(Instruction instruction) {
		Register register = RegisterUse.written(instruction);
		return (register != null) ? Set.of(register) : Set.of();
	}

	/**
	 * How far apart the addresses are, in bytes, that a load has with an index and with
	 * the next one; {@code null} if that is not known.
	 */
	@Nullable Integer stride(Instruction.Load load) {
		if (!(definition(load.base()) instanceof Instruction.Binary address) || address.operator() != Operator.ADD
				|| !isInvariant(address.left())) {
			return null;
		}
		Instruction offset = definition(address.right());
		int shift = 0;
		if (offset instanceof Instruction.Binary scaled && scaled.operator() == Operator.SHL
				&& scaled.right() instanceof Constant distance) {
			shift = (int) distance.bits();
			offset = definition(scaled.left());
		}
		Place place = (offset instanceof Instruction.Convert convert && convert.conversion() == Conversion.OFFSET)
				? this.checked.get(convert.from()) : null;
		return (place != null && place.scale() instanceof Constant scale && scale.bits() > 0
				&& scale.bits() <= MAX_SCALE) ? (this.step * (int) scale.bits()) << shift : null;
	}

	Register index() {
		return this.index;
	}

	int step() {
		return this.step;
	}

	/** What has to hold, so that no check fails that was left out. */
	Set<Limit> limits() {
		return this.limits;
	}

	/** What comes to the same with every index. */
	List<Instruction> invariant() {
		return this.invariant;
	}

	/** What depends on no index before. */
	List<Instruction> independent() {
		return this.independent;
	}

	/** What has to be done with one index after another. */
	List<Instruction> ordered() {
		return this.ordered;
	}

	Set<Register> carried() {
		return this.carried;
	}

	/** The variables that each iteration assigns; code behind the loop may read them. */
	List<Register> assigned() {
		Set<Register> assigned = RegisterUse.written(this.body);
		assigned.retainAll(this.known);
		assigned.removeAll(this.carried);
		return List.copyOf(assigned);
	}

	/** What a place has to be below. */
	record Limit(Place place, Operand below) {
	}

	/**
	 * A number that grows with the index.
	 *
	 * @param base what it is where the index is 0; {@code null} if that is 0
	 * @param scale how much it grows by
	 */
	record Place(@Nullable Operand base, Operand scale) {
	}

}
