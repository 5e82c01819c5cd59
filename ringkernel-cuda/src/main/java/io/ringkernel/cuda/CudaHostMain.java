package io.ringkernel.cuda;

import io.ringkernel.cuda.host.server.HostServer;

/**
 * The kernel host for CUDA; started by the application, and not by hand.
 */
final class CudaHostMain {

	private CudaHostMain() {
	}

	/** Serves an application until it ends. */
	public static void main(String[] arguments) {
		HostServer.run(arguments, new CudaBackendProvider(), HostServer.NO_HANDLERS);
	}

}
