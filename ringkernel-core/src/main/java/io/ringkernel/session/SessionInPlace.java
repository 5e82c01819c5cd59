package io.ringkernel.session;

import java.util.function.Consumer;

import io.ringkernel.InPlaceCalls;
import io.ringkernel.InPlaceRequest;
import io.ringkernel.InPlaceResponse;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.inplace.SlotRequest;
import io.ringkernel.message.inplace.SlotResponse;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.SlotMessages;
import io.ringkernel.session.encoding.RequestEncoding;
import org.jspecify.annotations.Nullable;

/**
 * In-place calls over one session: sent, awaited, given up and counted as all calls are,
 * with a writer in the place of the encoding and a reader in that of the decoding.
 */
final class SessionInPlace implements InPlaceCalls, RequestEncoding<Consumer<? super InPlaceRequest>> {

	private final KernelSession<?, ?> session;

	private final RequestSender<Consumer<? super InPlaceRequest>> sender;

	private final ResponseReceiver<SlotResponse> receiver;

	private final SlotMessages messages;

	private final MessageLayout<?> requests;

	private final SlotRequest request;

	private final SlotResponse response;

	private final long timeoutNanos;

	private final Admission admission;

	private @Nullable Consumer<? super InPlaceResponse> reader;

	SessionInPlace(KernelSession<?, ?> session, long timeoutNanos, Admission admission) {
		this.session = session;
		this.timeoutNanos = timeoutNanos;
		this.admission = admission;
		this.requests = session.kernel().requests();
		this.request = new SlotRequest(this.requests);
		this.response = new SlotResponse(session.kernel().responses());
		this.messages = session.ring().messages();
		this.sender = session.sender().encoding(this);
		this.receiver = session.receiver().decoding((position, own, arrays) -> read(position));
	}

	@Override
	public void call(Consumer<? super InPlaceRequest> writer, Consumer<? super InPlaceResponse> reader) {
		if (this.reader != null) {
			throw new IllegalStateException("A call through this object is under way. Open another one for each "
					+ "thread, and for calls from a writer or reader.");
		}
		this.session.checkOpen();
		this.reader = reader;
		try {
			this.session.call(this.sender, this.receiver, writer, this.timeoutNanos, this.admission);
		}
		finally {
			this.reader = null;
		}
	}

	@Override
	public @Nullable Draft encode(Consumer<? super InPlaceRequest> writer, @Nullable Draft own) {
		if (writer == null) {
			throw new InvalidMessageException(this.requests.type(), "", "has no writer: pass one");
		}
		if (this.reader == null) {
			throw new InvalidMessageException(this.session.kernel().responses().type(), "", "has no reader: pass one");
		}
		return null;
	}

	@Override
	public void publish(long position, Consumer<? super InPlaceRequest> writer, @Nullable Draft draft) {
		this.messages.publish(position, this.request, writer);
	}

	private @Nullable SlotResponse read(long position) {
		Consumer<? super InPlaceResponse> reader = this.reader;
		if (reader == null || !this.messages.open(position, this.response)) {
			return null;
		}
		try {
			reader.accept(this.response);
		}
		finally {
			this.response.release();
		}
		return this.response;
	}

}
