package io.ringkernel.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.IllegalKernelStateException;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.KernelTerminatedException;
import io.ringkernel.exception.SnapshotException;
import io.ringkernel.observe.DeviceTimes;
import io.ringkernel.observe.KernelDump;
import io.ringkernel.observe.KernelError;
import io.ringkernel.observe.KernelStatus;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.observe.StateOrigin;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.routing.Routing;

/**
 * One ring kernel and its life, as {@link KernelState} draws it. Lifecycle operations
 * exclude each other; each is bounded in time by the kernel's stop and drain timeouts.
 * <p>
 * A kernel may have several {@linkplain #replicas() replicas}. Each of them is a kernel
 * with a life of its own, and the kernel routes requests to them. What is told of such a
 * kernel is the sum of its replicas, and a lifecycle operation is carried out on each of
 * them that it applies to, one after another. If one fails, the others are carried out
 * all the same, and the first failure is thrown.
 *
 * @param <I> the request
 * @param <O> the response
 * @since 0.1.0
 */
public interface Kernel<I extends Record, O extends Record> {

	/**
	 * {@return the id of this kernel}
	 */
	default String id() {
		return spec().id();
	}

	/**
	 * {@return the kernels that serve the requests of this one, by their number; the
	 * kernel itself if it has no others} The id of a replica is that of the kernel, a dot
	 * and its number, such as {@code vector-add.0}.
	 * @since 0.2.0
	 */
	default List<Kernel<I, O>> replicas() {
		return List.of(this);
	}

	/**
	 * {@return how requests find a replica; {@link Routing#LEAST_LOADED} if there is but
	 * one to find}
	 * @since 0.2.0
	 */
	default Routing routing() {
		return Routing.LEAST_LOADED;
	}

	/**
	 * {@return how this kernel is defined}
	 */
	KernelSpec<I, O> spec();

	/**
	 * {@return the state of this kernel} With replicas, {@link KernelState#ACTIVE ACTIVE}
	 * if any of them is, otherwise {@link KernelState#FAILED FAILED} if any of them is.
	 */
	KernelState state();

	/**
	 * {@return whether this process has lost the device of this kernel, and the
	 * configuration admits nothing else to run it on} Only a restart of the application
	 * helps then. Calls no driver.
	 * @since 0.2.0
	 */
	boolean isDeviceLost();

	/**
	 * {@return how this kernel, or its first replica, is run now: as it was planned, or
	 * in the best way that is left where the platform did not do what that relies on}
	 */
	ExecutionPlan plan();

	/**
	 * {@return the client of this kernel; the same for all its launches}
	 */
	RingKernelClient<I, O> client();

	/**
	 * Gives the kernel its memory, validates and loads it: {@link KernelState#LAUNCHED
	 * LAUNCHED}.
	 * @throws KernelLaunchException if it cannot be launched; it is then
	 * {@link KernelState#FAILED}. If its runtime is closed, its state is left alone
	 * @throws IllegalKernelStateException if it is launched already
	 */
	void launch();

	/**
	 * Starts the loop and takes requests: {@link KernelState#ACTIVE ACTIVE}. What was
	 * queued when the kernel was deactivated is answered now.
	 * @throws KernelLaunchException if the loop cannot be started
	 * @throws IllegalKernelStateException if it is neither launched nor inactive
	 */
	void activate();

	/**
	 * Takes no more requests and stops the loop: {@link KernelState#INACTIVE INACTIVE}.
	 * What has been begun is finished, what is queued stays queued and its timeouts run
	 * on.
	 * @throws KernelStuckException if a handler is still at work after the stop timeout;
	 * the kernel is inactive all the same, and its loop stops as soon as it can
	 * @throws IllegalKernelStateException if it is not active
	 */
	void deactivate();

	/**
	 * Takes no more requests, waits for those in flight, stops the loop and gives
	 * everything back: {@link KernelState#TERMINATED TERMINATED}. What is not answered by
	 * then fails with a {@link io.ringkernel.exception.KernelTerminatedException}.
	 * Terminating a terminated kernel does nothing.
	 * @throws KernelStuckException if the loop did not stop in time; the kernel is then
	 * {@link KernelState#FAILED}, and its memory is kept until the loop has stopped
	 */
	void terminate();

	/**
	 * Terminates the kernel if it runs, then launches and activates it anew. What it
	 * holds in its ring does not survive; what is in flight is waited for as by
	 * {@link #terminate}.
	 */
	void relaunch();

