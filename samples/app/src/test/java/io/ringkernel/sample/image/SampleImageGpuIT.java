package io.ringkernel.sample.image;

import java.util.List;

import com.github.dockerjava.api.model.DeviceRequest;
import io.ringkernel.sampletest.SampleClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Needs NVIDIA's container toolkit beside Docker, and a GPU.
 */
@Tag("gpu")
@RequiresDocker
class SampleImageGpuIT {

	/** Means {@code --gpus all}. */
	private static final DeviceRequest ALL_GPUS = new DeviceRequest().withCount(-1)
		.withCapabilities(List.of(List.of("gpu")));

	@Test
	void answersOnTheGpu() throws Exception {
		try (GenericContainer<?> container = SampleImage.newContainer()
			.withCreateContainerCmdModifier(
					(command) -> command.getHostConfig().withDeviceRequests(List.of(ALL_GPUS)))) {
			container.start();
			SampleClient sample = SampleImage.clientOf(container);

			assertThat(SampleImage.managementOf(container)
				.get("/actuator/ringkernels")
				.at("/kernels/vector-add/backend")
				.asString()).isEqualTo("cuda");
			assertThat(sample.post("/api/vector-add", "{\"a\":[1,2,3],\"b\":[10,20,30]}").path("sum").toString())
				.isEqualTo("[11.0,22.0,33.0]");
		}
	}

}
