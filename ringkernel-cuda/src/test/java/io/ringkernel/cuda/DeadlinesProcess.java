package io.ringkernel.cuda;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.ringkernel.KernelState;
import io.ringkernel.RequestPriority;
import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.TestKernels.Slow;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;

/**
 * Calls everything that is public while a handler keeps a launch from ending, and prints
 * how long each call took beside how long it may take.
 */
final class DeadlinesProcess {

	private static final Duration REQUEST_TIMEOUT = Duration.ofMillis(100);

	private static final Duration STOP_TIMEOUT = Duration.ofMillis(300);

	private static final Duration DRAIN_TIMEOUT = Duration.ofMillis(200);

	/** Of a machine with much else to do: far less than the handler takes. */
	private static final Duration SLACK = Duration.ofSeconds(2);

	/**
	 * Less than a call of the driver may take, and more than any deadline with its slack.
	 */
	private static final Duration HELD = Duration.ofSeconds(5);

	private static final Duration AT_ONCE = Duration.ZERO;

	private static final Slow QUICK = new Slow(1, 1, 0);

	private final RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null));

	private final Set<String> called = new LinkedHashSet<>();

	private Kernel<Slow, Slow> kernel;

	private RingKernelClient<Slow, Slow> client;

	private DeadlinesProcess() {
	}

	public static void main(String... arguments) {
		DeadlinesProcess process = new DeadlinesProcess();
		System.out.println("plan: " + process.runtime.plan());
		process.hold("used");
		process.reads();
		process.requests();
		process.lifecycle();
		process.printUncalled();
		System.out.println("done");
		Runtime.getRuntime().halt(0);
	}

	private void reads() {
		within(AT_ONCE, "Kernel.id", this.kernel::id);
		within(AT_ONCE, "Kernel.spec", this.kernel::spec);
		within(AT_ONCE, "Kernel.state", this.kernel::state);
		within(AT_ONCE, "Kernel.isDeviceLost", this.kernel::isDeviceLost);
		within(AT_ONCE, "Kernel.plan", this.kernel::plan);
		within(AT_ONCE, "Kernel.client", this.kernel::client);
		within(AT_ONCE, "Kernel.status", this.kernel::status);
		within(AT_ONCE, "Kernel.dump", this.kernel::dump);
		within(AT_ONCE, "Kernel.timings", this.kernel::timings);
		within(AT_ONCE, "Kernel.deviceTimes", this.kernel::deviceTimes);
		within(AT_ONCE, "Kernel.launchParameters", this.kernel::launchParameters);
		within(AT_ONCE, "Kernel.latestErrors", this.kernel::latestErrors);
		within(AT_ONCE, "Kernel.toString", this.kernel::toString);
		within(AT_ONCE, "Kernel.replicas", this.kernel::replicas);
		within(AT_ONCE, "Kernel.routing", this.kernel::routing);
		within(AT_ONCE, "Kernel.stateOrigin", this.kernel::stateOrigin);
		within(AT_ONCE, "RingKernelRuntime.plan", this.runtime::plan);
		within(AT_ONCE, "RingKernelRuntime.platformFailure", this.runtime::platformFailure);
		within(AT_ONCE, "RingKernelRuntime.devices", this.runtime::devices);
		within(AT_ONCE, "RingKernelRuntime.hosts", this.runtime::hosts);
		within(AT_ONCE, "RingKernelRuntime.failOnUnusableImage", () -> this.runtime.failOnUnusableImage(false));
		within(AT_ONCE, "RingKernelRuntime.request", this.runtime::request);
		within(AT_ONCE, "RingKernelRuntime.kernels", this.runtime::kernels);
		within(AT_ONCE, "RingKernelRuntime.kernel", () -> this.runtime.kernel("used"));
		within(AT_ONCE, "RingKernelRuntime.timingInterval", () -> this.runtime.timingInterval(16));
		within(AT_ONCE, "RingKernelRuntime.addListener", () -> this.runtime.addListener((event) -> {
		}));
		within(AT_ONCE, "RingKernelRuntime.removeListener", () -> this.runtime.removeListener((event) -> {
		}));
		within(REQUEST_TIMEOUT, "RingKernelRuntime.awaitListeners", () -> awaitListeners());
	}

	private boolean awaitListeners() {
		try {
			return this.runtime.awaitListeners(REQUEST_TIMEOUT);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void requests() {
		within(AT_ONCE, "RingKernelClient.kernelId", this.client::kernelId);
		within(AT_ONCE, "RingKernelClient.requestTimeout", this.client::requestTimeout);
		within(AT_ONCE, "RingKernelClient.withPriority", () -> this.client.withPriority(RequestPriority.values()[0]));
		within(REQUEST_TIMEOUT, "RingKernelClient.call", () -> this.client.call(QUICK));
		within(REQUEST_TIMEOUT, "RingKernelClient.call", () -> this.client.call(QUICK, REQUEST_TIMEOUT));
		within(REQUEST_TIMEOUT, "RingKernelClient.submit", () -> join(this.client.submit(QUICK)));
		within(REQUEST_TIMEOUT, "RingKernelClient.submit", () -> join(this.client.submit(QUICK, REQUEST_TIMEOUT)));
		within(REQUEST_TIMEOUT, "RingKernelClient.trySubmit", () -> this.client.trySubmit(QUICK));
		within(REQUEST_TIMEOUT, "RingKernelClient.trySubmit", () -> this.client.trySubmit(QUICK, REQUEST_TIMEOUT));
		within(REQUEST_TIMEOUT, "RingKernelClient.send", () -> this.client.send(QUICK));
		within(REQUEST_TIMEOUT, "RingKernelClient.send", () -> this.client.send(QUICK, REQUEST_TIMEOUT));
		within(REQUEST_TIMEOUT, "RingKernelClient.callAll", () -> this.client.callAll(List.of(QUICK, QUICK)));
		within(REQUEST_TIMEOUT, "RingKernelClient.callAll",
				() -> this.client.callAll(List.of(QUICK, QUICK), REQUEST_TIMEOUT));
		within(REQUEST_TIMEOUT, "RingKernelClient.broadcast", () -> this.client.broadcast(QUICK));
		within(REQUEST_TIMEOUT, "RingKernelClient.broadcast", () -> this.client.broadcast(QUICK, REQUEST_TIMEOUT));
		within(AT_ONCE, "RingKernelClient.openFrames", () -> this.client.openFrames().close());
		within(AT_ONCE, "RingKernelClient.openInPlace", () -> this.client.openInPlace());
		RequestStream<Slow, Slow> stream = this.client.openStream();
		within(AT_ONCE, "RingKernelClient.openStream", () -> this.client.openStream().close());
		within(REQUEST_TIMEOUT, "RequestStream.send", () -> stream.send(QUICK));
		within(REQUEST_TIMEOUT, "RequestStream.receive", stream::receive);
		within(REQUEST_TIMEOUT, "RequestStream.sendAll", () -> stream.sendAll(new Slow[] { QUICK, QUICK }, 0, 2));
		within(REQUEST_TIMEOUT, "RequestStream.drain", () -> stream.drain((response) -> {
		}, 2));
		within(AT_ONCE, "RequestStream.sent", stream::sent);
		within(AT_ONCE, "RequestStream.close", stream::close);
	}

	private static Slow join(CompletableFuture<Slow> reply) {
		return reply.exceptionally((ex) -> QUICK).join();
	}

	private void lifecycle() {
		Duration ending = DRAIN_TIMEOUT.plus(STOP_TIMEOUT.multipliedBy(3));
		Path file = Path.of("target", "deadlines.snapshot");
		// The kernel that did not come to rest is started again, which the driver is
		// asked for.
		within(ending.plus(HELD), "Kernel.snapshot", () -> this.kernel.snapshot(file));
		within(ending.plus(HELD), "Kernel.restore", () -> this.kernel.restore(file));
		within(ending, "Kernel.resize", () -> this.kernel.resize(2));
		within(HELD.multipliedBy(2), "Kernel.allocate", () -> this.kernel.allocate(64));
		hold("deactivated");
		within(STOP_TIMEOUT, "Kernel.deactivate", this.kernel::deactivate);
		within(ending, "Kernel.terminate", this.kernel::terminate);
		hold("relaunched");
		within(ending.plus(STOP_TIMEOUT), "Kernel.relaunch", this.kernel::relaunch);
		hold("removed");
		within(ending, "RingKernelRuntime.remove", () -> this.runtime.remove(this.kernel));
		hold("closed");
		within(ending.multipliedBy(2), "RingKernelRuntime.close", this.runtime::close);
	}

	/**
	 * Defines a kernel and has its one worker at work for a long time.
	 */
	private void hold(String id) {
		KernelOptions options = KernelOptions.builder()
			.workers(1)
			.requestTimeout(REQUEST_TIMEOUT)
			.stopTimeout(STOP_TIMEOUT)
			.drainTimeout(DRAIN_TIMEOUT)
			.build();
		KernelSpec<Slow, Slow> slow = new CudaTestKernels().slow(options);
		this.kernel = this.runtime.define(new KernelSpec<>(id, slow.requests(), slow.responses(), slow.handler(),
				slow.image() + "#slow", options));
		// It is loaded once those that run have ended.
		Awaitility.await().pollInterval(Duration.ofMillis(500)).atMost(HELD.multipliedBy(3)).until(() -> {
			within(STOP_TIMEOUT, "Kernel.launch", this.kernel::launch);
			return this.kernel.state() == KernelState.LAUNCHED;
		});
		within(STOP_TIMEOUT, "Kernel.activate", this.kernel::activate);
		this.client = this.kernel.client();
		long before = this.kernel.status().loopLaunches();
		this.client.submit(new Slow(0, 0, HELD.toNanos() / 1_000), HELD.multipliedBy(2)).exceptionally((ex) -> QUICK);
		Awaitility.await().atMost(HELD).until(() -> this.kernel.status().loopLaunches() > before);
	}

	private void within(Duration limit, String call, Runnable body) {
		long begin = System.nanoTime();
		String outcome = "returned";
		try {
			body.run();
		}
		catch (RingKernelException ex) {
			outcome = ex.getClass().getSimpleName() + " (" + ex.getMessage() + ")";
		}
		Duration took = Duration.ofNanos(System.nanoTime() - begin);
		this.called.add(call);
		System.out.printf("%s: %s %s after %d ms of %d%n",
				(took.compareTo(limit.plus(SLACK)) <= 0) ? "in time" : "LATE", call, outcome, took.toMillis(),
				limit.toMillis());
	}

	/**
	 * What is public and was not called, besides what opens a runtime and defines a
	 * kernel, which is done while nothing runs.
	 */
	private void printUncalled() {
		Stream.of(Kernel.class, RingKernelRuntime.class, RingKernelClient.class, RequestStream.class)
			.flatMap((type) -> Stream.of(type.getDeclaredMethods()))
			.filter((method) -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
					&& !method.isSynthetic())
			.map(DeadlinesProcess::name)
			.filter((name) -> !this.called.contains(name) && !name.equals("RingKernelRuntime.define"))
			.forEach((name) -> System.out.println("UNCALLED: " + name));
	}

	private static String name(Method method) {
		return method.getDeclaringClass().getSimpleName() + "." + method.getName();
	}

}
