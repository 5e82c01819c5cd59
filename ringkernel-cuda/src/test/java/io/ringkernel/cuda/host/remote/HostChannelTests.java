package io.ringkernel.cuda.host.remote;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;

import io.ringkernel.cuda.host.wire.HostFrame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HostChannel}.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostChannelTests {

	/** Otherwise the thread ends, and no other one notices that the host has ended. */
	@Test
	void anErrorInWhatGetsAFrameIsAReasonToReceiveNoMore(@TempDir Path directory) throws IOException {
		UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("socket"));
		try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
				SocketChannel socket = SocketChannel.open(address);
				SocketChannel peer = server.accept()) {
			HostChannel channel = new HostChannel(socket, Duration.ofSeconds(30));
			peer.write(new HostFrame(HostFrame.Kind.BEAT, 0, new byte[0]).toBuffer());
			assertThat(channel.receive((frame) -> {
				throw new LinkageError("a test plays it");
			})).contains("LinkageError", "a test plays it");
			channel.close();
		}
	}

}
