package io.ringkernel.cuda.host.wire;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.state.StateField;

/**
 * What the state of a loop consists of, as it crosses the socket.
 *
 * @since 0.2.0
 */
public final class StateFields {

	private static final int MIN_BYTES = 2 * Integer.BYTES + Long.BYTES;

	private StateFields() {
	}

	public static void write(FrameWriter out, List<StateField> fields) {
		out.writeInt(fields.size());
		fields.forEach((field) -> out.writeString(field.name()).writeString(field.type()).writeLong(field.bytes()));
	}

	public static List<StateField> read(FrameReader in) throws MalformedFrameException {
		int count = in.readCount(MIN_BYTES);
		List<StateField> fields = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			StateField field = new StateField(in.readString(), in.readString(), in.readLong());
			if (field.bytes() < 0) {
				throw new MalformedFrameException("a field of %d B".formatted(field.bytes()));
			}
			fields.add(field);
		}
		return List.copyOf(fields);
	}

}
