package io.ringkernel.test.ptx;

import java.time.Duration;
import java.util.List;

import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The fields of a handler live in device memory: they begin as the constructor left them,
 * and last as long as the kernel's memory does.
 */
class StatefulHandlerTests {

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(2)
		.requestTimeout(Duration.ofSeconds(30))
		.build();

	private final PtxMachine machine = new PtxMachine();

	private RingKernelRuntime runtime;

	private Kernel<Deposit, Balance> kernel;

	@BeforeEach
	void open() {
		this.runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null),
				List.of(this.machine.provider()));
		this.kernel = this.runtime
			.define(KernelSpec.of("account", Deposit.class, Balance.class, new Account(), OPTIONS));
		this.kernel.launch();
		this.kernel.activate();
	}

	@AfterEach
	void close() {
		this.runtime.close();
		this.machine.close();
		assertThat(this.machine.faults()).isEmpty();
	}

	@Test
	void theStateBeginsAsTheConstructorLeftIt() {
		assertThat(balance(0)).isEqualTo(new Balance(100, 1, 7));
	}

	@Test
	void aRequestSeesWhatThoseAnsweredBeforeHaveWritten() {
		balance(5);
		balance(20);
		assertThat(balance(1)).isEqualTo(new Balance(126, 3, 27));
	}

	@Test
	void deactivationKeepsTheState() {
		balance(5);
		this.kernel.deactivate();
		this.kernel.activate();
		assertThat(balance(0).amount()).isEqualTo(105);
	}

	@Test
	void aRelaunchBeginsAnew() {
		balance(5);
		this.kernel.relaunch();
		assertThat(balance(0)).isEqualTo(new Balance(100, 1, 7));
	}

	private Balance balance(long deposit) {
		return this.kernel.client().call(new Deposit(deposit));
	}

	record Deposit(long amount) {
	}

	record Balance(long amount, int deposits, long greatest) {
	}

	static final class Account implements RingKernelHandler<Deposit, Balance> {

		private final long[] amounts = { 0, 100 };

		private final long[] greatest;

		private int deposits;

		Account() {
			this.greatest = new long[] { 7 };
		}

		@Override
		public Balance handle(Deposit deposit) {
			long before = Parallel.atomicAdd(this.amounts, 1, deposit.amount());
			Parallel.atomicMax(this.greatest, 0, deposit.amount() + 7);
			this.deposits++;
			return new Balance(before + deposit.amount(), this.deposits, this.greatest[0]);
		}

	}

}
