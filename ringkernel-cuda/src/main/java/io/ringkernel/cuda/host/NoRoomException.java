package io.ringkernel.cuda.host;

import io.ringkernel.backend.PlanFailedException;

/**
 * No directory has room for the ring of a kernel, so no kernel host can run that. The
 * process of the application can.
 */
final class NoRoomException extends PlanFailedException {

	private static final String REMEDY = "Lower ring-memory, or set ringkernel.host.directory to a directory in memory with more room.";

	NoRoomException(String kernelId, long bytes, String rooms) {
		super(kernelId, "no directory has room for its ring of %d B: %s".formatted(bytes, rooms), REMEDY, null);
	}

}
