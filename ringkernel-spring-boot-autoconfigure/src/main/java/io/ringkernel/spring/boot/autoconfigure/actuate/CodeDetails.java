package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ringkernel.backend.KernelSpec;
import io.ringkernel.compiler.HandlerListing;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.runtime.Kernel;

import org.springframework.util.ClassUtils;

/**
 * What a device runs for a kernel, as names and values: the lines of its handler beside
 * their PTX, or where its image is; what a thread of it needs, if it is loaded; and what
 * runs the kernel, which may be the CPU.
 */
final class CodeDetails {

	private static final boolean COMPILER = ClassUtils.isPresent("io.ringkernel.compiler.HandlerListing",
			CodeDetails.class.getClassLoader());

	/** Of what a kernel is launched with, what its code comes to. */
	private static final List<String> LOADED = List.of("registersPerThread", "localBytesPerThread");

	private CodeDetails() {
	}

	static Map<String, Object> of(Kernel<?, ?> kernel) {
		Map<String, Object> details = new LinkedHashMap<>();
		ExecutionPlan plan = kernel.plan();
		details.put("backend", ConfiguredName.of(plan.backend()));
		if (plan.backend() == BackendKind.CPU) {
			details.put("reasons", plan.reasons());
		}
		String image = kernel.spec().image();
		if (image != null) {
			details.put("image", image);
		}
		else if (COMPILER) {
			Listing.add(kernel.spec(), details);
		}
		else {
			details.put("refusal", "There is no compiler of handlers. Add ringkernel-cuda to the class path.");
		}
		Map<String, Object> launch = kernel.launchParameters();
		LOADED.stream().filter(launch::containsKey).forEach((name) -> details.put(name, launch.get(name)));
		return details;
	}

	/** Loaded only if the compiler is on the class path. */
	private static final class Listing {

		static <I extends Record, O extends Record> void add(KernelSpec<I, O> spec, Map<String, Object> details) {
			try {
				HandlerListing listing = HandlerListing.of(spec.handler(), spec.requests(), spec.responses());
				details.put("handler", listing.handler());
				details.put("lines", listing.lines().stream().map(Listing::line).toList());
			}
			catch (HandlerRefusedException ex) {
				details.put("refusal", ex.getMessage());
			}
		}

		private static Map<String, Object> line(HandlerListing.Line line) {
			Map<String, Object> details = new LinkedHashMap<>();
			details.put("source", line.source());
			details.put("ptx", line.ptx());
			return details;
		}

	}

}
