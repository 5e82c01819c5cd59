package io.ringkernel.test.ptx.code;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ringkernel.test.ptx.machine.Program;
import io.ringkernel.test.ptx.machine.Program.Constant;
import io.ringkernel.test.ptx.machine.Program.Source;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Variable;
import org.jspecify.annotations.Nullable;

/**
 * Gives registers places in the file of a warp: those of the text, and one for each
 * number and special register that the text names. So all operands are registers. A place
 * is that of the first lane.
 */
final class Registers {

	private static final Map<String, Source> SPECIAL = Map.ofEntries(Map.entry("%tid.x", Source.THREAD),
			Map.entry("%ntid.x", Source.THREADS), Map.entry("%ctaid.x", Source.BLOCK),
			Map.entry("%nctaid.x", Source.BLOCKS), Map.entry("%laneid", Source.LANE), Map.entry("%warpid", Source.WARP),
			Map.entry("%lanemask_eq", Source.LANE_EQ), Map.entry("%lanemask_lt", Source.LANE_LT),
			Map.entry("%lanemask_le", Source.LANE_LE), Map.entry("%lanemask_gt", Source.LANE_GT),
			Map.entry("%lanemask_ge", Source.LANE_GE), Map.entry("%total_smem_size", Source.SHARED_BYTES),
			Map.entry("%dynamic_smem_size", Source.DYNAMIC_SHARED_BYTES));

	/** Grids have one dimension, and the device is not divided. */
	private static final Map<String, Long> FIXED = Map.of("%tid.y", 0L, "%tid.z", 0L, "%ntid.y", 1L, "%ntid.z", 1L,
			"%ctaid.y", 0L, "%ctaid.z", 0L, "%nctaid.y", 1L, "%nctaid.z", 1L, "%gridid", 0L, "WARP_SZ",
			(long) Warp.LANES);

	private final Map<Object, Integer> values = new HashMap<>();

	private final Map<Variable, Integer> flags = new HashMap<>();

	private final List<Constant> constants = new ArrayList<>();

	private int nextValue;

	private int nextFlag = Program.TRUE + 1;

	/** What instructions write that nobody reads. */
	private final int scrap = allocate(1);

	private final int scrapFlag = this.nextFlag++;

	private int allocate(int count) {
		int place = this.nextValue * Warp.LANES;
		this.nextValue += count;
		return place;
	}

	/** A register of the text; one of 128 bits is followed by its upper half. */
	int value(Variable variable) {
		return this.values.computeIfAbsent(variable, (key) -> allocate((variable.type() == ScalarType.B128) ? 2 : 1));
	}

	/** A part of a parameter of a function. */
	int parameter(Variable variable, long offset) {
		return this.values.computeIfAbsent(List.of(variable, offset), (key) -> allocate(1));
	}

	/** Whether something reads or writes that part of a parameter. */
	boolean isUsed(Variable variable, long offset) {
		return this.values.containsKey(List.of(variable, offset));
	}

	int number(long number) {
		return constant(Source.NUMBER, number);
	}

	int source(Source source) {
		return constant(source, 0);
	}

	private int constant(Source source, long number) {
		return this.values.computeIfAbsent(List.of(source, number), (key) -> {
			int place = allocate(1);
			this.constants.add(new Constant(place / Warp.LANES, source, number));
			return place;
		});
	}

	/** A special register that does not change. */
	@Nullable Integer special(String name) {
		if (FIXED.containsKey(name)) {
			return number(Objects.requireNonNull(FIXED.get(name)));
		}
		Source source = SPECIAL.get(name);
		return (source == null) ? null : source(source);
	}

	int flag(Variable variable) {
		return this.flags.computeIfAbsent(variable, (key) -> this.nextFlag++);
	}

	int scrap() {
		return this.scrap;
	}

	int scrapFlag() {
		return this.scrapFlag;
	}

	int values() {
		return this.nextValue;
	}

	int flags() {
		return this.nextFlag;
	}

	List<Constant> constants() {
		return List.copyOf(this.constants);
	}

}
