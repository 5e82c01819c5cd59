package io.ringkernel.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class OneWayFailuresTests {

	@Test
	void failuresOfRequestsOneWayAreLoggedOnceASecondWithTheirCount() {
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		Logger logger = (Logger) LoggerFactory.getLogger(OneWayFailures.class);
		logger.addAppender(log);
		try {
			AtomicInteger seconds = new AtomicInteger();
			OneWayFailures failures = new OneWayFailures("any", () -> TimeUnit.SECONDS.toNanos(seconds.get()));
			failures.accept("a response", null);
			for (int i = 0; i < 100; i++) {
				failures.accept(null, new IllegalStateException());
			}
			seconds.set(1);
			failures.accept(null, new IllegalStateException());
		}
		finally {
			logger.detachAppender(log);
		}
		assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
			.containsExactly("A one-way request to ring kernel 'any' failed; 1 of them have failed by now",
					"A one-way request to ring kernel 'any' failed; 101 of them have failed by now");
	}

}
