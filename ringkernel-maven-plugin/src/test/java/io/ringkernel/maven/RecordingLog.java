package io.ringkernel.maven;

import java.util.ArrayList;
import java.util.List;

import org.apache.maven.plugin.logging.SystemStreamLog;

/**
 * Keeps what a goal says.
 */
class RecordingLog extends SystemStreamLog {

	final List<String> messages = new ArrayList<>();

	@Override
	public void info(CharSequence content) {
		this.messages.add(content.toString());
	}

	@Override
	public void warn(CharSequence content) {
		this.messages.add(content.toString());
	}

}
