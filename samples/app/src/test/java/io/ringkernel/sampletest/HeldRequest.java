package io.ringkernel.sampletest;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A request of which the server has only the first half until it is completed, and which
 * is in flight for so long.
 *
 * <p>
 * It speaks HTTP/1.0, in which a body ends with the connection. Spring flushes the body
 * before Tomcat takes the request for done, so that an answer is complete even where
 * Tomcat, at the end of a graceful shutdown, closes the connection before it has written
 * the last chunk of an HTTP/1.1 response.
 */
final class HeldRequest implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private final Socket socket;

	private final byte[] body;

	private final int half;

	private HeldRequest(Socket socket, byte[] body) {
		this.socket = socket;
		this.body = body;
		this.half = body.length / 2;
	}

	/**
	 * Sends the head and half of the body.
	 */
	static HeldRequest post(String host, int port, String path, String json) throws IOException {
		byte[] body = json.getBytes(StandardCharsets.UTF_8);
		HeldRequest request = new HeldRequest(new Socket(host, port), body);
		request.socket.setSoTimeout((int) TIMEOUT.toMillis());
		request.write("POST %s HTTP/1.0\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
			.formatted(path, host, body.length)
			.getBytes(StandardCharsets.US_ASCII));
		request.write(body, 0, request.half);
		return request;
	}

	/**
	 * Sends the rest of the body.
	 */
	HeldRequest complete() throws IOException {
		write(this.body, this.half, this.body.length - this.half);
		return this;
	}

	/**
	 * Returns the whole response: status line, header fields and body.
	 */
	String response() throws IOException {
		return new String(this.socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

	private void write(byte[] bytes) throws IOException {
		write(bytes, 0, bytes.length);
	}

	private void write(byte[] bytes, int offset, int length) throws IOException {
		this.socket.getOutputStream().write(bytes, offset, length);
		this.socket.getOutputStream().flush();
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
