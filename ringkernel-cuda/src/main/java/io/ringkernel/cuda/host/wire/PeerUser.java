package io.ringkernel.cuda.host.wire;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;

import jdk.net.ExtendedSocketOptions;

/**
 * Makes sure that both ends of a socket belong to one user. The directory of the socket
 * keeps other users out as far as its file system does; the system vouches for the peer.
 *
 * @since 0.2.0
 */
public final class PeerUser {

	private static final String CREDENTIALS = "SO_PEERCRED";

	private PeerUser() {
	}

	/**
	 * Checks who is at the other end, if the system tells.
	 * @throws IOException if it is another user than the owner of the directory of the
	 * socket
	 */
	public static void check(SocketChannel socket, Path directory) throws IOException {
		// Asked for by its name first: a runtime may lack the module jdk.net.
		if (socket.supportedOptions().stream().anyMatch((option) -> option.name().equals(CREDENTIALS))) {
			UserPrincipal peer = socket.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
			UserPrincipal owner = Files.getOwner(directory);
			if (!peer.equals(owner)) {
				throw new IOException("the peer is user %s, and the directory of the socket belongs to %s"
					.formatted(peer.getName(), owner.getName()));
			}
		}
	}

}
