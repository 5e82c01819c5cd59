package io.ringkernel.test.ptx.code;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ringkernel.test.ptx.machine.Instruction;
import io.ringkernel.test.ptx.machine.Memory;
import io.ringkernel.test.ptx.machine.Program;
import io.ringkernel.test.ptx.machine.Program.Entry;
import io.ringkernel.test.ptx.machine.Program.Global;
import io.ringkernel.test.ptx.text.PtxFunction;
import io.ringkernel.test.ptx.text.PtxSyntaxException;
import io.ringkernel.test.ptx.text.PtxText;
import io.ringkernel.test.ptx.text.Space;
import io.ringkernel.test.ptx.text.Variable;

/**
 * Decodes a module: lays out its variables, then decodes its functions.
 *
 * @since 0.2.0
 */
public final class ProgramDecoder {

	private static final int UNIT = 16;

	private final PtxText text;

	private final Memory memory;

	private final Map<Variable, Long> addresses = new HashMap<>();

	private final Map<String, Global> globals = new LinkedHashMap<>();

	private final Registers registers = new Registers();

	private final List<Instruction> code = new ArrayList<>();

	private long sharedBytes;

	private long localBytes;

	private ProgramDecoder(PtxText text, Memory memory) {
		this.text = text;
		this.memory = memory;
	}

	/**
	 * Loads a module.
	 * @param memory where its global variables are allocated
	 * @throws PtxSyntaxException if it has what the machine does not run
	 */
	public static Program load(PtxText text, Memory memory) {
		return new ProgramDecoder(text, memory).decode();
	}

	private Program decode() {
		this.text.variables().forEach(this::place);
		placeDynamicMemory();
		this.text.functions().values().forEach(this::placeParametersAndLocals);
		Names names = new Names(this.registers, this.addresses);
		Calls calls = new Calls(this.text.functions(), names);
		for (PtxFunction function : this.text.functions().values()) {
			calls.start(function, this.code.size());
			new FunctionDecoder(function, this.code, names, calls).decode();
		}
		calls.link();
		Map<String, Entry> entries = new LinkedHashMap<>();
		for (PtxFunction function : this.text.functions().values()) {
			if (function.entry()) {
				entries.put(function.name(), new Entry(calls.start(function.name()), parameterBytes(function)));
			}
		}
		return new Program(this.code.toArray(new Instruction[0]), entries, this.globals, this.registers.values(),
				this.registers.flags(), this.registers.constants(), Math.toIntExact(this.sharedBytes),
				Math.toIntExact(aligned(this.localBytes, UNIT)));
	}

	private void place(Variable variable) {
		if (variable.space() == Space.SHARED) {
			if (variable.bytes() > 0) {
				this.sharedBytes = aligned(this.sharedBytes, variable.alignment());
				this.addresses.put(variable, this.sharedBytes);
				this.sharedBytes += variable.bytes();
			}
			return;
		}
		ByteBuffer bytes = ByteBuffer.allocateDirect(Math.toIntExact(Math.max(1, variable.bytes())));
		bytes.put(variable.initial());
		long address = this.memory.add("the variable " + variable.name(), bytes);
		this.addresses.put(variable, address);
		this.globals.put(variable.name(), new Global(address, variable.bytes()));
	}

	/** What a launch decides the size of lies behind everything else. */
	private void placeDynamicMemory() {
		long offset = aligned(this.sharedBytes, UNIT);
		for (Variable variable : this.text.variables()) {
			if (variable.space() == Space.SHARED && variable.bytes() == 0) {
				this.addresses.put(variable, offset);
			}
		}
	}

	private void placeParametersAndLocals(PtxFunction function) {
		if (function.entry()) {
			long offset = 0;
			for (Variable parameter : function.parameters()) {
				offset = aligned(offset, parameter.alignment());
				this.addresses.put(parameter, offset);
				offset += parameter.bytes();
			}
		}
		for (Variable local : function.locals()) {
			this.localBytes = aligned(this.localBytes, local.alignment());
			this.addresses.put(local, this.localBytes);
			this.localBytes += local.bytes();
		}
	}

	private static int parameterBytes(PtxFunction function) {
		long bytes = 0;
		for (Variable parameter : function.parameters()) {
			bytes = aligned(bytes, parameter.alignment()) + parameter.bytes();
		}
		return Math.toIntExact(bytes);
	}

	private static long aligned(long bytes, long alignment) {
		return (bytes + alignment - 1) / alignment * alignment;
	}

}
