package io.ringkernel.benchmarks.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;

import jcuda.Pointer;
import jcuda.Sizeof;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

/**
 * A kernel as it is called with JCuda by those who take care: an array of the heap is
 * copied to page-locked memory and to the device, the kernel is launched, what it wrote
 * is copied back, and the stream is waited for.
 */
final class UsualWay implements AutoCloseable {

	private static final int THREADS = 256;

	private final CUmodule module = new CUmodule();

	private final CUstream stream = new CUstream();

	private final Pointer page = new Pointer();

	private final CUdeviceptr in = new CUdeviceptr();

	private final CUdeviceptr out = new CUdeviceptr();

	private final FloatBuffer pinned;

	/**
	 * Allocates everything that a call needs.
	 * @param capacity the most numbers of a call, either way
	 */
	UsualWay(int capacity) throws IOException {
		JCudaDriver.setExceptionsEnabled(true);
		CUdevice device = new CUdevice();
		JCudaDriver.cuDeviceGet(device, 0);
		CUcontext context = new CUcontext();
		JCudaDriver.cuDevicePrimaryCtxRetain(context, device);
		JCudaDriver.cuCtxSetCurrent(context);
		try (InputStream image = UsualWay.class.getResourceAsStream("/kernels/plain_curve.ptx")) {
			byte[] bytes = image.readAllBytes();
			JCudaDriver.cuModuleLoadData(this.module, Arrays.copyOf(bytes, bytes.length + 1));
		}
		long bytes = (long) capacity * Sizeof.FLOAT;
		JCudaDriver.cuMemHostAlloc(this.page, bytes, 0);
		this.pinned = this.page.getByteBuffer(0, bytes).order(ByteOrder.nativeOrder()).asFloatBuffer();
		JCudaDriver.cuMemAlloc(this.in, bytes);
		JCudaDriver.cuMemAlloc(this.out, bytes);
		JCudaDriver.cuStreamCreate(this.stream, CUstream_flags.CU_STREAM_NON_BLOCKING);
	}

	/**
	 * Finds a kernel that takes what was copied in, where it writes and a count.
	 */
	CUfunction kernel(String name) {
		CUfunction function = new CUfunction();
		JCudaDriver.cuModuleGetFunction(function, this.module, name);
		return function;
	}

	/**
	 * Calls a kernel.
	 * @param count what it is told
	 * @param threads how many threads it is launched with at least
	 * @param returned how many numbers it returns
	 */
	float[] call(CUfunction kernel, float[] sent, int count, int threads, int returned) {
		this.pinned.put(0, sent);
		JCudaDriver.cuMemcpyHtoDAsync(this.in, this.page, (long) sent.length * Sizeof.FLOAT, this.stream);
		Pointer parameters = Pointer.to(Pointer.to(this.in), Pointer.to(this.out), Pointer.to(new int[] { count }));
		JCudaDriver.cuLaunchKernel(kernel, (threads + THREADS - 1) / THREADS, 1, 1, THREADS, 1, 1, 0, this.stream,
				parameters, null);
		JCudaDriver.cuMemcpyDtoHAsync(this.page, this.out, (long) returned * Sizeof.FLOAT, this.stream);
		JCudaDriver.cuStreamSynchronize(this.stream);
		float[] result = new float[returned];
		this.pinned.get(0, result);
		return result;
	}

	@Override
	public void close() {
		JCudaDriver.cuMemFreeHost(this.page);
		JCudaDriver.cuMemFree(this.in);
		JCudaDriver.cuMemFree(this.out);
		JCudaDriver.cuStreamDestroy(this.stream);
		JCudaDriver.cuModuleUnload(this.module);
		JCudaDriver.setExceptionsEnabled(false);
	}

}
