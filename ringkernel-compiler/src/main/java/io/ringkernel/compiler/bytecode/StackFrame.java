package io.ringkernel.compiler.bytecode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.translation.State;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/**
 * The locals and the stack of a method while it is translated. A local has registers of
 * its own for each shape that it ever has. The stack holds values wherever they are,
 * within straight code; where ways meet, it lies in registers that they agree on.
 */
final class StackFrame {

	private final Code code;

	private final Map<Place, Value> homes = new HashMap<>();

	private Map<Integer, Value> locals = new HashMap<>();

	private List<Value> stack = new ArrayList<>();

	private final Map<Label, State> meetings = new HashMap<>();

	/** Behind these labels, code was translated with what was known there. */
	private final Set<Label> passed = new HashSet<>();

	/** Objects whose constructor has not run: they stay where they are if ways meet. */
	private final Set<Value> begun = Collections.newSetFromMap(new IdentityHashMap<>());

	StackFrame(Code code) {
		this.code = code;
	}

	void push(Value value) {
		this.stack.add(value);
	}

	void push(Operand scalar) {
		push(Value.of(scalar));
	}

	Value pop() {
		return this.stack.remove(this.stack.size() - 1);
	}

	Operand popScalar() {
		return pop().scalar();
	}

	/** As many values as stated, the deepest first. */
	List<Value> pop(int count) {
		List<Value> top = this.stack.subList(this.stack.size() - count, this.stack.size());
		List<Value> values = new ArrayList<>(top);
		top.clear();
		return values;
	}

	/** Moves values of the stack; a long or a double is one value, but two places. */
	void shuffle(int opcode) {
		switch (opcode) {
			case Opcodes.POP -> pop();
			case Opcodes.POP2 -> popPlaces(2);
			case Opcodes.DUP -> duplicate(1, 0);
			case Opcodes.DUP_X1 -> duplicate(1, 1);
			case Opcodes.DUP_X2 -> duplicate(1, 2);
			case Opcodes.DUP2 -> duplicate(2, 0);
			case Opcodes.DUP2_X1 -> duplicate(2, 1);
			case Opcodes.DUP2_X2 -> duplicate(2, 2);
			case Opcodes.SWAP -> {
				List<Value> values = pop(2);
				push(values.get(1));
				push(values.get(0));
			}
			default -> throw new IllegalArgumentException("opcode " + opcode + " moves nothing");
		}
	}

	private List<Value> popPlaces(int places) {
		Value top = pop();
		return (places == 2 && !top.isWide()) ? List.of(pop(), top) : List.of(top);
	}

	private void duplicate(int places, int below) {
		List<Value> copied = popPlaces(places);
		List<Value> passed = (below > 0) ? popPlaces(below) : List.of();
		copied.forEach(this::push);
		passed.forEach(this::push);
		copied.forEach(this::push);
	}

	/** The stack as it is, the deepest value first. */
	List<Value> stack() {
		return List.copyOf(this.stack);
	}

	void restore(List<Value> stack) {
		this.stack = new ArrayList<>(stack);
	}

	/** Replaces a value of the stack, which is counted from the deepest one. */
	void replace(int at, Value value) {
		this.stack.set(at, value);
	}

	/** The locals as they are, in order: the code must not differ from run to run. */
	SortedMap<Integer, Value> locals() {
		return new TreeMap<>(this.locals);
	}

	@Nullable Value local(int index) {
		return this.locals.get(index);
	}

	/** Gives a local that is never assigned a value. */
	void bind(int local, Value value) {
		this.locals.put(local, value);
	}

	/** Gives a local a value, and tells where it is then. */
	Value store(int local, Value value) {
		Value home = this.homes.computeIfAbsent(new Place(local, value.shape()),
				(place) -> Value.fresh(place.shape(), this.code));
		keep(home);
		value.moveTo(home, this.code);
		this.locals.put(local, home);
		return home;
	}

	void increment(int local, Value value, int by) {
		Register home = (Register) store(local, value).scalar();
		this.code.add(new Instruction.Binary(Operator.ADD, home, home, Constant.of(by)));
	}

