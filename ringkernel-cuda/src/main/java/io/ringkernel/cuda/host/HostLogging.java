package io.ringkernel.cuda.host;

import org.slf4j.ILoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOP_FallbackServiceProvider;
import org.jspecify.annotations.Nullable;

/**
 * The log of the kernel host: lines on its standard output, which the application adds to
 * its own log. The configuration of the application's log would open its files a second
 * time.
 *
 * @since 0.2.0
 */
public final class HostLogging extends NOP_FallbackServiceProvider {

	/** Creates the provider, which SLF4J finds by its name. */
	public HostLogging() {
	}

	@Override
	public ILoggerFactory getLoggerFactory() {
		return Output::new;
	}

	/** Writes {@code LEVEL name: message}, and the stack trace of what was thrown. */
	private static final class Output extends LegacyAbstractLogger {

		private static final long serialVersionUID = 1;

		private Output(String name) {
			this.name = name;
		}

		@Override
		public boolean isTraceEnabled() {
			return false;
		}

		@Override
		public boolean isDebugEnabled() {
			return false;
		}

		@Override
		public boolean isInfoEnabled() {
			return true;
		}

		@Override
		public boolean isWarnEnabled() {
			return true;
		}

		@Override
		public boolean isErrorEnabled() {
			return true;
		}

		@Override
		protected @Nullable String getFullyQualifiedCallerName() {
			return null;
		}

		@Override
		protected void handleNormalizedLoggingCall(Level level, @Nullable Marker marker, String pattern,
				Object @Nullable [] arguments, @Nullable Throwable thrown) {
			String message = MessageFormatter.basicArrayFormat(pattern, arguments);
			synchronized (System.out) {
				System.out.println("%s %s: %s".formatted(level, this.name, message));
				if (thrown != null) {
					thrown.printStackTrace(System.out);
				}
			}
		}

	}

}
