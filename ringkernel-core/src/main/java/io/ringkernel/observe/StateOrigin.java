package io.ringkernel.observe;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Where the state of a kernel comes from that is saved and restored by itself.
 *
 * @param restoredFrom when the snapshot was taken that the state began with; {@code null}
 * if it began anew, or with the fields of the handler because they are newer
 * @param reason why the state began with that: a clause
 * @param savedAt when the state was saved last; {@code null} if not since the launch
 * @param problem why it was not saved when it was due; {@code null} if it was
 * @since 0.2.0
 */
public record StateOrigin(@Nullable Instant restoredFrom, String reason, @Nullable Instant savedAt,
		@Nullable String problem) {

	/**
	 * {@return the same origin after a snapshot}
	 * @param at when it was taken
	 */
	public StateOrigin savedAt(Instant at) {
		return new StateOrigin(this.restoredFrom, this.reason, at, null);
	}

	/**
	 * {@return the same origin after a snapshot that was not taken}
	 * @param problem why not
	 */
	public StateOrigin notSaved(String problem) {
		return new StateOrigin(this.restoredFrom, this.reason, this.savedAt, problem);
	}

}
