package io.ringkernel.cuda.image;

import java.nio.charset.StandardCharsets;

import io.ringkernel.cuda.simulated.SimulatedContext;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * What the driver makes machine code of before an image is loaded.
 */
class ModulesTests {

	private static final String HANDLER = ".version 8.4\n.target sm_75\n.visible .func ringkernel_handle()\n{\n}\n";

	private static final String WHOLE = ".version 8.4\n.target sm_75\n.visible .entry echo()\n{\n}\n";

	private final SimulatedContext context = new SimulatedContext();

	private final Modules modules = new Modules(this.context);

	@Test
	void aHandlerIsLinkedWithMachineCodeOfItsWorker() {
		ModuleImage image = image(HANDLER);
		assumeFalse(image.parts().isEmpty(), "the library was built without nvcc");
		this.context.takeCompiled();
		this.modules.compile(image, false);
		this.modules.load(image);
		assertThat(this.context.loaded()).containsExactly(image.parts().get(0));
	}

	@Test
	void aDriverThatCannotLinkItLoadsTheTextOfBoth() {
		ModuleImage image = image(HANDLER);
		this.modules.compile(image, false);
		this.modules.load(image);
		assertThat(this.context.loaded()).containsExactlyElementsOf(image.text());
	}

	@Test
	void besideOtherKernelsTheTextOfBothIsCompiledThen() {
		ModuleImage image = image(HANDLER);
		this.modules.compile(image, true);
		assertThat(this.context.codes()).isOne();
	}

	@Test
	void aWholeImageIsLeftToItsLoadUnlessOthersRun() {
		ModuleImage image = image(WHOLE);
		this.modules.compile(image, false);
		assertThat(this.context.codes()).isZero();
		this.modules.compile(image, true);
		assertThat(this.context.codes()).isOne();
	}

	private static ModuleImage image(String text) {
		return ModuleImage.of("a test", text.getBytes(StandardCharsets.US_ASCII));
	}

}
