package io.ringkernel.test.ptx;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.cuda.host.KernelHostProvider;
import io.ringkernel.cuda.host.server.HostServer;
import org.junit.jupiter.api.Tag;

/**
 * The same on a device that a kernel host uses: the host knows no handler, and the
 * application no device.
 */
@Tag("every-platform")
class IsolatedHandlerSnapshotTests extends HandlerSnapshotTests {

	public static void main(String[] arguments) {
		HostServer.run(arguments, new PtxMachine().provider(), HostServer.NO_HANDLERS);
	}

	@Override
	BackendProvider provider(PtxMachine machine) {
		return new KernelHostProvider(machine.provider(), IsolatedHandlerSnapshotTests.class, HostOptions.DEFAULTS);
	}

}
