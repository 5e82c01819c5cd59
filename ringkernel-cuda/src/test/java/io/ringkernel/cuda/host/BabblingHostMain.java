package io.ringkernel.cuda.host;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostFrame;

/**
 * A host that knows the secret, and says nothing after it that makes sense.
 */
final class BabblingHostMain {

	private BabblingHostMain() {
	}

	public static void main(String[] arguments) throws Exception {
		String secret = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)).readLine();
		SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(Path.of(arguments[0])));
		FrameWriter hello = new FrameWriter().writeInt(HostFrame.VERSION).writeString(secret);
		channel.write(new HostFrame(HostFrame.Kind.HELLO, 0, hello.toBytes()).toBuffer());
		channel.write(ByteBuffer.wrap("This is no frame at all.".getBytes(StandardCharsets.US_ASCII)));
		new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.US_ASCII))
			.readLine();
	}

}
