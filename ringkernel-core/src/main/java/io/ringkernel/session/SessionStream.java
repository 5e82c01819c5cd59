package io.ringkernel.session;

import java.util.List;
import java.util.function.Consumer;

import io.ringkernel.RequestStream;
import org.jspecify.annotations.Nullable;

/**
 * A stream over one session: the receiver takes the responses in the order in which the
 * sender has published their requests.
 */
final class SessionStream<I extends Record, O extends Record> implements RequestStream<I, O> {

	private final PositionQueue positions;

	private final Admission admission;

	private final StreamSender<I> sender;

	private final StreamReceiver<O> receiver;

	SessionStream(KernelSession<I, O> session, long timeoutNanos, Admission admission) {
		this.admission = admission;
		this.positions = new PositionQueue(session.ring().layout().slots());
		this.sender = new StreamSender<>(session, session.sender(), this.positions, timeoutNanos, admission);
		this.receiver = new StreamReceiver<>(session, session.receiver(), this.positions, timeoutNanos);
	}

	@Override
	public void send(I request) {
		this.sender.send(request);
	}

	@Override
	public void sendAll(I[] requests, int from, int to) {
		this.sender.sendAll(requests, from, to);
	}

	@Override
	public long sent() {
		return this.positions.count();
	}

	@Override
	public O receive() {
		return receive(Deadlines.UNSET);
	}

	O receive(long deadline) {
		return this.receiver.receive(deadline);
	}

	@Override
	public int drain(Consumer<? super O> consumer, int limit) {
		return this.receiver.drain(consumer, limit);
	}

	/**
	 * Sends one of the requests of a batch, whose sender is its receiver. If the ring is
	 * full, it takes the batch's own responses first. A kernel that rejects refuses the
	 * batch, but not the batch's own length.
	 * @return why the request was not sent; {@code null} if it was
	 * @throws RuntimeException what an earlier request has failed with
	 */
	@Nullable RuntimeException sendOfBatch(I request, long deadline, List<O> responses) {
		boolean isFirst = responses.isEmpty() && !hasUntaken();
		Admission admission = isFirst ? this.admission : this.admission.patiently();
		while (true) {
			try {
				if (this.sender.trySend(request, admission)) {
					return null;
				}
				if (!hasUntaken()) {
					this.sender.send(request, deadline, admission);
					return null;
				}
			}
			catch (RuntimeException ex) {
				return ex;
			}
			responses.add(receive(deadline));
		}
	}

	/** Whether a response is not yet taken; for a thread that sends and receives. */
	boolean hasUntaken() {
		return this.receiver.hasUntaken();
	}

	@Override
	public void close() {
		this.receiver.giveUpUntaken();
	}

}
