package io.ringkernel.spring.dashboard;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The streams of events that are open. Each has a thread while it writes, so that a slow
 * client keeps no other one waiting. If as many streams are open as there may be, a new
 * one takes the place of the oldest that has had its turn, so clients that do not read do
 * not keep others out. All streams end before the web server waits for its requests.
 */
final class DashboardStreams implements ApplicationListener<ContextClosedEvent>, Ordered, DisposableBean {

	private static final Logger log = LoggerFactory.getLogger(DashboardStreams.class);

	/** The page opens another stream then, and is asked again who it is. */
	private static final Duration LIFETIME = Duration.ofMinutes(10);

	/** How long a stream has its place for certain. */
	static final Duration TURN = Duration.ofMinutes(1);

	private static final Duration IDLE_THREAD = Duration.ofSeconds(10);

	private final RingKernelsDashboardProperties properties;

	private final ApplicationContext application;

	private final Duration turn;

	private final Semaphore places;

	private final Set<Stream> open = ConcurrentHashMap.newKeySet();

	private final CustomizableThreadFactory factory = new CustomizableThreadFactory("ringkernel-dashboard-");

	private final ScheduledThreadPoolExecutor threads;

	private volatile boolean closed;

	/**
	 * Creates the streams, of which none is open.
	 * @param turn how long a stream has its place for certain
	 */
	DashboardStreams(RingKernelsDashboardProperties properties, ApplicationContext application, Duration turn) {
		this.properties = properties;
		this.application = application;
		this.turn = turn;
		this.places = new Semaphore(properties.maxClients());
		this.factory.setDaemon(true);
		// A stream that has lost its place may still wait for its client to read.
		this.threads = new ScheduledThreadPoolExecutor(2 * properties.maxClients(), this.factory);
		this.threads.setKeepAliveTime(IDLE_THREAD.toMillis(), TimeUnit.MILLISECONDS);
		this.threads.allowCoreThreadTimeOut(true);
		this.threads.setRemoveOnCancelPolicy(true);
	}

	/**
	 * Opens a stream.
	 * @param status what its events show
	 * @return the stream; {@code null} if as many are open as there may be and none has
	 * had its turn, or if the application stops
	 */
	@Nullable SseEmitter open(Supplier<Object> status) {
		if (this.closed || !takePlace()) {
			return null;
		}
		Stream stream = new Stream(status);
		this.open.add(stream);
		stream.start();
		if (this.closed) {
			stream.end();
		}
		return stream.emitter;
	}

	private boolean takePlace() {
		if (this.places.tryAcquire()) {
			return true;
		}
		long now = System.nanoTime();
		Optional<Stream> oldest = this.open.stream().max(Comparator.comparingLong((stream) -> now - stream.start));
		if (oldest.isEmpty() || now - oldest.get().start < this.turn.toNanos()) {
			return false;
		}
		oldest.get().dismiss();
		return this.places.tryAcquire();
	}

	/** How many streams are open. */
	int size() {
		return this.open.size();
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		if (event.getApplicationContext().equals(this.application)) {
			destroy();
		}
	}

	@Override
	public void destroy() {
		this.closed = true;
		this.open.forEach(Stream::dismiss);
		this.threads.shutdownNow();
	}

	/** What is sent to one page. */
	private final class Stream {

		private final SseEmitter emitter = new SseEmitter(LIFETIME.toMillis());

		private final Supplier<Object> status;

		private final AtomicBoolean ended = new AtomicBoolean();

		private final long start = System.nanoTime();

		private volatile @Nullable Future<?> turns;

		Stream(Supplier<Object> status) {
			this.status = status;
			this.emitter.onCompletion(this::release);
			this.emitter.onTimeout(this::end);
			this.emitter.onError((ex) -> release());
		}

		void start() {
			this.turns = DashboardStreams.this.threads.scheduleWithFixedDelay(this::send, 0,
					DashboardStreams.this.properties.interval().toMillis(), TimeUnit.MILLISECONDS);
			if (this.ended.get()) {
				cancel();
			}
		}

		private void send() {
			if (System.nanoTime() - this.start > LIFETIME.toNanos()) {
				end();
				return;
			}
			try {
				this.emitter.send(this.status.get(), MediaType.APPLICATION_JSON);
			}
			catch (IOException ex) {
				log.debug("A page of the dashboard has gone.", ex);
				release();
			}
			catch (RuntimeException ex) {
				if (!this.ended.get()) {
					log.error("The dashboard cannot show the ring kernels.", ex);
				}
				end();
			}
		}

		void end() {
			release();
			this.emitter.complete();
		}

		/** Ends it, but waits for no client that does not read what is being written. */
		void dismiss() {
			release();
			DashboardStreams.this.factory.newThread(this.emitter::complete).start();
		}

		private void release() {
			if (this.ended.compareAndSet(false, true)) {
				cancel();
				DashboardStreams.this.open.remove(this);
				DashboardStreams.this.places.release();
			}
		}

		private void cancel() {
			Future<?> turns = this.turns;
			if (turns != null) {
				turns.cancel(false);
			}
		}

	}

}
