package io.ringkernel.session;

import io.ringkernel.Frame;
import io.ringkernel.FrameStream;
import io.ringkernel.message.inplace.FrameBuffer;
import io.ringkernel.ring.HostRing;

/**
 * A stream of frames over one session. It has one frame for each direction: a request is
 * copied into its slot when it is sent, a response out of it when it is received. So no
 * position is claimed while an application fills a frame, and no slot held while it reads
 * one.
 */
final class SessionFrames implements FrameStream {

	private final StreamSender<FrameBuffer> sender;

	private final StreamReceiver<FrameBuffer> receiver;

	private final FrameBuffer request;

	SessionFrames(KernelSession<?, ?> session, long timeoutNanos, Admission admission) {
		HostRing ring = session.ring();
		PositionQueue positions = new PositionQueue(ring.layout().slots());
		this.request = new FrameBuffer(session.kernel().requests());
		FrameBuffer response = new FrameBuffer(session.kernel().responses());
		RequestSender<FrameBuffer> frames = session.sender()
			.encoding((position, frame, draft) -> ring.requests().publish(position, frame));
		this.sender = new StreamSender<>(session, frames, positions, timeoutNanos, admission);
		this.receiver = new StreamReceiver<>(session,
				session.receiver()
					.decoding((position, own, arrays) -> ring.responses().read(position, response) ? response : null),
				positions, timeoutNanos);
	}

	@Override
	public Frame request() {
		return this.request;
	}

	@Override
	public void send(int size) {
		this.request.encode(size);
		this.sender.send(this.request);
	}

	@Override
	public Frame receive() {
		return this.receiver.receive(Deadlines.UNSET);
	}

	@Override
	public void close() {
		this.receiver.giveUpUntaken();
	}

}
