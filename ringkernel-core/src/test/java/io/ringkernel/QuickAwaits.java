package io.ringkernel;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Has every wait of Awaitility look each 10 ms. By default it looks each 100 ms, for the
 * first time after as long, and a test that waits fifty times takes five seconds. Also
 * works in the modules that use the test jar of this one.
 */
public final class QuickAwaits implements LauncherSessionListener {

	@Override
	public void launcherSessionOpened(LauncherSession session) {
		Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
	}

}
