package io.ringkernel.cuda;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.driver.MachineCode;
import io.ringkernel.cuda.loop.CudaLoop;
import io.ringkernel.cuda.memory.CudaRingMemory;
import io.ringkernel.cuda.simulated.SimulatedContext;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.Transport;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a session holds is given back, whatever comes in between.
 */
@Timeout(60)
@Tag("every-platform")
class CudaReleaseTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final SimulatedDriver driver = new SimulatedDriver().withoutMemoryPools();

	private final SimulatedContext context = this.driver.context();

	private final CudaDevice device = new CudaPlatform(CudaDriver.bounded(this.driver)).device();

	private final KernelSpec<Echo, Echo> kernel = this.context
		.install(new CpuTestKernels().echo(KernelOptions.builder().workers(2).build()));

	private final CudaRingMemory memory;

	private final KernelRegion region;

	CudaReleaseTests() {
		int workers = this.kernel.options().workers();
		int maxRequest = this.kernel.requests().maxSize();
		int maxResponse = this.kernel.responses().maxSize();
		RingLayout ring = RingLayout.forBudget(ControlBlock.bytes(workers), 1 << 16, maxRequest, maxResponse);
		this.memory = CudaRingMemory.allocate(this.device.resources(), this.kernel.id(), ring.endOffset());
		ControlBlock control = new ControlBlock(this.memory.buffer(), workers);
		control.identify(ring, this.kernel.requests().fingerprint(), this.kernel.responses().fingerprint(), 0);
		this.region = new KernelRegion(this.memory, control, ring);
	}

	@Test
	void aLoopThatEndsAfterItWasClosedIsActiveUntilItIsClosedAgain() {
		DeviceLoop loop = load();
		// The end is told by the stream alone, once that is let go.
		this.context.launches().keepEndsSecret();
		this.context.holdStreams(true);
		loop.start();
		loop.close();
		assertThat(loop.activeWorkers()).isPositive();
		this.context.holdStreams(false);
		Awaitility.await().atMost(LIMIT).until(() -> {
			loop.nudge();
			return !((CudaLoop) loop).state().isOnDevice();
		});
		assertThat(loop.activeWorkers()).isPositive();
		assertThat(this.context.streams()).isEqualTo(1);
		loop.close();
		assertThat(loop.activeWorkers()).isZero();
		assertThat(this.context.streams()).isZero();
		this.memory.close();
		assertNothingIsHeld();
	}

	/** A hand-over that fails asks again, and requests come meanwhile. */
	@Test
	void whatALoopMayHaveBegunIsToldOfTheMomentAtWhichItWasLost() {
		CudaLoop loop = load();
		loop.start();
		this.context.fault(new CudaStatus(700, "CUDA_ERROR_ILLEGAL_ADDRESS"));
		Awaitility.await().atMost(LIMIT).until(() -> loop.failure() instanceof DeviceLostException);
		send();
		assertThat(loop.begun()).hasSize(1);
		send();
		assertThat(loop.begun()).hasSize(1);
	}

	private void send() {
		HostRing ring = this.region.host();
		long position = ring.contendedClaims().tryClaimAny();
		Draft draft = ring.requests().encode(Echo.of(1, position), this.kernel.requests(), null);
		ring.requests().publish(position, draft);
		draft.giveBack();
	}

	@Test
	void nothingIsFreedBehindAKernelThatIsLaunchedAgain() throws Exception {
		CudaLoop loop = load();
		loop.start();
		CudaDeviceMemory other = CudaDeviceMemory.allocate(this.device, 1000);
		other.close();
		Thread reclaiming = new Thread(() -> {
			while (!Thread.currentThread().isInterrupted()) {
				this.device.resources().reclaim();
			}
		});
		reclaiming.start();
		for (int i = 0; i < 100; i++) {
			int launches = this.context.launches().shapes().size();
			loop.makeWay();
			loop.resume();
			Awaitility.await().pollInterval(Duration.ofMillis(1)).atMost(LIMIT).until(() -> {
				loop.nudge();
				return this.context.launches().shapes().size() > launches;
			});
		}
		reclaiming.interrupt();
		reclaiming.join(TimeUnit.SECONDS.toMillis(20));
		assertThat(loop.stop(LIMIT)).isTrue();
		loop.close();
		this.memory.close();
		assertNothingIsHeld();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aRegistrationThatFailedIsTakenBackIfItIsInEffect(boolean inEffect) {
		this.context.failRegistrations(
				new CudaException("cuMemHostGetDevicePointer", new CudaStatus(1, "CUDA_ERROR_INVALID_VALUE")),
				inEffect);
		assertThatExceptionOfType(PlanFailedException.class).isThrownBy(this::load);
		this.memory.close();
		assertNothingIsHeld();
		this.memory.close();
		assertNothingIsHeld();
	}

	@Test
	void aLateRegistrationIsTakenBack() {
		this.context.failRegistrations(new CudaDeadlineException("cuMemHostRegister", LIMIT), true);
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(this::load);
		assertThat(this.context.registrations()).isEqualTo(1);
		this.memory.close();
		assertNothingIsHeld();
	}

	/** A host keeps the ring mapped, and so its memory, from one loop to the next. */
	@Test
	void theRingOfALoopThatEndedIsServedAgain() throws Exception {
		DeviceLoop first = load();
		first.start();
		assertThat(first.stop(LIMIT)).isTrue();
		first.close();
		assertLoadsAgain();
	}

	@Test
	void theRingOfALateRegistrationIsServedByTheNextLoad() throws Exception {
		this.context.failRegistrations(new CudaDeadlineException("cuMemHostRegister", LIMIT), true);
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(this::load);
		this.context.failRegistrations(null, false);
		assertLoadsAgain();
	}

	private void assertLoadsAgain() throws Exception {
		DeviceLoop loop = load();
		assertThat(this.context.registrations()).isEqualTo(1);
		loop.start();
		assertThat(loop.stop(LIMIT)).isTrue();
		loop.close();
		this.memory.close();
		assertNothingIsHeld();
	}

	@Test
	void memoryThatSomethingElseHasRegisteredIsNotTakenForALimit() {
		this.context.failRegistrations(new CudaException("cuMemHostRegister",
				new CudaStatus(712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED")), false);
		assertThatExceptionOfType(PlanFailedException.class).isThrownBy(this::load)
			.withMessageContaining("%d B cannot be locked", this.memory.pages().capacity())
			.withMessageContaining("some of its memory is locked already, by something else in this process")
			.withMessageContaining("CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED")
			.withMessageNotContaining("ulimit");
	}

	@Test
	void whatALoadHoldsGoesBackOnceADriverReturnsThatHasHeldItUp() {
		CudaDevice impatient = new CudaPlatform(CudaDriver.bounded(this.driver, Duration.ofMillis(100))).device();
		CudaRingMemory ring = CudaRingMemory.over(impatient.resources(), this.memory.pages());
		CountDownLatch release = new CountDownLatch(1);
		this.context.before("cuMemHostRegister", () -> await(release));
		assertThatExceptionOfType(KernelLaunchException.class)
			.isThrownBy(
					() -> impatient.load(this.kernel, this.region, ring, ExecutionMode.PERSISTENT, Transport.MAPPED))
			.withMessageContaining("cuMemHostRegister");
		ring.close();
		release.countDown();
		Awaitility.await().atMost(LIMIT).untilAsserted(() -> {
			impatient.resources().reclaim();
			assertNothingIsHeld();
		});
	}

	private static void await(CountDownLatch release) {
		try {
			assertThat(release.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void whatACallReturnsAfterItsDeadlineIsGivenBack() {
		CudaDevice impatient = new CudaPlatform(CudaDriver.bounded(this.driver, Duration.ofMillis(100))).device();
		long before = this.context.allocatedBytes();
		CountDownLatch release = new CountDownLatch(1);
		this.context.listCalls();
		this.context.hang(release);
		assertThatExceptionOfType(CudaDeadlineException.class).isThrownBy(() -> impatient.context().allocate(1000));
		release.countDown();
		Awaitility.await().atMost(LIMIT).until(() -> this.context.calls().contains("cuMemFree"));
		Awaitility.await().atMost(LIMIT).until(() -> this.context.allocatedBytes() == before);
	}

	@Test
	void machineCodeThatIsMadeAfterItsDeadlineIsGivenBack() {
		CudaDevice impatient = impatientWithLoads();
		CountDownLatch release = new CountDownLatch(1);
		this.context.hang(release);
		assertThatExceptionOfType(CudaDeadlineException.class)
			.isThrownBy(() -> impatient.context().link(List.of(new byte[1])));
		release.countDown();
		Awaitility.await().atMost(LIMIT).until(() -> this.context.calls().contains("cuLinkDestroy"));
		assertThat(this.context.codes()).isZero();
	}

	@Test
	void machineCodeIsGivenBackIfItsLoadNeverBegins() {
		CudaDevice impatient = impatientWithLoads();
		MachineCode code = impatient.context().link(List.of(new byte[1]));
		CountDownLatch release = new CountDownLatch(1);
		this.context.hang(release);
		assertThatExceptionOfType(CudaDeadlineException.class).isThrownBy(() -> impatient.context().allocate(1000));
		assertThatExceptionOfType(CudaDeadlineException.class).isThrownBy(() -> impatient.context().load(code));
		assertThat(this.context.codes()).isOne();
		release.countDown();
		Awaitility.await().atMost(LIMIT).until(() -> {
			impatient.resources().reclaim();
			return this.context.codes() == 0;
		});
	}

	private CudaDevice impatientWithLoads() {
		Duration patience = Duration.ofMillis(100);
		CudaDevice impatient = new CudaPlatform(CudaDriver.bounded(this.driver, patience, patience)).device();
		this.context.listCalls();
		return impatient;
	}

	private CudaLoop load() {
		return this.device.load(this.kernel, this.region, this.memory, ExecutionMode.PERSISTENT, Transport.MAPPED);
	}

	private void assertNothingIsHeld() {
		assertThat(this.context.registrations()).isZero();
		assertThat(this.context.allocatedBytes()).isZero();
		assertThat(this.context.streams()).isZero();
		assertThat(this.context.heldUp()).isEmpty();
	}

}
