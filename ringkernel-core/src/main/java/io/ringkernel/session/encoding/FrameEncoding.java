package io.ringkernel.session.encoding;

import io.ringkernel.message.inplace.FrameBuffer;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRequests;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a frame, which is encoded where it was filled.
 *
 * @since 0.2.0
 */
public final class FrameEncoding implements RequestEncoding<FrameBuffer> {

	private final HostRequests requests;

	/**
	 * Creates the encoding of the frames of a session.
	 * @param requests where they are published
	 */
	public FrameEncoding(HostRequests requests) {
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
