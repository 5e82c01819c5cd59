package io.ringkernel.cuda.nvrtc;

import com.sun.jna.Library;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;

/**
 * The functions of {@code nvrtc.h} that are called, which are the same in all versions.
 */
interface NvrtcCalls extends Library {

	int nvrtcVersion(IntByReference major, IntByReference minor);

	String nvrtcGetErrorString(int result);

	int nvrtcCreateProgram(PointerByReference program, String source, String name, int headers, String[] texts,
			String[] names);

	int nvrtcCompileProgram(Pointer program, int options, String[] texts);

	int nvrtcGetProgramLogSize(Pointer program, LongByReference size);

	int nvrtcGetProgramLog(Pointer program, byte[] log);

	int nvrtcGetPTXSize(Pointer program, LongByReference size);

	int nvrtcGetPTX(Pointer program, byte[] ptx);

	int nvrtcDestroyProgram(PointerByReference program);

}
