package io.ringkernel.cuda.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cuda.host.remote.HostProcess;
import io.ringkernel.cuda.host.server.TamperedLine;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostFailures;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.cuda.host.wire.HostOperation;
import io.ringkernel.cuda.host.wire.Plans;
import io.ringkernel.platform.PlanRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever a host sends, the application goes on: a conversation comes to its end, or
 * breaks off with an exception that says why, and nothing is left of it. So does the
 * host, whatever an application sends.
 * <p>
 * {@code -Dringkernel.fuzz.messages} is how many messages are sent to the application,
 * and to the host in {@code HostileCallsTests}.
 */
@Tag("every-platform")
class TamperedConversationTests {

	private static final long MESSAGES = Long.getLong("ringkernel.fuzz.messages", 100_000);

	private static final int MOST_INTRUDERS = 200;

	private final Path directory;

	private final AtomicLong messages = new AtomicLong();

	private int whole;

	private int brokenOff;

	TamperedConversationTests(@TempDir Path directory) {
		this.directory = directory;
	}

	@Test
	void anApplicationSurvivesWhateverItsHostSends() throws Exception {
		for (long seed = 0; this.messages.get() < MESSAGES; seed++) {
			hold(null, new Tampering(seed, TamperedConversationTests::strayAnswers, this.messages));
		}
		verify();
	}

	@Test
	void aHostEndsOrAnswersWhateverItsApplicationSends() throws Exception {
		for (long seed = 0; this.messages.get() < MESSAGES / 5; seed++) {
			hold(new Tampering(seed, TamperedConversationTests::strayCalls, this.messages), null);
		}
		verify();
	}

	private void hold(@Nullable Tampering toHost, @Nullable Tampering toApplication) throws Exception {
		List<TamperedLine> lines = new ArrayList<>();
		KernelHost host = new KernelHost((onLost) -> {
			TamperedLine line = line(toHost, toApplication, onLost);
			lines.add(line);
			return line.supervised();
		}, new CrashBudget());
		RuntimeException failure = new Conversation(this.directory, host).hold();
		if (failure == null) {
			this.whole++;
		}
		else {
			assertThat(failure).hasMessageNotContaining("null");
			this.brokenOff++;
		}
		host.closeUnused();
		for (TamperedLine line : lines) {
			line.verifyEnded();
		}
	}

	private TamperedLine line(@Nullable Tampering toHost, @Nullable Tampering toApplication,
			Consumer<HostProcess> onLost) {
		try {
			return new TamperedLine(this.directory, toHost, toApplication, onLost);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void verify() throws IOException {
		assertThat(this.whole).as("conversations that came to their end").isPositive();
		assertThat(this.brokenOff).as("conversations that broke off").isPositive();
		try (Stream<Path> left = Files.list(this.directory)) {
			assertThat(left).isEmpty();
		}
	}

	/** Answers that nobody waits for, and beats that tell of loops that are not there. */
	private static List<HostFrame> strayAnswers(SplittableRandom random) {
		List<HostFrame> stray = new ArrayList<>();
		for (int i = random.nextInt(MOST_INTRUDERS); i > 0; i--) {
			stray.add(switch (random.nextInt(3)) {
				case 0 -> new HostFrame(HostFrame.Kind.DONE, stranger(random), Tampering.noise(random));
				case 1 -> new HostFrame(HostFrame.Kind.FAILED, stranger(random), Tampering.noise(random));
				default -> new HostFrame(HostFrame.Kind.BEAT, random.nextInt(), beat(random));
			});
		}
		return stray;
	}

	/** No application makes as many calls. */
	private static int stranger(SplittableRandom random) {
		return random.nextInt() | 1 << 20;
	}

	private static byte[] beat(SplittableRandom random) {
		FrameWriter out = new FrameWriter().writeOptional((String) null);
		int loops = random.nextInt(4);
		out.writeInt(loops);
		for (int i = 0; i < loops; i++) {
			boolean failed = random.nextInt(16) == 0;
			out.writeInt((random.nextBoolean()) ? random.nextInt(8) : random.nextInt());
			out.writeInt(Tampering.hostile(random)).writeLong(random.nextLong()).writeBoolean(failed);
			if (failed) {
				HostFailures.write(out, new PlanFailedException("?", "a stranger says so", null));
			}
		}
		return out.toBytes();
	}

	/** What a host can do without harm, of what is not there. */
	private static List<HostFrame> strayCalls(SplittableRandom random) {
		List<HostFrame> stray = new ArrayList<>();
		for (int i = random.nextInt(MOST_INTRUDERS); i > 0; i--) {
			FrameWriter out = new FrameWriter();
			switch (random.nextInt(4)) {
				case 0 ->
					out.writeEnum(HostOperation.CLOSE).writeInt(stranger(random)).writeBoolean(random.nextBoolean());
				case 1 -> out.writeEnum(HostOperation.UNMAP).writeInt(stranger(random));
				case 2 -> Plans.write(out.writeEnum(HostOperation.PLAN), PlanRequest.AUTO);
				default -> out.writeEnum(HostOperation.CLOSE_BACKEND).writeInt(stranger(random));
			}
			stray.add(new HostFrame(HostFrame.Kind.CALL, stranger(random), out.toBytes()));
		}
		return stray;
	}

}
