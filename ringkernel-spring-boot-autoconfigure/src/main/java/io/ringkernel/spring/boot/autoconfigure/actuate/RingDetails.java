package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

import io.ringkernel.control.ControlDump;
import io.ringkernel.ring.LaneLayout;
import io.ringkernel.ring.RingDump;
import io.ringkernel.ring.SlotDump;
import io.ringkernel.ring.SlotState;
import io.ringkernel.observe.KernelDump;

/** What lies in the memory of a kernel, as names and values. */
final class RingDetails {

	private RingDetails() {
	}

	static Map<String, Object> of(KernelDump dump) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("violations", dump.violations());
		details.put("head", dump.ring().head());
		details.put("states", states(dump.ring()));
		details.put("unsteady", dump.ring().unsteady());
		details.put("control", control(dump.control()));
		details.put("slots", dump.ring().slots().stream().map(RingDetails::slot).toList());
		return details;
	}

	/** How many slots are at what. */
	private static Map<String, Object> states(RingDump ring) {
		Map<SlotState, Integer> counts = new TreeMap<>();
		ring.slots().forEach((slot) -> counts.merge(slot.state(), 1, Integer::sum));
		Map<String, Object> states = new LinkedHashMap<>();
		counts.forEach((state, count) -> states.put(state.name(), count));
		return states;
	}

	private static Map<String, Object> control(ControlDump control) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("magic", control.magic());
		details.put("abiVersion", control.abiVersion());
		details.put("slots", control.slots());
		details.put("workers", control.workers());
		details.put("skippedLapsOffset", control.skippedLapsOffset());
		details.put("requests", lane(control.requests()));
		details.put("responses", lane(control.responses()));
		details.put("requestFingerprint", Long.toHexString(control.requestFingerprint()));
		details.put("responseFingerprint", Long.toHexString(control.responseFingerprint()));
		details.put("startPosition", control.startPosition());
		details.put("command", control.command());
		details.put("launches", control.launches());
		details.put("workerLines", control.workerLines().stream().map(RingDetails::worker).toList());
		return details;
	}

	private static Map<String, Object> lane(LaneLayout lane) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("slotsOffset", lane.slotsOffset());
		details.put("slotStride", lane.slotStride());
		details.put("inlineBytes", lane.inlineBytes());
		details.put("payloadsOffset", lane.payloadsOffset());
		details.put("payloadStride", lane.payloadStride());
		details.put("maxBytes", lane.maxBytes());
		return details;
	}

	private static Map<String, Object> worker(ControlDump.WorkerLine line) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", line.state());
		details.put("heartbeat", line.heartbeat());
		details.put("processed", line.processed());
		details.put("failed", line.failed());
		return details;
	}

	private static Map<String, Object> slot(SlotDump slot) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("slot", slot.slot());
		details.put("state", slot.state().name());
		details.put("position", slot.position());
		details.put("tag", slot.tag());
		details.put("requestTag", slot.requestTag());
		details.put("requestLength", slot.requestLength());
		details.put("responseTag", slot.responseTag());
		details.put("responseLength", slot.responseLength());
		details.put("responseKind", slot.responseKind());
		details.put("firstSkippedTag", slot.firstSkippedTag());
		details.put("lastSkippedTag", slot.lastSkippedTag());
		return details;
	}

}
