package io.ringkernel.observe;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.ControlDump;
import io.ringkernel.ring.RingDump;
import io.ringkernel.ring.RingLayout;

/**
 * Reads what lies in the memory of a session, and compares it with what was laid out.
 *
 * @since 0.2.0
 */
public final class DumpReader {

	private final KernelSpec<?, ?> spec;

	private final KernelRegion region;

	private final List<String> violations = new ArrayList<>();

	/**
	 * Creates a reader for one dump.
	 * @param spec how the kernel is defined
	 * @param region its memory
	 */
	public DumpReader(KernelSpec<?, ?> spec, KernelRegion region) {
		this.spec = spec;
		this.region = region;
	}

	/**
	 * Reads the control block first: what it counts by then was claimed by the time that
	 * the head is read.
	 * @return the dump
	 */
	public KernelDump read() {
		ControlDump control = this.region.control().dump();
		RingDump ring = this.region.host().dump();
		judgeIdentity(control);
		judgeWorkers(control, ring.head());
		this.violations.addAll(ring.violations());
		return new KernelDump(control, ring, List.copyOf(this.violations));
	}

	private void judgeIdentity(ControlDump control) {
		RingLayout ring = this.region.ring();
		if (!control.magic()) {
			this.violations.add("The control block does not begin with its magic word.");
		}
		compare("ABI version", control.abiVersion(), ControlBlock.ABI_VERSION);
		compare("number of slots", control.slots(), ring.slots());
		compare("number of workers", control.workers(), this.region.control().lines());
		compare("offset of the skipped laps", control.skippedLapsOffset(), ring.skippedLapsOffset());
		compare("layout of requests", control.requests(), ring.requests());
		compare("layout of responses", control.responses(), ring.responses());
		compare("fingerprint of requests", control.requestFingerprint(), this.spec.requests().fingerprint());
		compare("fingerprint of responses", control.responseFingerprint(), this.spec.responses().fingerprint());
		if (control.command().startsWith("UNKNOWN")) {
			this.violations.add("The control block has the command %s.".formatted(control.command()));
		}
	}

	private void compare(String what, Object found, Object expected) {
		if (!found.equals(expected)) {
			this.violations
				.add("The control block has the %s %s, and %s was written.".formatted(what, found, expected));
		}
	}

	private void judgeWorkers(ControlDump control, long head) {
		long processed = 0;
		for (int worker = 0; worker < control.workerLines().size(); worker++) {
			ControlDump.WorkerLine line = control.workerLines().get(worker);
			processed += line.processed();
			if (line.state().startsWith("UNKNOWN")) {
				this.violations.add("Worker %d is in the state %s.".formatted(worker, line.state()));
			}
		}
		if (processed > head - this.region.control().startPosition()) {
			this.violations.add("The workers have answered %d requests, and only %d positions were claimed."
				.formatted(processed, head - this.region.control().startPosition()));
		}
	}

}
