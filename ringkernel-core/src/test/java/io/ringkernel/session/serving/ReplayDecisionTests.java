package io.ringkernel.session.serving;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Replay;
import io.ringkernel.backend.ReplayPolicy;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayDecisionTests {

	private final KernelSpec<Order, Order> kernel = KernelSpec.of("orders", Order.class, Order.class, (order) -> order,
			KernelOptions.DEFAULTS);

	private final KernelRegion region = region(this.kernel);

	@Test
	void noRequestIsHandledAgainWhereNobodyIsAsked() {
		assertThat(new ReplayDecision(this.kernel, this.region).test(sent(new Order(1)))).isFalse();
	}

	@Test
	void thePolicyDecidesByWhatWasSent() {
		List<Object> asked = new ArrayList<>();
		ReplayDecision decision = decision((kernelId, request) -> {
			asked.add(kernelId);
			return request instanceof Order order && order.number() % 2 == 0;
		});
		assertThat(decision.test(sent(new Order(1)))).isFalse();
		assertThat(decision.test(sent(new Order(2)))).isTrue();
		assertThat(asked).containsExactly("orders", "orders");
	}

	@Test
	void aReplicaIsAskedAboutByItsKernel() {
		KernelSpec<Order, Order> replica = this.kernel.withReplay((kernelId, request) -> kernelId.equals("orders"))
			.replica(3, 0);
		assertThat(new ReplayDecision(replica, this.region).test(sent(new Order(1)))).isTrue();
	}

	@Test
	void aKernelWhoseRequestsAreIdempotentAsksNobody() {
		KernelSpec<Order, Order> idempotent = this.kernel.withReplay((kernelId, request) -> {
			throw new AssertionError("is not to be asked");
		}).withOptions(KernelOptions.builder().replay(Replay.IDEMPOTENT).build());
		assertThat(new ReplayDecision(idempotent, this.region).test(sent(new Order(1)))).isTrue();
	}

	@Test
	void aRequestThatThePolicyThrowsForIsNotHandledAgain() {
		assertThat(decision((kernelId, request) -> {
			throw new IllegalStateException("knows no such order");
		}).test(sent(new Order(1)))).isFalse();
	}

	@Test
	void aRequestThatIsTornIsNotHandledAgain() {
		long withdrawn = this.region.host().claims().tryClaim();
		this.region.host().requests().retract(withdrawn);
		assertThat(decision((kernelId, request) -> true).test(withdrawn)).isFalse();
	}

	private ReplayDecision decision(ReplayPolicy policy) {
		return new ReplayDecision(this.kernel.withReplay(policy), this.region);
	}

	private long sent(Order order) {
		HostRing ring = this.region.host();
		long position = ring.claims().tryClaim();
		Draft draft = ring.requests().encode(order, this.kernel.requests(), null);
		ring.requests().publish(position, draft);
		draft.giveBack();
		return position;
	}

	private static KernelRegion region(KernelSpec<Order, Order> kernel) {
		RingLayout layout = RingLayout.forSlots(ControlBlock.bytes(1), 4, kernel.requests().maxSize(),
				kernel.responses().maxSize());
		RingMemory memory = RingMemory.direct(layout.endOffset());
		ControlBlock control = new ControlBlock(memory.buffer(), 1);
		control.identify(layout, 0, 0, 0);
		return new KernelRegion(memory, control, layout);
	}

	record Order(long number) {
	}

}
