package io.ringkernel.compiler.translation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Conversion;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.pass.Bounds;
import io.ringkernel.compiler.value.Value;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.ring.RingLayout;

/**
 * Arrays that are gone with the request, in memory that is allocated when the kernel is
 * loaded: each place in the code that makes an array has its part of it, for the greatest
 * length that the array may have. All threads of the worker share an array, unless it is
 * made in a parallel part: then each thread has its own, which is gone with the index.
 *
 * @since 0.2.0
 */
public final class Scratch {

	/** Of a worker. A kernel has as much for each of its workers. */
	private static final long MAX_BYTES = 16 << 20;

	private static final long ALIGNMENT = 16;

	/** The most that a worker has, which its source says. */
	private static final int MAX_THREADS = 512;

	private final Translation translation;

	private final Code code;

	private final Bounds bounds;

	private final List<Made> made = new ArrayList<>();

	/** Those of the bodies that are being translated. */
	private final List<Made> madeByThreads = new ArrayList<>();

	private long bytes;

	Scratch(Translation translation) {
		this.translation = translation;
		this.code = translation.code();
		this.bounds = new Bounds(this.code);
	}

	/** Its size for a worker. */
	public int bytes() {
		return Math.toIntExact(this.bytes);
	}

	/** Remembers the greatest length that an array of the request may have. */
	public void hasAtMost(Register length, int capacity) {
		this.bounds.know(length, capacity);
	}

	int least(Operand length) {
		return this.bounds.least(length);
	}

	int greatest(Operand length) {
		return this.bounds.greatest(length);
	}

	/** Makes an array. It is zero at first. */
	public Value allocate(MemoryType element, Operand length) {
		boolean isOfThread = this.translation.isParallel();
		Label place = new Label();
		this.code.mark(place);
		(isOfThread ? this.madeByThreads : this.made).add(new Made(place, this.translation
			.refuse("an array is made in a loop", "Make it in front of the loop, and set its elements in the loop.")));
		long most = Math.max(0, (long) greatest(length) * element.bytes());
		long size = (most + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
		long at = reserve(isOfThread ? MAX_THREADS * size : size);
		this.translation.failures().throwIfNegative(length);
		Register base = this.code.binary(Operator.ADD, this.translation.worker().distant(this.code),
				Constant.of(this.translation.response().most(RingLayout.LINE_BYTES) + at));
		if (isOfThread) {
			Register distance = this.code.binary(Operator.MUL, this.translation.worker().lane(),
					Constant.of((int) size));
			base = this.code.binary(Operator.ADD, base,
					this.code.convert(Conversion.OFFSET, RegisterType.ADDRESS, distance));
		}
		Operand zero = new Constant(element.type(), 0);
		Register begin = base;
		LaneLoop.over(this.translation, length, (index) -> this.code.add(new Instruction.Store(element,
				ArrayElements.address(this.code, begin, index, element), 0, zero, true, null)));
		return this.translation.ofWorker(Value.array(element, base, length));
	}

	private long reserve(long size) {
		long at = this.bytes;
		this.bytes = at + size;
		if (this.bytes > MAX_BYTES) {
			throw this.translation.refuse(
					"an array is made that is not an array of the response, and whose length may be so great that the arrays of a request need %d bytes"
						.formatted(this.bytes),
					"Up to %d bytes are possible. Give it a constant length, the length of an array of the request, or Math.min of a length and a constant; or make it a field of the handler."
						.formatted(MAX_BYTES));
		}
		return at;
	}

	/**
	 * Refuses code that comes to a place twice that makes an array: both would be one.
	 * Called when all of it is there, but for what failures do.
	 */
	public void requireNoLoops() {
		refuseLoops(this.code.instructions(), this.made);
	}

	/**
	 * Refuses a body of a parallel part that comes to a place twice that makes an array
	 * of a thread, for one index. What a body in this one has made is gone with it.
	 * @param begin where the body begins, which is the last code
	 */
	public void requireNoLoops(int begin) {
		List<Instruction> body = this.code.instructions().subList(begin, this.code.instructions().size());
		List<Made> inBody = this.madeByThreads.stream()
			.filter((array) -> body.contains(new Instruction.Mark(array.place())))
			.toList();
		refuseLoops(body, inBody);
		this.madeByThreads.removeAll(inBody);
	}

	private void refuseLoops(List<Instruction> instructions, List<Made> made) {
		Map<Label, Integer> places = new HashMap<>();
		for (int i = 0; i < instructions.size(); i++) {
			if (instructions.get(i) instanceof Instruction.Mark mark) {
				places.put(mark.label(), i);
			}
		}
		for (Made array : made) {
			if (comesBack(instructions, places, Objects.requireNonNull(places.get(array.place())))) {
				this.translation.refusals().add(array.refusal());
			}
		}
	}

	/** Whether a way from an instruction leads to it again. */
	private static boolean comesBack(List<Instruction> instructions, Map<Label, Integer> places, int from) {
		BitSet seen = new BitSet();
		Deque<Integer> ahead = new ArrayDeque<>(List.of(from + 1));
		while (!ahead.isEmpty()) {
			int at = ahead.pop();
			if (at == from) {
				return true;
			}
			if (at >= instructions.size() || seen.get(at)) {
				continue;
			}
			seen.set(at);
			Instruction instruction = instructions.get(at);
			Label to = Code.target(instruction);
			if (to != null && places.containsKey(to)) {
				ahead.push(places.get(to));
			}
			if (!(instruction instanceof Instruction.Jump) && !(instruction instanceof Instruction.Return)) {
				ahead.push(at + 1);
			}
		}
		return false;
	}

	/** An array: where it is made, and what is said if that is in a loop. */
	private record Made(Label place, HandlerRefusedException refusal) {
	}

}
