package io.ringkernel.session.encoding;

import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRequests;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a record in a draft, or straight in its slot if its layout is packed.
 *
 * @param <I> the record
 * @since 0.2.0
 */
public final class RecordEncoding<I extends Record> implements RequestEncoding<I> {

	private final String kernelId;

	private final HostRequests requests;

	private final MessageLayout<I> layout;

	/**
	 * Creates the encoding of the requests of a session.
	 * @param kernelId the kernel, for exceptions
	 * @param requests where they are published
	 * @param layout their layout
	 */
	public RecordEncoding(String kernelId, HostRequests requests, MessageLayout<I> layout) {
		this.kernelId = kernelId;
		this.requests = requests;
		this.layout = layout;
	}

	@Override
	public @Nullable Draft encode(I request, @Nullable Draft own) {
		require(request);
		if (this.layout.isPacked()) {
			return null;
		}
		return this.requests.encode(request, this.layout, own);
	}

	private void require(@Nullable I request) {
		if (request == null) {
			throw new InvalidMessageException(this.layout.type(), "",
					"is null: pass a request to ring kernel '%s'".formatted(this.kernelId));
		}
	}

	@Override
	public void publish(long position, I request, @Nullable Draft draft) {
		if (draft == null) {
			this.requests.publish(position, request, this.layout);
		}
		else {
			this.requests.publish(position, draft);
		}
	}

	@Override
	public boolean inRuns() {
		return this.layout.isPacked();
	}

}
