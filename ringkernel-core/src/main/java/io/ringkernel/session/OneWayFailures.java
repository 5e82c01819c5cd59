package io.ringkernel.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to requests whose response nobody waits for: discards the response, counts
 * failures and logs them, at most once a second.
 */
final class OneWayFailures implements BiConsumer<@Nullable Object, @Nullable Throwable> {

	private static final Logger logger = LoggerFactory.getLogger(OneWayFailures.class);

	private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final String kernelId;

	private final LongSupplier clock;

	private final AtomicLong failures = new AtomicLong();

	private final AtomicLong nextLog;

	OneWayFailures(String kernelId, LongSupplier clock) {
		this.kernelId = kernelId;
		this.clock = clock;
		this.nextLog = new AtomicLong(clock.getAsLong());
	}

	@Override
	public void accept(@Nullable Object response, @Nullable Throwable failure) {
		if (failure == null) {
			return;
		}
		long count = this.failures.incrementAndGet();
		long now = this.clock.getAsLong();
		long due = this.nextLog.get();
		if (now - due >= 0 && this.nextLog.compareAndSet(due, now + INTERVAL_NANOS)) {
			logger.warn("A one-way request to ring kernel '{}' failed; {} of them have failed by now", this.kernelId,
					count, failure);
		}
	}

}
