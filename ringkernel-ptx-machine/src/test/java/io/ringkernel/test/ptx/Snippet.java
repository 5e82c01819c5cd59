package io.ringkernel.test.ptx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.ringkernel.test.ptx.code.ProgramDecoder;
import io.ringkernel.test.ptx.machine.Clock;
import io.ringkernel.test.ptx.machine.Grid;
import io.ringkernel.test.ptx.machine.Launch;
import io.ringkernel.test.ptx.machine.Memory;
import io.ringkernel.test.ptx.machine.Program;
import io.ringkernel.test.ptx.machine.PtxFault;
import io.ringkernel.test.ptx.text.PtxText;

/**
 * Instructions under test. They find up to four arguments in %r1 to %r4 (32 bits), %d1 to
 * %d4 (64 bits), %h1 to %h4 (16 bits), %f1 to %f4 (float) and %g1 to %g4 (double), the
 * address of the results of all threads in %out and that of this thread in %mine. They
 * leave their result in a register with the number 0.
 */
public final class Snippet {

	private static final long STEPS = 100_000;

	private static final String FRAME = """
			.version 8.4
			.target sm_75
			.address_size 64
			%s
			.visible .entry test(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3, .param .u64 p4)
			{
			.reg .pred %%p<5>; .reg .b16 %%h<5>; .reg .b32 %%r<10>; .reg .b64 %%d<10>; .reg .f32 %%f<5>; .reg .f64 %%g<5>;
			.reg .b64 %%out, %%mine, %%at; .reg .b32 %%tid;
			ld.param.u64 %%out, [p0];
			mov.u32 %%tid, %%tid.x; mul.wide.u32 %%at, %%tid, 8; add.s64 %%mine, %%out, %%at;
			ld.param.u64 %%d1, [p1]; cvt.u32.u64 %%r1, %%d1; cvt.u16.u64 %%h1, %%d1; mov.b32 %%f1, %%r1; mov.b64 %%g1, %%d1;
			ld.param.u64 %%d2, [p2]; cvt.u32.u64 %%r2, %%d2; cvt.u16.u64 %%h2, %%d2; mov.b32 %%f2, %%r2; mov.b64 %%g2, %%d2;
			ld.param.u64 %%d3, [p3]; cvt.u32.u64 %%r3, %%d3; cvt.u16.u64 %%h3, %%d3; mov.b32 %%f3, %%r3; mov.b64 %%g3, %%d3;
			ld.param.u64 %%d4, [p4]; cvt.u32.u64 %%r4, %%d4; cvt.u16.u64 %%h4, %%d4; mov.b32 %%f4, %%r4; mov.b64 %%g4, %%d4;
			%s
			%s
			ret;
			}
			""";

	private final Memory memory = new Memory();

	private final Program program;

	private static final Map<String, Snippet> KNOWN = new ConcurrentHashMap<>();

	private Snippet(String module, String body, String end) {
		this.program = ProgramDecoder.load(PtxText.parse(FRAME.formatted(module, body, end)), this.memory);
	}

	/** Many arguments are tried with the same instructions. */
	private static Snippet known(String body, String end) {
		return KNOWN.computeIfAbsent(body + end, (key) -> new Snippet("", body, end));
	}

	/** A body that stores its results itself, at %mine. */
	static Snippet of(String body) {
		return new Snippet("", body, "");
	}

	/** The same in a module with variables or functions. */
	static Snippet of(String module, String body) {
		return new Snippet(module, body, "");
	}

	static int int32(String body, long... arguments) {
		return (int) known(body, "st.global.b32 [%mine], %r0;").run(1, arguments)[0];
	}

	static long int64(String body, long... arguments) {
		return known(body, "st.global.b64 [%mine], %d0;").run(1, arguments)[0];
	}

	static short int16(String body, long... arguments) {
		return (short) known(body, "st.global.b16 [%mine], %h0;").run(1, arguments)[0];
	}

	static int single(String body, float... arguments) {
		long[] bits = new long[arguments.length];
		for (int i = 0; i < bits.length; i++) {
			bits[i] = Float.floatToRawIntBits(arguments[i]);
		}
		return (int) known(body, "st.global.f32 [%mine], %f0;").run(1, bits)[0];
	}

	static long real(String body, double... arguments) {
		long[] bits = new long[arguments.length];
		for (int i = 0; i < bits.length; i++) {
			bits[i] = Double.doubleToRawLongBits(arguments[i]);
		}
		return known(body, "st.global.f64 [%mine], %g0;").run(1, bits)[0];
	}

	static boolean holds(String body, long... arguments) {
		return int32(body + " selp.b32 %r0, 1, 0, %p0;", arguments) != 0;
	}

	/** The races that some threads have in the body. */
	List<PtxFault> races(int threads) {
		List<PtxFault> races = new ArrayList<>();
		run(threads, races::add);
		return races;
	}

	/** Runs the body in some threads, and gives what each has stored; 0 if it has not. */
	long[] run(int threads, long... arguments) {
		return run(threads, (race) -> {
		}, arguments);
	}

	private long[] run(int threads, Consumer<PtxFault> races, long... arguments) {
		ByteBuffer results = ByteBuffer.allocateDirect(threads * Long.BYTES);
		long address = this.memory.add("the results", results);
		ByteBuffer parameters = ByteBuffer.allocateDirect(5 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		parameters.putLong(address);
		for (long argument : arguments) {
			parameters.putLong(argument);
		}
		long parameter = this.memory.add("the parameters", parameters);
		Launch launch = new Launch(1, threads, 0, parameter);
		new Grid(this.program, "test", launch, this.memory, Clock.virtual()).watch(races, true).run(STEPS, () -> false);
		this.memory.remove(address);
		this.memory.remove(parameter);
		long[] values = new long[threads];
		results.clear().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(values);
		return values;
	}

}
