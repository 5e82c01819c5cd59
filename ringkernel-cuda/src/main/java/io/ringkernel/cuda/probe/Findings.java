package io.ringkernel.cuda.probe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.cuda.driver.Versions;
import io.ringkernel.platform.PlanOffer;

/**
 * What was found when the machine was looked at.
 *
 * @since 0.2.0
 */
public sealed interface Findings {

	static Unusable unusable(String reason, String remedy) {
		return new Unusable(new PlanOffer.Refused(reason, remedy));
	}

	/** CUDA cannot be used; the refusal says why. */
	record Unusable(PlanOffer.Refused refusal) implements Findings {
	}

	/**
	 * CUDA can be used.
	 *
	 * @param ordinal its number, as the driver counts
	 * @param driverVersion the version of the driver, as it counts
	 * @param took how long looking took
	 */
	record Usable(DeviceProperties device, int ordinal, int driverVersion, PlatformHints hints, Behaviour behaviour,
			Duration took) implements Findings {

		public Map<String, String> describe() {
			Map<String, String> facts = new LinkedHashMap<>();
			facts.put("device", this.device.name());
			facts.put("device-index", String.valueOf(this.ordinal));
			facts.put("compute-capability", this.device.capabilityText());
			facts.put("driver", "CUDA " + Versions.text(this.driverVersion));
			facts.put("memory", memory());
			facts.put("multiprocessors", String.valueOf(this.device.multiprocessors()));
			facts.put("kernel-time-limit", String.valueOf(this.device.kernelTimeLimit()));
			facts.put("cooperative-launch", String.valueOf(this.device.cooperativeLaunch()));
			facts.put("platform", this.hints.describe());
			facts.put("probe", this.behaviour.took().toMillis() + " ms");
			facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
			facts.put("architecture", System.getProperty("os.arch"));
			return facts;
		}

		/** What was found, in the order in which it was looked for. */
		public List<String> reasons() {
			List<String> reasons = new ArrayList<>();
			reasons.add("device %d, '%s' of compute capability %s with %s, was found on %s within %s ms".formatted(
					this.ordinal, this.device.name(), this.device.capabilityText(), memory(), this.hints.describe(),
					this.took.toMillis()));
			if (isSlice()) {
				reasons.add("the device is a slice (MIG) of another");
			}
			reasons.addAll(this.behaviour.reasons());
			return reasons;
		}

		/** The driver tells by the name alone. */
		private boolean isSlice() {
			return this.device.name().contains(" MIG ");
		}

		private String memory() {
			long tenths = (10 * this.device.memoryBytes() + (1L << 29)) >> 30;
			return tenths / 10 + "." + tenths % 10 + " GiB";
		}

	}

}
