package io.ringkernel.cuda;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanOffer;
import org.jspecify.annotations.Nullable;

/**
 * What was found when the machine was looked at.
 */
sealed interface Findings {

	static Findings unusable(String reason, String remedy) {
		return new Unusable(new PlanOffer.Refused(reason, remedy));
	}

	/**
	 * CUDA cannot be used.
	 *
	 * @param refusal why
	 */
	record Unusable(PlanOffer.Refused refusal) implements Findings {
	}

	/**
	 * CUDA can be used.
	 *
	 * @param device the device
	 * @param driverVersion the version of the driver, as it counts
	 * @param took how long looking took
	 */
	record Usable(DeviceProperties device, int driverVersion, Duration took) implements Findings {

		Map<String, String> describe() {
			Map<String, String> facts = new LinkedHashMap<>();
			facts.put("device", this.device.name());
			facts.put("compute-capability", this.device.capabilityText());
			facts.put("driver", "CUDA " + Versions.text(this.driverVersion));
			facts.put("memory", memory());
			facts.put("multiprocessors", String.valueOf(this.device.multiprocessors()));
			facts.put("kernel-time-limit", String.valueOf(this.device.kernelTimeLimit()));
			facts.put("cooperative-launch", String.valueOf(this.device.cooperativeLaunch()));
			facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
			facts.put("architecture", System.getProperty("os.arch"));
			return facts;
		}

		List<String> reasons(@Nullable ExecutionMode asked) {
			return List.of(
					"device '%s' of compute capability %s with %s was found within %d ms".formatted(this.device.name(),
							this.device.capabilityText(), memory(), this.took.toMillis()),
					(asked != null) ? "mode '%s' was asked for".formatted(ConfiguredName.of(asked))
							: "mode 'persistent': the driver does not limit how long a kernel may run",
					"transport 'mapped': the device accesses registered host memory");
		}

		private String memory() {
			return String.format(Locale.ROOT, "%.1f GiB", this.device.memoryBytes() / (double) (1L << 30));
		}

	}

}
