package io.ringkernel.session;

import io.ringkernel.RequestPriority;
import io.ringkernel.backend.Backpressure;

/**
 * How a request comes by its slot.
 */
enum Admission {

	/** Takes a free slot, and waits for one if the kernel does not reject when full. */
	NORMAL(false, false),

	/** Waits for a free slot even if the kernel rejects when full. */
	PATIENT(false, true),

	/** As {@link #NORMAL}, but only while a worker would be free for it. */
	BACKGROUND(true, false),

	/** As {@link #PATIENT}, but only while a worker would be free for it. */
	PATIENT_BACKGROUND(true, true);

	private final boolean background;

	private final boolean patient;

	Admission(boolean background, boolean patient) {
		this.background = background;
		this.patient = patient;
	}

	static Admission of(RequestPriority priority) {
		return (priority == RequestPriority.BACKGROUND) ? BACKGROUND : NORMAL;
	}

	boolean isBackground() {
		return this.background;
	}

	boolean waits(Backpressure backpressure) {
		return this.patient || backpressure == Backpressure.BLOCK;
	}

	Admission patiently() {
		return this.background ? PATIENT_BACKGROUND : PATIENT;
	}

}
