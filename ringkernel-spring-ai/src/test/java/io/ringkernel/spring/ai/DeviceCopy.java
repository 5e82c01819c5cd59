package io.ringkernel.spring.ai;

import java.util.Locale;

import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * What a device takes to copy its own memory, by the driver's copy and its events. Not to
 * be called while a kernel runs, which would hold up giving back the memory.
 */
final class DeviceCopy {

	private static final int WARM_UP = 3;

	private static final int COPIES = 20;

	private DeviceCopy() {
	}

	/**
	 * Prints how many GB a copy reads and writes in a second.
	 * @param arguments how large the copy is, in bytes
	 */
	public static void main(String... arguments) {
		System.out.printf(Locale.ROOT, "%.1f%n", 2 * bytesPerNano(Long.parseLong(arguments[0])));
	}

	/**
	 * How much is copied in a nanosecond, which is to say GB a second; as much is read,
	 * and as much is written.
	 * @param bytes how large a copy is
	 */
	private static double bytesPerNano(long bytes) {
		float[] millis = new float[1];
		onDevice((device) -> {
			CUdeviceptr from = new CUdeviceptr();
			CUdeviceptr to = new CUdeviceptr();
			JCudaDriver.cuMemAlloc(from, bytes);
			JCudaDriver.cuMemAlloc(to, bytes);
			JCudaDriver.cuMemsetD8(from, (byte) 1, bytes);
			copy(from, to, bytes, WARM_UP);
			CUevent begin = event();
			copy(from, to, bytes, COPIES);
			CUevent end = event();
			JCudaDriver.cuEventSynchronize(end);
			JCudaDriver.cuEventElapsedTime(millis, begin, end);
			JCudaDriver.cuEventDestroy(begin);
			JCudaDriver.cuEventDestroy(end);
			JCudaDriver.cuMemFree(from);
			JCudaDriver.cuMemFree(to);
		});
		return COPIES * bytes / (millis[0] * 1e6);
	}

	private static void copy(CUdeviceptr from, CUdeviceptr to, long bytes, int times) {
		for (int i = 0; i < times; i++) {
			JCudaDriver.cuMemcpyDtoDAsync(to, from, bytes, (CUstream) null);
		}
	}

	private static CUevent event() {
		CUevent event = new CUevent();
		JCudaDriver.cuEventCreate(event, 0);
		JCudaDriver.cuEventRecord(event, null);
		return event;
	}

	private static void onDevice(Work work) {
		JCudaDriver.setExceptionsEnabled(true);
		try {
			JCudaDriver.cuInit(0);
			CUdevice device = new CUdevice();
			JCudaDriver.cuDeviceGet(device, 0);
			CUcontext context = new CUcontext();
			JCudaDriver.cuDevicePrimaryCtxRetain(context, device);
			JCudaDriver.cuCtxSetCurrent(context);
			work.run(device);
			JCudaDriver.cuDevicePrimaryCtxRelease(device);
		}
		finally {
			JCudaDriver.setExceptionsEnabled(false);
		}
	}

	private interface Work {

		void run(CUdevice device);

	}

}
