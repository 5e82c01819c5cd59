package io.ringkernel.cuda.host;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostFrame;

/**
 * A host of the next version: the jar was replaced while the application runs.
 */
final class ReplacedHostMain {

	private ReplacedHostMain() {
	}

	public static void main(String[] arguments) throws Exception {
		String secret = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)).readLine();
		SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(Path.of(arguments[0])));
		FrameWriter hello = new FrameWriter().writeInt(HostFrame.VERSION + 1).writeString(secret);
		channel.write(new HostFrame(HostFrame.Kind.HELLO, 0, hello.toBytes()).toBuffer());
		new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.US_ASCII))
			.readLine();
	}

}
