package io.ringkernel.spring.dashboard;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import org.springframework.context.support.StaticApplicationContext;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for who has a place among the {@link DashboardStreams}.
 */
class DashboardStreamsTests {

	@Test
	void aNewStreamTakesThePlaceOfTheOldestThatHasHadItsTurn() throws Exception {
		DashboardStreams streams = streams(Duration.ZERO);
		try {
			SseEmitter oldest = streams.open(Object::new);
			SseEmitter second = streams.open(Object::new);
			assertThat(streams.open(Object::new)).isNotNull();
			assertThat(streams.size()).isEqualTo(2);
			assertThat(oldest).isNotNull();
			await().untilAsserted(() -> assertThatIllegalStateException().isThrownBy(() -> oldest.send("more")));
			assertThat(second).isNotNull();
			second.send("more");
		}
		finally {
			streams.destroy();
		}
	}

	@Test
	void aStreamKeepsItsPlaceForItsTurn() {
		DashboardStreams streams = streams(Duration.ofDays(1));
		try {
			assertThat(streams.open(Object::new)).isNotNull();
			assertThat(streams.open(Object::new)).isNotNull();
			assertThat(streams.open(Object::new)).isNull();
		}
		finally {
			streams.destroy();
		}
	}

	private static DashboardStreams streams(Duration turn) {
		return new DashboardStreams(new RingKernelsDashboardProperties(2, Duration.ofSeconds(10)),
				new StaticApplicationContext(), turn);
	}

}
