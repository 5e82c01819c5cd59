package io.ringkernel.sampletest.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A connection that is kept alive and has one request in flight.
 */
final class LoadConnection implements AutoCloseable {

	private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)\r\n");

	private static final String END_OF_HEADERS = "\r\n\r\n";

	private static final String LAST_CHUNK = "0\r\n\r\n";

	private final SocketChannel channel;

	private final ByteBuffer request;

	private final ByteBuffer response = ByteBuffer.allocate(16 * 1024);

	private long sent;

	LoadConnection(InetSocketAddress address, byte[] request) throws IOException {
		this.channel = SocketChannel.open(address);
		this.request = ByteBuffer.wrap(request);
	}

	void register(Selector selector) throws IOException {
		this.channel.configureBlocking(false);
		this.channel.register(selector, SelectionKey.OP_READ, this);
	}

	/**
	 * Sends the request, which has to fit into the socket's buffer.
	 */
	void send() throws IOException {
		this.request.rewind();
		this.response.clear();
		this.sent = System.nanoTime();
		this.channel.write(this.request);
		if (this.request.hasRemaining()) {
			throw new IOException(
					"The socket took %d of %d bytes.".formatted(this.request.position(), this.request.capacity()));
		}
	}

	/**
	 * Reads what has arrived.
	 * @return whether the response is complete
	 */
	boolean receive() throws IOException {
		if (this.channel.read(this.response) < 0) {
			throw new IOException("The server closed the connection after: " + received());
		}
		return isComplete(received());
	}

	/**
	 * How long the response took, in nanoseconds.
	 */
	long latency() {
		return System.nanoTime() - this.sent;
	}

	String received() {
		return new String(this.response.array(), 0, this.response.position(), StandardCharsets.ISO_8859_1);
	}

	private static boolean isComplete(String text) {
		int headers = text.indexOf(END_OF_HEADERS);
		if (headers < 0) {
			return false;
		}
		Matcher length = LENGTH.matcher(text);
		if (length.find()) {
			return text.length() - headers - END_OF_HEADERS.length() >= Integer.parseInt(length.group(1));
		}
		return text.endsWith(LAST_CHUNK);
	}

	@Override
	public void close() throws IOException {
		this.channel.close();
	}

}