	/** What the stack has of registers that are about to be written is copied. */
	private void keep(Value written) {
		this.stack.replaceAll((value) -> Collections.disjoint(value.scalars(), written.scalars()) ? value
				: new Value(value.shape(), value.scalars().stream().<Operand>map(this.code::copy).toList()));
	}

	/** Pushes an object whose constructor is yet to run. */
	void begin(Value object) {
		this.begun.add(object);
		push(object);
	}

	/** The constructor of an object has run, and made a value of it. */
	void complete(Value object, Value made) {
		this.begun.remove(object);
		replace(object, made);
	}

	/** A value that was made of another one takes its place wherever that one is. */
	@SuppressWarnings("ReferenceEquality")
	private void replace(Value old, Value made) {
		this.stack.replaceAll((value) -> (value == old) ? made : value);
		this.locals.replaceAll((index, value) -> (value == old) ? made : value);
	}

	/**
	 * The way goes on at a label.
	 * @return whether it may: it may not if the stack has another shape than on the ways
	 * before
	 */
	boolean leaveTo(Label label) {
		State state = this.meetings.get(label);
		if (state == null) {
			List<Value> met = this.stack.stream()
				.map((value) -> this.begun.contains(value) ? value : Value.fresh(value.shape(), this.code))
				.toList();
			moveStack(met);
			this.meetings.put(label, new State(new HashMap<>(this.locals), new ArrayList<>(met)));
			return true;
		}
		for (int i = 0; i < this.stack.size(); i++) {
			Value met = state.stack().get(i).widened(this.stack.get(i).shape(), this.code);
			boolean isWidened = !met.shape().equals(state.stack().get(i).shape());
			if (!met.shape().accepts(this.stack.get(i).shape()) || (isWidened && this.passed.contains(label))) {
				return false;
			}
			state.stack().set(i, met);
		}
		moveStack(state.stack());
		if (!this.passed.contains(label)) {
			state.locals().keySet().removeAll(differing(label));
			state.locals().replaceAll((local, value) -> {
				Value now = this.locals.get(local);
				return (now != null && isRefused(now)) ? now : value;
			});
		}
		return true;
	}

	/**
	 * A way leads to a label, where a value alone is on the stack that stays where it is.
	 * @return whether it may: it may not if the label has been passed
	 */
	boolean reach(Label label, Value onStack) {
		if (this.meetings.putIfAbsent(label,
				new State(new HashMap<>(this.locals), new ArrayList<>(List.of(onStack)))) != null) {
			Objects.requireNonNull(this.meetings.get(label)).locals().keySet().removeAll(differing(label));
		}
		return !this.passed.contains(label);
	}

	/**
	 * The locals that are not what they were on the ways before to a label whose code has
	 * been translated, or are not the same kind of value.
	 */
	Set<Integer> changedSince(Label label) {
		return this.passed.contains(label) ? differing(label) : Set.of();
	}

	private Set<Integer> differing(Label label) {
		Set<Integer> differing = new TreeSet<>();
		Objects.requireNonNull(this.meetings.get(label)).locals().forEach((local, value) -> {
			Value now = this.locals.get(local);
			if (!value.equals(now) && !isRefused(value) && !isRefused(now)) {
				differing.add(local);
			}
		});
		return differing;
	}

	private static boolean isRefused(@Nullable Value value) {
		return value != null && value.shape() instanceof Shape.Refused;
	}

	private void moveStack(List<Value> to) {
		for (int i = 0; i < to.size(); i++) {
			this.stack.get(i).moveTo(to.get(i), this.code);
		}
	}

	/** Whether a way before leads to a label. */
	boolean isReached(Label label) {
		return this.meetings.containsKey(label);
	}

	/** The ways that lead to a label go on from there. */
	void arrive(Label label) {
		this.passed.add(label);
		State state = this.meetings.get(label);
		if (state != null) {
			this.locals = new HashMap<>(state.locals());
			this.stack = new ArrayList<>(state.stack());
		}
	}

	private record Place(int local, Shape shape) {
	}

	private record State(Map<Integer, Value> locals, List<Value> stack) {
	}

}
