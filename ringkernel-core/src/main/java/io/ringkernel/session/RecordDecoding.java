package io.ringkernel.session;

import io.ringkernel.message.MessageLayout;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a response as a record.
 */
record RecordDecoding<O extends Record>(HostRing ring, MessageLayout<O> layout) implements ResponseDecoding<O> {

	@Override
	public @Nullable O decode(long position, @Nullable Draft own) {
		return (own != null) ? this.ring.response(position, this.layout, own)
				: this.ring.response(position, this.layout);
	}

}
