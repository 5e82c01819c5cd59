package io.ringkernel.spring.dashboard;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.ringkernel.platform.HostEvent;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelEvent;
import io.ringkernel.runtime.KernelListener;
import io.ringkernel.runtime.RingKernelRuntime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The last 15 minutes of the kernels, so that a page that is opened after an incident
 * shows it. A thread reads the kernels' counters every 5 seconds; no request does
 * anything for it. What is kept is bounded: 180 samples of 64 kernels, and 256 events.
 */
final class KernelHistory implements KernelListener, SmartInitializingSingleton, DisposableBean {

	private static final Logger log = LoggerFactory.getLogger(KernelHistory.class);

	static final Duration STEP = Duration.ofSeconds(5);

	static final Duration SPAN = Duration.ofMinutes(15);

	static final int MOST_KERNELS = 64;

	static final int MOST_EVENTS = 256;

	private final RingKernelRuntime runtime;

	private final Clock clock;

	/** By the kernel: another one may get the id of one that was removed. */
	private final Map<Kernel<?, ?>, KernelSeries> series = new LinkedHashMap<>();

	private final Deque<HistoryEvent> events = new ArrayDeque<>();

	private final ScheduledThreadPoolExecutor sampler;

	private long sampledAt;

	private long number;

	/** Creates the history, which begins with the start of the application. */
	KernelHistory(RingKernelRuntime runtime, Clock clock) {
		this.runtime = runtime;
		this.clock = clock;
		CustomizableThreadFactory factory = new CustomizableThreadFactory("ringkernel-dashboard-history-");
		factory.setDaemon(true);
		this.sampler = new ScheduledThreadPoolExecutor(1, factory);
		add(new HistoryEvent.Content(null, false, "application started", "The application started"));
	}

	@Override
	@SuppressWarnings("FutureReturnValueIgnored") // what fails is logged
	public void afterSingletonsInstantiated() {
		this.sampler.scheduleAtFixedRate(this::sampleOrLog, 0, STEP.toMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public void destroy() {
		this.sampler.shutdownNow();
	}

	private void sampleOrLog() {
		try {
			sample();
		}
		catch (RuntimeException ex) {
			log.error("The dashboard could not read the ring kernels, and tries again in {} s.", STEP.toSeconds(), ex);
		}
	}

	/** Ends the present interval of each kernel. */
	synchronized void sample() {
		long now = this.clock.millis();
		Collection<Kernel<?, ?>> kernels = this.runtime.kernels();
		this.series.keySet().retainAll(kernels);
		this.series.values().forEach((series) -> series.sample(now));
		for (Kernel<?, ?> kernel : kernels) {
			if (this.series.size() < MOST_KERNELS) {
				this.series.computeIfAbsent(kernel,
						(added) -> new KernelSeries(added, now, (int) SPAN.dividedBy(STEP)));
			}
		}
		this.sampledAt = now;
	}

	@Override
	public void onEvent(KernelEvent event) {
		HistoryEvent.of(event).ifPresent(this::add);
	}

	@Override
	public void onHostEvent(HostEvent event) {
		add(HistoryEvent.of(event));
	}

	private synchronized void add(HistoryEvent.Content event) {
		if (this.events.size() == MOST_EVENTS) {
			this.events.removeFirst();
		}
		this.events.addLast(event.numbered(++this.number, this.clock.millis()));
	}

	/**
	 * What has happened since a position.
	 * @param seen what the reader knows; {@link Position#START} if nothing
	 * @return the samples and events after that, none of them older than {@link #SPAN}
	 */
	synchronized Part since(Position seen) {
		long now = this.clock.millis();
		long oldest = now - SPAN.toMillis();
		Map<String, List<HistorySample>> samples = new LinkedHashMap<>();
		this.series
			.forEach((kernel, series) -> samples.put(kernel.id(), series.after(Math.max(oldest, seen.sampledAt()))));
		List<HistoryEvent> events = this.events.stream()
			.filter((event) -> event.number() > seen.number() && event.at() >= oldest)
			.toList();
		return new Part(new Position(this.sampledAt, this.number), now, STEP.toMillis(), SPAN.toMillis(), samples,
				events);
	}

	/**
	 * Up to where a reader knows the history.
	 *
	 * @param sampledAt when the last sample was taken, in milliseconds since 1970
	 * @param number the number of the last event
	 */
	record Position(long sampledAt, long number) {

		static final Position START = new Position(0, 0);

	}

	/**
	 * A part of the history.
	 *
	 * @param position where it ends
	 * @param now when it was read, in milliseconds since 1970
	 * @param stepMillis how long an interval is
	 * @param spanMillis how much is kept
	 * @param kernels the samples by kernel, the oldest first
	 * @param events the events, the oldest first
	 */
	record Part(Position position, long now, long stepMillis, long spanMillis, Map<String, List<HistorySample>> kernels,
			List<HistoryEvent> events) {

		Map<String, Object> toMap() {
			Map<String, Object> samples = new LinkedHashMap<>();
			this.kernels.forEach((id, all) -> samples.put(id, all.stream().map(HistorySample::toMap).toList()));
			return Map.of("now", this.now, "stepMillis", this.stepMillis, "spanMillis", this.spanMillis, "kernels",
					samples, "events", this.events.stream().map(HistoryEvent::toMap).toList());
		}

	}

}
