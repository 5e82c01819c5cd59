package io.ringkernel.cuda.host.wire;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;

import io.ringkernel.backend.DeviceLoop;
import org.jspecify.annotations.Nullable;

/**
 * How a loop of the host is, as its latest beat tells.
 *
 * @param failure what broke it, or {@code null}
 * @since 0.2.0
 */
public record LoopStatus(int activeWorkers, long deviceMemoryBytes, @Nullable RuntimeException failure) {

	private static final int MIN_BYTES = 2 * Integer.BYTES + Long.BYTES + 1;

	public static void write(FrameWriter out, int number, DeviceLoop loop) {
		Throwable failure = loop.failure();
		out.writeInt(number)
			.writeInt(loop.activeWorkers())
			.writeLong(loop.deviceMemoryBytes())
			.writeBoolean(failure != null);
		if (failure != null) {
			HostFailures.write(out, failure);
		}
	}

	/** Reads the status of all loops, whose kernels are known by their numbers. */
	public static Map<Integer, LoopStatus> readAll(FrameReader in, IntFunction<String> kernels)
			throws MalformedFrameException {
		Map<Integer, LoopStatus> all = new HashMap<>();
		int count = in.readCount(MIN_BYTES);
		for (int i = 0; i < count; i++) {
			int number = in.readInt();
			String id = kernels.apply(number);
			all.put(number,
					new LoopStatus(in.readInt(), in.readLong(), in.readBoolean() ? HostFailures.read(in, id) : null));
		}
		return Map.copyOf(all);
	}

}
