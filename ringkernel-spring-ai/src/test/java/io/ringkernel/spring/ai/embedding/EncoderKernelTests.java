package io.ringkernel.spring.ai.embedding;

import java.util.List;

import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.ai.embedding.kernel.EncoderOutcome;
import io.ringkernel.spring.ai.embedding.kernel.EncoderRequest;
import io.ringkernel.spring.ai.embedding.kernel.EncoderResponse;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link EncoderKernel}, with a kernel that is none.
 */
class EncoderKernelTests {

	@Test
	@SuppressWarnings("unchecked")
	void givesUpOnAKernelThatLosesTheModelAgainAndAgain() {
		Kernel<EncoderRequest, EncoderResponse> kernel = mock();
		RingKernelClient<EncoderRequest, EncoderResponse> client = mock();
		given(kernel.id()).willReturn("embedding");
		given(kernel.client()).willReturn(client);
		given(client.call(any())).willReturn(new EncoderResponse(EncoderOutcome.STALE, new float[0]));
		EncoderKernel encoder = new EncoderKernel(kernel, RandomWeights.of(RandomWeights.TINY), 8);
		assertThatExceptionOfType(DeviceLostException.class)
			.isThrownBy(() -> encoder.encode(List.of(new int[] { 1, 2 })))
			.withMessageContaining("'embedding'")
			.withMessageContaining("lost the model 5 times")
			.withMessageContaining("See why it is relaunched.");
	}

}
