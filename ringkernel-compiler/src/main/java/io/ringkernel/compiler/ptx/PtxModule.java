package io.ringkernel.compiler.ptx;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.ConstantData;
import io.ringkernel.compiler.ir.Function;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.WorkerCall;

/**
 * The text of a handler: what its host reads, and the function that its worker calls.
 *
 * @since 0.2.0
 */
public final class PtxModule {

	/** What an instruction of the text needs at least. */
	private static final String BEGIN = """
			.version 8.4
			.target sm_75
			.address_size 64

			""";

	private static final String FUNCTION = """
			.visible .func (.param .align 4 .b8 handled[12]) ringkernel_handle(.param .b64 call, .param .b64 in,
					.param .b32 length, .param .b64 out, .param .b32 lane, .param .b32 lanes)
			""";

	private PtxModule() {
	}

	/**
	 * Writes a handler as a text that is to be spliced into that of a worker.
	 * @param info the description of the handler that its host reads
	 * @param shared what is known to be an address of shared memory
	 * @param functions what it calls, each behind those that it calls itself
	 */
	public static String write(byte[] info, WorkerCall worker, Set<Register> shared, ConstantData constants, Code code,
			List<Function> functions) {
		return BEGIN
				+ ".visible .global .align 8 .b8 ringkernel_handler_info[%d] = {%s};\n\n".formatted(info.length,
						numbers(info))
				+ data(constants.bytes()) + functions.stream().map(PtxModule::write).collect(Collectors.joining())
				+ FUNCTION + "{\n" + PtxFunction.of(code, worker, shared, constants) + "}\n";
	}

	private static String data(byte[] bytes) {
		return (bytes.length == 0) ? "" : ".global .align %d .b8 %s[%d] = {%s};\n\n".formatted(ConstantData.ALIGNMENT,
				PtxFunction.CONSTANTS, bytes.length, numbers(bytes));
	}

	private static String write(Function function) {
		List<Register> parameters = function.parameters();
		return ".func (%s) %s(%s)\n{\n%s}\n\n".formatted(PtxFunction.parameter(function.result(), PtxFunction.RESULT),
				function.name(),
				IntStream.range(0, parameters.size())
					.mapToObj((i) -> PtxFunction.parameter(parameters.get(i).type(), PtxFunction.ARGUMENT + i))
					.collect(Collectors.joining(", ")),
				PtxFunction.of(function));
	}

	private static String numbers(byte[] bytes) {
		return IntStream.range(0, bytes.length)
			.mapToObj((i) -> Integer.toString(Byte.toUnsignedInt(bytes[i])))
			.collect(Collectors.joining(", "));
	}

}
