package io.ringkernel.session;

import io.ringkernel.message.inplace.FrameBuffer;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRequests;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a frame, which is encoded where it was filled.
 */
final class FrameEncoding implements RequestEncoding<FrameBuffer> {

	private final HostRequests requests;

	FrameEncoding(HostRequests requests) {
		this.requests = requests;
	}

	@Override
	public @Nullable Draft encode(FrameBuffer request, @Nullable Draft own) {
		return null;
	}

	@Override
	public void publish(long position, FrameBuffer request, @Nullable Draft draft) {
		this.requests.publish(position, request);
	}

	/**
	 * One at a time: its memory is filled again before the next one is sent.
	 */
	@Override
	public boolean inRuns() {
		return false;
	}

}
