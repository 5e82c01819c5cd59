package io.ringkernel.cuda.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Adds what the host prints to the log of the application, line by line: what
 * {@link HostLogging} wrote at its level, and all else, such as what a kernel or the
 * driver prints, as information.
 */
record HostOutput(long pid, InputStream output) implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger("io.ringkernel.cuda.host.output");

	/** So many characters are one line at most: a kernel may print without end. */
	static final int LONGEST_LINE = 8192;

	@Override
	public void run() {
		try (BufferedReader lines = new BufferedReader(new InputStreamReader(this.output, StandardCharsets.UTF_8))) {
			for (String line = readLine(lines); line != null; line = readLine(lines)) {
				logger.atLevel(levelOf(line)).log("[{}] {}", this.pid, line);
			}
		}
		catch (IOException ex) {
			logger.debug("The output of host {} has ended", this.pid, ex);
		}
	}

	static @Nullable String readLine(Reader in) throws IOException {
		StringBuilder line = new StringBuilder();
		int read = in.read();
		if (read < 0) {
			return null;
		}
		while (read >= 0 && read != '\n') {
			line.append((char) read);
			read = (line.length() < LONGEST_LINE) ? in.read() : '\n';
		}
		return line.toString();
	}

	static Level levelOf(String line) {
		for (Level level : Level.values()) {
			if (line.startsWith(level + " ")) {
				return level;
			}
		}
		return Level.INFO;
	}

}
