package io.ringkernel.cuda.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.simulated.SimulatedContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * PTX is compiled by the driver only where it has not been compiled before.
 */
class ModuleImageTests {

	private static final String TEXT = ".version 8.4\n.target sm_75\n";

	private static final byte[] COMPILED = { 0x50, (byte) 0xed, 0x55, (byte) 0xba, 1 };

	private final SimulatedContext context = new SimulatedContext();

	@TempDir
	private Path directory;

	private Path image;

	@BeforeEach
	void writeImage() throws IOException {
		this.image = Files.writeString(this.directory.resolve("echo.ptx"), TEXT);
	}

	@Test
	void whatThePtxWasCompiledToIsLoaded() throws IOException {
		compile();
		this.context.takeCompiled();
		read(this.image).load(this.context);
		assertThat(this.context.loaded()).containsExactly(COMPILED);
	}

	@Test
	void whatIsCompiledFromAnotherTextIsNotTaken() throws IOException {
		compile();
		Files.writeString(this.image, TEXT + "// Another.\n");
		this.context.takeCompiled();
		read(this.image).load(this.context);
		assertThat(this.context.loaded()).containsExactly(terminated(TEXT + "// Another.\n"));
	}

	@Test
	void ptxIsLoadedWhereTheDriverDoesNotTakeWhatIsCompiled() throws IOException {
		compile();
		read(this.image).load(this.context);
		assertThat(this.context.loaded()).containsExactly(terminated(TEXT));
	}

	@Test
	void aDeviceThatBreaksIsNotTriedAgain() throws IOException {
		compile();
		this.context.fault(new CudaStatus(700, "CUDA_ERROR_ILLEGAL_ADDRESS"));
		ModuleImage read = read(this.image);
		assertThatExceptionOfType(CudaException.class).isThrownBy(() -> read.load(this.context));
		assertThat(this.context.loaded()).isEmpty();
	}

	@Test
	void anImageThatIsNoPtxIsLoadedAsItIs() throws IOException {
		Path binary = Files.write(this.directory.resolve("echo.cubin"), COMPILED);
		this.context.takeCompiled();
		ModuleImage read = read(binary);
		assertThat(read.ptx()).isEmpty();
		read.load(this.context);
		assertThat(this.context.loaded()).containsExactly(Arrays.copyOf(COMPILED, COMPILED.length + 1));
	}

	/** The stamp is from {@code gzip -c echo.ptx | tail -c 8 | od -An -tx1}. */
	private void compile() throws IOException {
		Files.write(this.directory.resolve("echo.bd672e701b000000.fatbin"), COMPILED);
	}

	private static ModuleImage read(Path image) throws IOException {
		return ModuleImage.read(image.toString(), (location) -> Files.newInputStream(Path.of(location)));
	}

	private static byte[] terminated(String text) {
		return (text + '\0').getBytes(StandardCharsets.US_ASCII);
	}

}
