package io.ringkernel;

import java.util.function.Consumer;

import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.MessageReleasedException;
import io.ringkernel.exception.PositionStuckException;
import io.ringkernel.exception.RingKernelException;

/**
 * Calls a kernel with requests that are written, and responses that are read, in the
 * memory of the ring's slots. What {@link RingKernelClient#call(Record) call} copies
 * between the arrays of records and a slot is not copied here, and nothing is allocated:
 *
 * <pre class="code">
 * calls.call((request) -&gt; {
 *     Frame a = request.array("a", count);
 *     for (int i = 0; i &lt; count; i++) {
 *         a.putFloat(i, 0, signal.next());
 *     }
 * }, (response) -&gt; this.peak = response.array("peaks").getFloat(0, 0));
 * </pre>
 *
 * Worth it for large arrays of which the host writes or reads a part only. An access
 * through a frame takes about 1 ns, which for all elements is more than their copy: data
 * that is written in whole is sent faster as a record.
 * <p>
 * Two callbacks, because the memory is the caller's for two moments only: from the claim
 * of a slot until the request is published, and from the response until the slot is free
 * again. Behind either, the frames of the message throw {@link MessageReleasedException}.
 * <p>
 * One thread at a time; neither callback calls through the same object.
 *
 * @since 0.2.0
 */
public interface InPlaceCalls {

	/**
	 * Waits for a slot, has a request written, publishes it, waits for the response and
	 * has it read. The waits take at most the kernel's request timeout, together if a
	 * slot has to be waited for; if a slot is free at once, the time begins once the
	 * request is published. Nothing is allocated, except by the callbacks.
	 * <p>
	 * A worker waits for the request while it is written: the writer does not block. A
	 * writer that takes longer than the request timeout ends the kernel with a
	 * {@link PositionStuckException}. The reader only keeps a slot from others.
	 * @param writer writes the request. If it throws, nothing is handled, and the
	 * exception is passed on
	 * @param reader reads the response. If it throws, the exception is passed on
	 * @throws InvalidMessageException if the writer begins an array that its layout has
	 * no room for, or a callback is {@code null}; nothing is handled
	 * @throws IllegalStateException if a callback calls through the same object
	 * @throws RingKernelException as {@link RingKernelClient} describes
	 */
	void call(Consumer<? super InPlaceRequest> writer, Consumer<? super InPlaceResponse> reader);

}
