package io.ringkernel.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.ringkernel.Durations;
import io.ringkernel.KernelState;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Runs the kernels while the application context runs: launches and activates them when
 * it starts, terminates them when it stops, and relaunches them when it starts again.
 * <p>
 * The kernels are all those of the runtime. In a child of the context that has the
 * runtime they are the beans of the child, and the runtime forgets them when the child is
 * closed.
 *
 * @since 0.1.0
 */
public class RingKernelLifecycle implements SmartLifecycle, BeanFactoryAware {

	/**
	 * Before the web server and everything that listens is started, and after they have
	 * drained: the web server's phases are 1024 and 2048 below the default.
	 */
	public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

	private static final Logger logger = LoggerFactory.getLogger(RingKernelLifecycle.class);

	private static final Duration LISTENERS_TIMEOUT = Duration.ofSeconds(5);

	private static final Set<KernelState> LAUNCHABLE = EnumSet.of(KernelState.CREATED, KernelState.TERMINATED,
			KernelState.FAILED);

	private final RingKernelRuntime runtime;

	private final ObjectProvider<Kernel<?, ?>> kernelBeans;

	private final KernelSettings settings;

	/** The child context whose kernels are run, if it is one. */
	private @Nullable ListableBeanFactory child;

	private volatile boolean running;

	/**
	 * Creates the lifecycle.
	 * @param runtime the runtime whose kernels are run
	 * @param kernelBeans the kernels that are beans; created when they are started
	 * @param settings how the kernels are configured
	 */
	public RingKernelLifecycle(RingKernelRuntime runtime, ObjectProvider<Kernel<?, ?>> kernelBeans,
			KernelSettings settings) {
		this.runtime = runtime;
		this.kernelBeans = kernelBeans;
		this.settings = settings;
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		if (beanFactory instanceof ListableBeanFactory listable) {
			int own = listable.getBeanNamesForType(RingKernelRuntime.class, true, false).length;
			int all = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(listable, RingKernelRuntime.class, true,
					false).length;
			this.child = (own == 0 && all > 0) ? listable : null;
		}
	}

	private Collection<Kernel<?, ?>> kernels() {
		return (this.child != null) ? kernelsOf(this.child) : this.runtime.kernels();
	}

	private static Collection<Kernel<?, ?>> kernelsOf(ListableBeanFactory child) {
		List<Kernel<?, ?>> kernels = new ArrayList<>();
		child.getBeansOfType(Kernel.class).values().forEach(kernels::add);
		return kernels;
	}

	/**
	 * Launches all kernels, then activates them: what is launched first must not keep the
	 * next one from being loaded.
	 * @throws RingKernelException if one cannot be launched; all are then terminated
	 */
	@Override
	public void start() {
		// A bean defines its kernel in the runtime when it is created.
		this.kernelBeans.forEach(Kernel::id);
		Collection<Kernel<?, ?>> kernels = kernels();
		try {
			kernels.stream().filter((kernel) -> LAUNCHABLE.contains(kernel.state())).forEach(this::launch);
			kernels.stream().filter((kernel) -> kernel.state() == KernelState.LAUNCHED).forEach(Kernel::activate);
			this.running = true;
		}
		catch (RuntimeException | Error ex) {
			stop();
			throw ex;
		}
	}

	private void launch(Kernel<?, ?> kernel) {
		try {
			kernel.launch();
		}
		catch (InvalidConfigurationException ex) {
			throw new InvalidConfigurationException(this.settings.nameOf(kernel.id(), ex.setting()), ex.value(),
					ex.reason(), ex.remedy());
		}
	}

	/**
	 * Terminates all kernels and replicas side by side, so that their drain timeouts do
	 * not add up, and waits for them, and for listeners to have been told, who may be
	 * beans that are destroyed next.
	 */
	@Override
	public void stop() {
		this.running = false;
		CompletableFuture<?>[] terminations = kernels().stream()
			.map(RingKernelLifecycle::terminateReplicas)
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(terminations).join();
		awaitListeners();
	}

	/** The kernel saves the state that its replicas share, once they have ended. */
	private static CompletableFuture<Void> terminateReplicas(Kernel<?, ?> kernel) {
		List<? extends Kernel<?, ?>> replicas = kernel.replicas();
		CompletableFuture<?>[] terminations = replicas.stream()
			.map((replica) -> CompletableFuture.runAsync(() -> terminate(replica),
					(task) -> new Thread(task, "ringkernel-terminate-" + replica.id()).start()))
			.toArray(CompletableFuture[]::new);
		return CompletableFuture.allOf(terminations).thenRun(() -> {
			if (!replicas.contains(kernel)) {
				terminate(kernel);
			}
		});
	}

	private void awaitListeners() {
		try {
			if (!this.runtime.awaitListeners(LISTENERS_TIMEOUT)) {
				logger.warn("Listeners have not been told of every kernel's end within {}",
						Durations.format(LISTENERS_TIMEOUT));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void terminate(Kernel<?, ?> kernel) {
		try {
			kernel.terminate();
		}
		catch (RingKernelException ex) {
			logger.error("Ring kernel '{}' could not be terminated", kernel.id(), ex);
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
