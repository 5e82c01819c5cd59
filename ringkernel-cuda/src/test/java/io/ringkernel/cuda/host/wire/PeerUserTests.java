package io.ringkernel.cuda.host.wire;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link PeerUser}.
 */
class PeerUserTests {

	@TempDir
	private Path directory;

	private ServerSocketChannel server;

	private SocketChannel client;

	private SocketChannel accepted;

	@BeforeEach
	void connect() throws IOException {
		UnixDomainSocketAddress address = UnixDomainSocketAddress.of(this.directory.resolve("socket"));
		this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
		this.client = SocketChannel.open(address);
		this.accepted = this.server.accept();
	}

	@AfterEach
	void close() throws IOException {
		this.accepted.close();
		this.client.close();
		this.server.close();
	}

	@Test
	void bothEndsOfOneUserPass() {
		assertThatNoException().isThrownBy(() -> PeerUser.check(this.client, this.directory));
		assertThatNoException().isThrownBy(() -> PeerUser.check(this.accepted, this.directory));
	}

	@Test
	void aPeerThatIsNotTheOwnerOfTheDirectoryIsRefused() throws IOException {
		Path root = Path.of("/");
		Path others = Files.getOwner(this.directory).equals(Files.getOwner(root)) ? givenAway() : root;
		assertThatIOException().isThrownBy(() -> PeerUser.check(this.accepted, others))
			.withMessageContaining("the peer is user " + Files.getOwner(this.directory).getName());
	}

	/** Nobody but the superuser can give something away. */
	private Path givenAway() throws IOException {
		Path given = Files.createDirectory(this.directory.resolve("given"));
		Files.setOwner(given, given.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("65534"));
		assumeThat(Files.getOwner(given)).isNotEqualTo(Files.getOwner(this.directory));
		return given;
	}

}
