package io.ringkernel.session;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.exception.RequestLostException;
import io.ringkernel.observe.KernelCounters;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.session.encoding.ResponseDecoding;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A caller finds the header of an answer, and a hand-over answers the request as lost
 * before the caller looks at what follows.
 */
class LostAnswerTests {

	private final KernelSpec<Number, Number> kernel = KernelSpec.of("numbers", Number.class, Number.class,
			(request) -> request, KernelOptions.builder().workers(1).build());

	private final RingLayout layout = RingLayout.forSlots(ControlBlock.bytes(1), 4, this.kernel.requests().maxSize(),
			this.kernel.responses().maxSize());

	private final RingMemory memory = RingMemory.direct(this.layout.endOffset());

	private final KernelRegion region = new KernelRegion(this.memory, new ControlBlock(this.memory.buffer(), 1),
			this.layout);

	private final HostRing host = this.region.host();

	record Number(long value) {
	}

	@Test
	void theCallerIsToldThatItsRequestIsLost() {
		long position = answered();
		ResponseTaker<Number> taker = taking((at, own, arrays) -> {
			this.host.responses().lose(at);
			return this.host.responses().read(at, this.kernel.responses(), null, null);
		});
		assertThatExceptionOfType(RequestLostException.class).isThrownBy(() -> taker.read(position, null));
	}

	@Test
	void anAnswerThatIsCorruptStaysSo() {
		long position = answered();
		ResponseTaker<Number> taker = taking((at, own, arrays) -> {
			throw new CorruptMessageException("It is damaged.");
		});
		assertThatExceptionOfType(CorruptMessageException.class).isThrownBy(() -> taker.read(position, null));
	}

	private long answered() {
		long position = this.host.claims().tryClaim();
		Draft draft = this.host.requests().encode(new Number(1), this.kernel.requests(), null);
		this.host.requests().publish(position, draft);
		draft.giveBack();
		new DeviceRing(this.memory.buffer(), this.layout, 1).answer(position, 0, new Number(2),
				this.kernel.responses());
		return position;
	}

	private ResponseTaker<Number> taking(ResponseDecoding<Number> decoding) {
		return new ResponseTaker<>(this.kernel, decoding, this.host, this.region.notes().failures(), null,
				new KernelCounters(), null);
	}

}
