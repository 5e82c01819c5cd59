package io.ringkernel.benchmarks.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

import jcuda.Pointer;
import jcuda.Sizeof;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

/**
 * A vector addition as it is usually written with JCuda: copy in, launch, copy out,
 * synchronize.
 */
final class JCudaVectorAdd {

	private static final int THREADS = 256;

	private final CUfunction function = new CUfunction();

	private final CUdeviceptr a = new CUdeviceptr();

	private final CUdeviceptr b = new CUdeviceptr();

	private final CUdeviceptr sum = new CUdeviceptr();

	private final int size;

	JCudaVectorAdd(int size) throws IOException {
		this.size = size;
		JCudaDriver.setExceptionsEnabled(true);
		CUdevice device = new CUdevice();
		JCudaDriver.cuDeviceGet(device, 0);
		CUcontext context = new CUcontext();
		JCudaDriver.cuDevicePrimaryCtxRetain(context, device);
		JCudaDriver.cuCtxSetCurrent(context);
		CUmodule module = new CUmodule();
		try (InputStream image = JCudaVectorAdd.class.getResourceAsStream("/kernels/plain_vector_add.ptx")) {
			byte[] bytes = image.readAllBytes();
			JCudaDriver.cuModuleLoadData(module, Arrays.copyOf(bytes, bytes.length + 1));
		}
		JCudaDriver.cuModuleGetFunction(this.function, module, "plain_vector_add");
		JCudaDriver.cuMemAlloc(this.a, (long) size * Sizeof.FLOAT);
		JCudaDriver.cuMemAlloc(this.b, (long) size * Sizeof.FLOAT);
		JCudaDriver.cuMemAlloc(this.sum, (long) size * Sizeof.FLOAT);
	}

	float[] add(float[] left, float[] right) {
		long bytes = (long) this.size * Sizeof.FLOAT;
		JCudaDriver.cuMemcpyHtoD(this.a, Pointer.to(left), bytes);
		JCudaDriver.cuMemcpyHtoD(this.b, Pointer.to(right), bytes);
		Pointer parameters = Pointer.to(Pointer.to(this.a), Pointer.to(this.b), Pointer.to(this.sum),
				Pointer.to(new int[] { this.size }));
		JCudaDriver.cuLaunchKernel(this.function, (this.size + THREADS - 1) / THREADS, 1, 1, THREADS, 1, 1, 0, null,
				parameters, null);
		float[] result = new float[this.size];
		JCudaDriver.cuMemcpyDtoH(Pointer.to(result), this.sum, bytes);
		JCudaDriver.cuCtxSynchronize();
		return result;
	}

	void close() {
		JCudaDriver.cuMemFree(this.a);
		JCudaDriver.cuMemFree(this.b);
		JCudaDriver.cuMemFree(this.sum);
		JCudaDriver.setExceptionsEnabled(false);
	}

}
