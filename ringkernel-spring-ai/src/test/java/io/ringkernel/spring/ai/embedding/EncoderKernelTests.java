package io.ringkernel.spring.ai.embedding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.ai.embedding.kernel.EncoderImage;
import io.ringkernel.spring.ai.embedding.kernel.EncoderOperation;
import io.ringkernel.spring.ai.embedding.kernel.EncoderOutcome;
import io.ringkernel.spring.ai.embedding.kernel.EncoderRequest;
import io.ringkernel.spring.ai.embedding.kernel.EncoderResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link EncoderKernel}, with a kernel that is none.
 */
@SuppressWarnings("unchecked")
class EncoderKernelTests {

	private final Kernel<EncoderRequest, EncoderResponse> kernel = mock();

	private final RingKernelClient<EncoderRequest, EncoderResponse> client = mock();

	private final ExecutionPlan plan = mock();

	private final EncoderKernel encoder = new EncoderKernel(this.kernel, RandomWeights.of(RandomWeights.TINY), 64);

	@BeforeEach
	void run() {
		given(this.kernel.id()).willReturn("embedding");
		given(this.kernel.client()).willReturn(this.client);
		given(this.kernel.plan()).willReturn(this.plan);
		given(this.plan.backend()).willReturn(BackendKind.CPU);
	}

	@ParameterizedTest
	@EnumSource
	void sendsNoMoreAtOnceThanIsAnsweredInTime(BackendKind backend) {
		given(this.plan.backend()).willReturn(backend);
		List<Integer> sent = new ArrayList<>();
		given(this.client.callAll(anyList())).willAnswer((call) -> {
			List<EncoderRequest> requests = call.getArgument(0);
			sent.add(requests.stream().mapToInt((request) -> request.tokens().length).sum());
			return requests.stream().map((request) -> EncoderResponse.of(new float[384])).toList();
		});
		assertThat(this.encoder.encode(Collections.nCopies(1024, new int[64]))).hasSize(1024);
		int most = (backend == BackendKind.CPU) ? Math.min(8192, 512 * Runtime.getRuntime().availableProcessors())
				: 8192;
		assertThat(sent).hasSize((1024 * 64 + most - 1) / most).allMatch((tokens) -> tokens <= most);
	}

	/** A device that is lost once, behind some of the requests that store the model. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3 })
	void aModelThatIsStoredInTwoStatesIsInNeither(int loads) {
		EncodingDevice device = new EncodingDevice(loads);
		given(this.client.call(any())).willAnswer((call) -> device.answer(call.getArgument(0)));
		given(this.client.broadcast(any())).willAnswer((call) -> List.of(device.answer(call.getArgument(0))));
		assertThat(this.encoder.encode(List.of(new int[] { 1, 2 }))).hasSize(1);
		assertThat(device.image).isEqualTo(EncoderImage.of(RandomWeights.of(RandomWeights.TINY), 64));
	}

	/**
	 * A batch goes to both replicas, and a call to the first one, which has the model.
	 */
	@Test
	void aReplicaThatHasLostTheModelGetsItAgain() {
		EncodingDevice first = new EncodingDevice(0);
		EncodingDevice second = new EncodingDevice(0);
		given(this.client.call(any())).willAnswer((call) -> first.answer(call.getArgument(0)));
		given(this.client.broadcast(any()))
			.willAnswer((call) -> List.of(first.answer(call.getArgument(0)), second.answer(call.getArgument(0))));
		given(this.client.callAll(anyList())).willAnswer((call) -> {
			List<EncoderRequest> requests = call.getArgument(0);
			return List.of(first.answer(requests.get(0)), second.answer(requests.get(1)));
		});
		List<int[]> texts = List.of(new int[] { 1 }, new int[] { 2 });
		assertThat(this.encoder.encode(texts)).hasSize(2);
		second.begin();
		assertThat(this.encoder.encode(texts)).hasSize(2);
	}

	@Test
	void givesUpOnAKernelThatLosesTheModelAgainAndAgain() {
		given(this.client.call(any())).willReturn(new EncoderResponse(EncoderOutcome.STALE, new float[0]));
		assertThatExceptionOfType(DeviceLostException.class)
			.isThrownBy(() -> this.encoder.encode(List.of(new int[] { 1, 2 })))
			.withMessageContaining("'embedding'")
			.withMessageContaining("lost the model 5 times")
			.withMessageContaining("See why it is relaunched.");
	}

	/** Holds an image as the kernel does, and encodes by none but a whole one. */
	private static final class EncodingDevice {

		private final int lostBehind;

		private int loads;

		private int[] image;

		EncodingDevice(int lostBehind) {
			this.lostBehind = lostBehind;
			begin();
		}

		private void begin() {
			this.image = new int[EncoderImage.of(RandomWeights.of(RandomWeights.TINY), 64).length];
		}

		EncoderResponse answer(EncoderRequest request) {
			boolean isHeld = request.stamp() == EncoderImage.stamp(this.image);
			boolean isLoad = request.operation() == EncoderOperation.LOAD;
			if (request.stamp() == 0 ? !isLoad : !isHeld) {
				return new EncoderResponse(EncoderOutcome.STALE, new float[0]);
			}
			if (isLoad) {
				System.arraycopy(request.words(), 0, this.image, request.offset(), request.words().length);
				if (++this.loads == this.lostBehind) {
					begin();
				}
			}
			return EncoderResponse.of(new float[384]);
		}

	}

}
