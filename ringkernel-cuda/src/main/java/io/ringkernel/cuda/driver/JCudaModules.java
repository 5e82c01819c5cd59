package io.ringkernel.cuda.driver;

import java.util.Arrays;
import java.util.List;

import jcuda.Pointer;
import jcuda.driver.CUjitInputType;
import jcuda.driver.CUjit_option;
import jcuda.driver.CUlinkState;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import jcuda.driver.JITOptions;

import static io.ringkernel.cuda.driver.JCudaCall.check;

/**
 * How modules come into being through JCuda: of an image at once, or of machine code that
 * was made before. All but {@link #link} is called on the thread of the context.
 */
final class JCudaModules {

	private static final int LOG_BYTES = 8192;

	/**
	 * How many registers a thread of the largest worker has, which has 512 of them.
	 * Unless the compiler is told, it gives a function that is linked about half as many,
	 * so that few loads of a loop are on their way at a time: a loop over 100,000 rows
	 * took 10.2 ms in place of 3.1 (H200).
	 */
	private static final int REGISTERS = 128;

	/** What a fat binary begins with. */
	private static final byte[] FAT_BINARY = { 0x50, (byte) 0xed, 0x55, (byte) 0xba };

	private JCudaModules() {
	}

	/** Loads an image, with the log of the driver's compiler. */
	static CudaModule load(byte[] image) {
		JITOptions options = new JITOptions();
		options.putInt(CUjit_option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, LOG_BYTES);
		options.putBytes(CUjit_option.CU_JIT_ERROR_LOG_BUFFER, new byte[LOG_BYTES]);
		options.putInt(CUjit_option.CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, LOG_BYTES);
		options.putBytes(CUjit_option.CU_JIT_INFO_LOG_BUFFER, new byte[LOG_BYTES]);
		options.putInt(CUjit_option.CU_JIT_LOG_VERBOSE, 1);
		CUmodule module = new CUmodule();
		int code = JCudaCall.result(() -> JCudaDriver.cuModuleLoadDataJIT(module, Pointer.to(image), options));
		if (code != CUresult.CUDA_SUCCESS) {
			throw new CudaException("cuModuleLoadData of %d B".formatted(image.length), JCudaCall.status(code),
					log(options, CUjit_option.CU_JIT_ERROR_LOG_BUFFER));
		}
		return new Module(module, log(options, CUjit_option.CU_JIT_INFO_LOG_BUFFER));
	}

	/**
	 * The linker writes its log when it ends, and JCuda frees the memory for it when the
	 * call returns that begins: it gets none.
	 */
	static MachineCode link(List<byte[]> parts) {
		CUlinkState state = new CUlinkState();
		check("cuLinkCreate", () -> JCudaDriver.cuLinkCreate(new JITOptions(), state));
		Pointer code = new Pointer();
		try {
			JITOptions options = new JITOptions();
			if (parts.size() > 1) {
				options.putInt(CUjit_option.CU_JIT_MAX_REGISTERS, REGISTERS);
			}
			for (byte[] part : parts) {
				check(() -> "cuLinkAddData of %d B".formatted(part.length), () -> JCudaDriver.cuLinkAddData(state,
						type(part), Pointer.to(part), part.length, "part", options));
			}
			check("cuLinkComplete", () -> JCudaDriver.cuLinkComplete(state, code, new long[1]));
		}
		catch (CudaException ex) {
			JCudaCall.result(() -> JCudaDriver.cuLinkDestroy(state));
			throw ex;
		}
		return new Code(state, code);
	}

	private static int type(byte[] part) {
		return Arrays.mismatch(FAT_BINARY, part) == FAT_BINARY.length ? CUjitInputType.CU_JIT_INPUT_FATBINARY
				: CUjitInputType.CU_JIT_INPUT_PTX;
	}

	static void discard(MachineCode code) {
		JCudaCall.result(() -> JCudaDriver.cuLinkDestroy(((Code) code).state()));
	}

	static CudaModule load(MachineCode code) {
		Code linked = (Code) code;
		CUmodule module = new CUmodule();
		int loaded = JCudaCall.result(() -> JCudaDriver.cuModuleLoadDataJIT(module, linked.at(), new JITOptions()));
		discard(code);
		check("cuModuleLoadData of machine code", () -> loaded);
		return new Module(module, "");
	}

	private static String log(JITOptions options, int buffer) {
		String log = options.getString(buffer);
		return (log != null) ? log.strip() : "";
	}

	/** A module, and what the driver's compiler said of it. */
	record Module(CUmodule handle, String log) implements CudaModule {
	}

	/** The linker owns the code. */
	private record Code(CUlinkState state, Pointer at) implements MachineCode {
	}

}
