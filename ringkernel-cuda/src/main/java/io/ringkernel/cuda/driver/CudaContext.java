package io.ringkernel.cuda.driver;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A context of the CUDA driver: everything that is done on one device. Any thread may
 * call it. Each method throws a {@link CudaException} where the driver reports an error,
 * and a {@link CudaDeadlineException} where it does not answer in time. None of them
 * waits for a kernel.
 * <p>
 * While a kernel runs, the driver holds up {@link #load}, {@link #unregister},
 * {@link #free} and the first launch of a function until that kernel has ended: let the
 * running kernels end before.
 *
 * @since 0.1.0
 */
public interface CudaContext {

	/**
	 * {@return a module}
	 * @param image PTX text, ended by a zero byte, or a cubin or fat binary
	 */
	CudaModule load(byte[] image);

	/**
	 * Makes machine code of PTX, while kernels run on. The parts are linked: one may call
	 * functions that another defines.
	 * <p>
	 * The exception of PTX that does not compile is without the compiler's log, for which
	 * JCuda has no memory that lasts from one call to the next: {@linkplain #load(byte[])
	 * load} such a text to see what the compiler says.
	 * @param parts PTX texts, each ended by a zero byte, and fat binaries that are made
	 * to be linked
	 * @return the machine code, to be loaded once
	 * @since 0.2.0
	 */
	MachineCode link(List<byte[]> parts);

	/**
	 * Gives back machine code that is not to be loaded.
	 * @param code what {@link #link} has made
	 * @since 0.2.0
	 */
	void discard(MachineCode code);

	/**
	 * {@return the module of machine code, which is given back in any case}
	 * @param code what {@link #link} has made
	 * @since 0.2.0
	 */
	CudaModule load(MachineCode code);

	/**
	 * Makes this context the one of the calling thread, which may then {@link #link}.
	 * @since 0.2.0
	 */
	void attach();

	/**
	 * Unloads a module.
	 * @param module the module
	 * @since 0.2.0
	 */
	void unload(CudaModule module);

	/**
	 * {@return a kernel entry}
	 * @param module the module
	 * @param name the entry's name
	 */
	CudaFunction function(CudaModule module, String name);

	/**
	 * {@return the bytes of a global variable}
	 * @param module the module
	 * @param name the variable's name
	 */
	byte[] global(CudaModule module, String name);

	/**
	 * {@return what a function needs} Loads it fully.
	 * @param function the function
	 */
	FunctionAttributes attributes(CudaFunction function);

	/**
	 * Lets a function use more dynamic shared memory than the default 48 KiB, and has all
	 * functions share a multiprocessor's memory alike, so that blocks of several are on
	 * one multiprocessor together.
	 * @param function the function
	 * @param bytes the most it will be launched with
	 */
	void allowSharedMemory(CudaFunction function, int bytes);

	/**
	 * {@return how many blocks of a function run on one multiprocessor at once; 0 if not
	 * even one fits}
	 * @param function the function
	 * @param threads threads of a block
	 * @param sharedBytes dynamic shared memory of a block
	 */
	int blocksPerMultiprocessor(CudaFunction function, int threads, int sharedBytes);

	/**
	 * Makes several calls in a row without handing each of them to the context's thread:
	 * what they throw, this throws. Nothing else is done on that thread meanwhile.
	 * @param <T> the type of what they return
	 * @param what what they do, for messages: {@code the copies of a launch}
	 * @param calls calls of this context; they must not wait for a kernel
	 * @return what they return
	 */
	<T> T perform(String what, Supplier<T> calls);

	/**
	 * Makes calls as soon as the context's thread gets to them, without waiting for that.
	 * @param what what they do, for messages
	 * @param calls calls of this context; they must not wait for a kernel, nor throw
	 * @return whether they are made; {@code false} while an earlier call is overdue
	 * @since 0.2.0
	 */
	boolean post(String what, Runnable calls);

	/**
	 * Has calls wait for at least so long, where kernels that take their time hold up the
	 * driver.
	 * @param patience the least time that a call may take
	 */
	void requirePatience(Duration patience);

	/**
	 * Has what calls return after their deadline given back. Before, it is kept.
	 * @param later takes what gives it back, to be run once no kernel runs; called on the
	 * context's thread
	 * @since 0.2.0
	 */
	void releaseLateResults(Consumer<Runnable> later);

	/**
	 * {@return whether a thread waits for the context's thread} A visit that stays there
	 * between calls, to see something happen, then has to leave.
	 */
	boolean isAwaited();

	/**
	 * Keeps host memory where it is, so that a copy from or to it is made by the device
	 * while the host goes on.
	 * @param memory direct memory that begins on a page and is whole pages long; to be
	 * kept reachable until it is {@linkplain #unregister unregistered}
	 */
	void pin(ByteBuffer memory);

	/**
	 * Makes host memory accessible to the device.
	 * @param memory direct memory that begins on a page and is whole pages long; to be
	 * kept reachable until it is unregistered
	 * @return its address on the device
	 */
	DevicePointer register(ByteBuffer memory);

	/**
	 * Ends what {@link #register} or {@link #pin} began.
	 * @param memory the memory
	 */
	void unregister(ByteBuffer memory);

	/**
	 * {@return the address of device memory, not initialized}
	 * @param bytes how much; positive
	 */
	DevicePointer allocate(long bytes);

	/**
	 * Allocates device memory from a pool, in the order of a stream. Neither this nor the
	 * {@linkplain #free(DevicePointer, CudaStream) return} waits for a kernel.
	 * @param bytes how much; positive
	 * @param stream the stream
	 * @return its address, to be used once the stream is done; not initialized
	 * @since 0.2.0
	 */
	DevicePointer allocate(long bytes, CudaStream stream);

	/**
	 * Gives memory back that was allocated in the order of a stream.
	 * @param memory the address that was allocated
	 * @param stream the stream
	 * @since 0.2.0
	 */
	void free(DevicePointer memory, CudaStream stream);

	/**
	 * Frees device memory.
	 * @param memory the address that was allocated
	 */
	void free(DevicePointer memory);

	/**
	 * Sets device memory to zero, in the order of a stream.
	 * @param memory the address
	 * @param bytes how much
	 * @param stream the stream
	 */
	void zero(DevicePointer memory, long bytes, CudaStream stream);

	/**
	 * Copies host memory to the device, in the order of a stream.
	 * @param target the address on the device
	 * @param source direct memory, from its position to its limit; to be left alone until
	 * the stream is done
	 * @param stream the stream
	 */
	void upload(DevicePointer target, ByteBuffer source, CudaStream stream);

	/**
	 * Copies device memory to the host, in the order of a stream.
	 * @param target direct memory, from its position to its limit; to be left alone until
	 * the stream is done
	 * @param source the address on the device
	 * @param stream the stream
	 */
	void download(ByteBuffer target, DevicePointer source, CudaStream stream);

	/**
	 * {@return a new stream, which is not ordered with any other}
	 */
	CudaStream createStream();

	/**
	 * Destroys a stream. What is on it still runs to its end.
	 * @param stream the stream
	 */
	void destroy(CudaStream stream);

	/**
	 * Launches a kernel.
	 * @param function the function
	 * @param shape how many threads it is launched with
	 * @param parameter the kernel's one parameter: a struct, as direct memory
	 * @param stream the stream
	 */
	void launch(CudaFunction function, LaunchShape shape, ByteBuffer parameter, CudaStream stream);

	/**
	 * {@return a launch that is prepared to be repeated}
	 * @param function the function
	 * @param shape how many threads it is launched with
	 * @param parameter the kernel's one parameter, which is copied
	 */
	CudaGraph prepare(CudaFunction function, LaunchShape shape, ByteBuffer parameter);

	/**
	 * Launches a kernel as it was prepared.
	 * @param graph the prepared launch
	 * @param stream the stream
	 */
	void launch(CudaGraph graph, CudaStream stream);

	/**
	 * Gives a prepared launch back.
	 * @param graph the prepared launch; not on any stream any more
	 */
	void destroy(CudaGraph graph);

	/**
	 * {@return whether everything on a stream has ended}
	 * @param stream the stream
	 * @throws CudaException if something on the device has failed
	 */
	boolean isDone(CudaStream stream);

}