	/**
	 * Gives this kernel another number of replicas while it runs. New ones are launched,
	 * and activated if this kernel is active, before requests go to them. Those that are
	 * taken away, of the highest numbers, answer what is in flight and are terminated. No
	 * request is lost. What is told of this kernel is the sum of the replicas that it
	 * then has.
	 * <p>
	 * If requests are routed by key, new requests are held up while those in flight are
	 * answered, so that a key is never with two replicas. The keys of a replica that is
	 * taken away, and a fair share of the keys of the others if there are more, belong to
	 * another replica then. On the CPU all replicas share the handler and with it the
	 * state of the keys. A device keeps the state of a replica, which cannot be divided
	 * by key.
	 * @param replicas how many; 1 to 1024
	 * @throws io.ringkernel.exception.InvalidConfigurationException if this kernel was
	 * not defined with several, if the number is out of range, or if the state of keys
	 * lies on a device, or does so once a replica is back on its own; nothing has changed
	 * then
	 * @throws KernelLaunchException if a new replica cannot be launched; nothing has
	 * changed then
	 * @throws KernelStuckException if requests in flight are not answered within the
	 * drain timeout and nothing has changed, or if a replica that is taken away does not
	 * stop
	 * @since 0.2.0
	 */
	void resize(int replicas);

	/**
	 * Saves the state of this kernel: the fields of a handler in Java, or what an image
	 * keeps in device memory. It is that between two requests: those that have begun are
	 * finished first, and those that are sent meanwhile wait in the ring. Replaces the
	 * file in one step once all is on the disk.
	 * <p>
	 * Replicas on the CPU share their handler, so the kernel is saved as a whole. On
	 * devices each has a state of its own, and is saved by itself.
	 * @param file where to, in a directory that exists
	 * @throws SnapshotException if the state cannot be saved
	 * @throws KernelStuckException if a handler is still at work after the stop timeout
	 * @throws io.ringkernel.exception.KernelNotActiveException if it is not launched
	 * @since 0.2.0
	 */
	void snapshot(Path file);

	/**
	 * Gives this kernel the state that was saved, on whatever backend that was. The whole
	 * file is checked before. Requests are held up as by {@link #snapshot}.
	 * @param file what {@link #snapshot} has written
	 * @throws SnapshotException if the file cannot be read, is damaged, or is not of this
	 * kernel with the fields that it has now; its state is left alone
	 * @throws io.ringkernel.exception.PartlyRestoredException if the file can no longer
	 * be read once a part of the state was replaced; this kernel is then
	 * {@link KernelState#FAILED}
	 * @throws KernelStuckException if a handler is still at work after the stop timeout
	 * @throws io.ringkernel.exception.KernelNotActiveException if it is not launched
	 * @since 0.2.0
	 */
	void restore(Path file);

	/**
	 * Allocates memory of the device that this kernel runs on now, whichever process uses
	 * the device; what it holds is not defined. It outlives a relaunch of the kernel, and
	 * is the caller's to close.
	 * @param bytes how much; positive
	 * @return the memory; nothing while the kernel runs on the CPU, where its handler
	 * reads the memory of the application
	 * @throws IllegalArgumentException if the number of bytes is not positive
	 * @throws UnsupportedOperationException if this kernel has replicas, each of which
	 * may have a device of its own: allocate for each of {@link #replicas()}
	 * @throws io.ringkernel.exception.OutOfDeviceMemoryException if the device has less
	 * @throws io.ringkernel.exception.RingKernelException if the device, or the process
	 * that uses it, is lost
	 * @since 0.2.0
	 */
	Optional<DeviceMemory> allocate(long bytes);

	/**
	 * {@return where the state of this kernel comes from, if that is saved and restored
	 * by itself; empty without {@link io.ringkernel.backend.KernelOptions#snapshots()
	 * snapshots}, for a kernel without state, and for one with replicas on devices, which
	 * have one each}
	 * @since 0.2.0
	 */
	Optional<StateOrigin> stateOrigin();

	/**
	 * {@return the status of this kernel at this moment} Calls no driver and does not
	 * wait; notices a loop that broke while no caller waited for it.
	 */
	KernelStatus status();

	/**
	 * {@return what lies in the memory of this kernel; nothing while the kernel has no
	 * memory, or if it has replicas, each of which has a ring of its own} Only loads from
	 * it: those at work notice no more than cache lines that another core has read.
	 */
	default Optional<KernelDump> dump() {
		return Optional.empty();
	}

	/**
	 * {@return how long its requests take, over all launches}
	 */
	KernelTimings timings();

	/**
	 * {@return what requests took on the device, in this launch; nothing where kernels
	 * run on no device, or no worker has told of any yet} Calls no driver.
	 */
	Optional<DeviceTimes> deviceTimes();

	/**
	 * {@return what the kernel is launched with on its device, for display: grid,
	 * registers, occupancy, image; nothing on the CPU, while the kernel is not launched,
	 * or if it has replicas} Calls no driver.
	 * @since 0.2.0
	 */
	default Map<String, Object> launchParameters() {
		return Map.of();
	}

	/**
	 * {@return what went wrong lately, failures of the kernel and of requests, the latest
	 * first}
	 */
	List<KernelError> latestErrors();

}
