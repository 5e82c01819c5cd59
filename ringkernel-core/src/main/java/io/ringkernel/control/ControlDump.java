package io.ringkernel.control;

import java.util.List;

import io.ringkernel.ring.LaneLayout;

/**
 * A control block at one moment, decoded.
 *
 * @param magic whether it begins as a control block does
 * @param abiVersion the version of the layout that it states
 * @param slots slots of the ring
 * @param workers workers that it has lines for
 * @param skippedLapsOffset where the words of the skipped laps begin, in bytes
 * @param requests where requests lie
 * @param responses where responses lie
 * @param requestFingerprint the fingerprint of the request layout
 * @param responseFingerprint the fingerprint of the response layout
 * @param startPosition the first position
 * @param command the name of the command in force, or what its unknown code is
 * @param launches how often the loop was launched or resumed, in this session
 * @param workerLines what each worker tells of itself
 * @since 0.1.0
 */
public record ControlDump(boolean magic, int abiVersion, int slots, int workers, int skippedLapsOffset,
		LaneLayout requests, LaneLayout responses, long requestFingerprint, long responseFingerprint,
		long startPosition, String command, long launches, List<WorkerLine> workerLines) {

	/**
	 * Creates the dump.
	 * @param magic whether it begins as a control block does
	 * @param abiVersion the version of the layout
	 * @param slots slots of the ring
	 * @param workers workers that it has lines for
	 * @param skippedLapsOffset where the words of the skipped laps begin
	 * @param requests where requests lie
	 * @param responses where responses lie
	 * @param requestFingerprint the fingerprint of the request layout
	 * @param responseFingerprint the fingerprint of the response layout
	 * @param startPosition the first position
	 * @param command the command in force
	 * @param launches how often the loop was launched or resumed
	 * @param workerLines what each worker tells of itself
	 */
	public ControlDump {
		workerLines = List.copyOf(workerLines);
	}

	/**
	 * What a worker tells of itself.
	 *
	 * @param state the name of its state, or what its unknown code is
	 * @param heartbeat grows while it lives
	 * @param processed requests that it has answered
	 * @param failed requests on which the handler failed
	 */
	public record WorkerLine(String state, long heartbeat, long processed, long failed) {
	}

}
