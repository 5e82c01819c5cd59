package io.ringkernel.cuda.host.wire;

/**
 * What the application asks the host for. Each states what the body of the call holds,
 * and that of the answer; whatever is opened is known by a number that the host gives it.
 *
 * @since 0.2.0
 */
public enum HostOperation {

	/** A request; a plan, or a refusal. */
	PLAN,
	/** A plan that has failed, why, and a request; a plan, or a refusal. */
	PLAN_AFTER,
	/** A plan; the number of a backend. */
	OPEN,
	/** A backend. */
	CLOSE_BACKEND,
	/**
	 * A backend, where a file is found and its size; the number of the memory, once it is
	 * mapped.
	 */
	MAP,
	/** A memory. */
	UNMAP,
	/** A backend, a memory and a kernel. */
	PREPARE,
	/**
	 * A backend, a memory, a kernel, the loop before in this host, 0 if none, the head of
	 * the ring and the positions before it that are unanswered; a loop.
	 */
	LOAD,
	/** A loop. */
	START,
	/** A loop, and how long to wait; whether it has stopped. */
	STOP,
	/**
	 * A loop, and whether another commands in its place; how many of its workers are
	 * active still.
	 */
	CLOSE,
	/**
	 * A backend, a kernel and a size; the number of memory of its device, and its
	 * address, or 0 and 0 if the backend has no device.
	 */
	ALLOCATE,
	/** Memory of the device. */
	FREE,
	/** Memory of the device, an offset and a length; the bytes there. */
	DOWNLOAD,
	/** Memory of the device, an offset and the bytes to be there. */
	UPLOAD,
	/** A loop that has stopped; the fields of its state. */
	STATE,
	/** A loop that has stopped, a field, an offset and a length; the bytes there. */
	READ_STATE,
	/** A loop that has stopped, a field, an offset and the bytes to be there. */
	WRITE_STATE

}
