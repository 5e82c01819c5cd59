package io.ringkernel.backend;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import io.ringkernel.ring.RingLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RingMemoryTests {

	private static final int BYTES = 4096;

	@TempDir
	private Path directory;

	@ParameterizedTest
	@ValueSource(ints = { 1, 127, 128, 1000, 4096 })
	void directMemoryBeginsOnALineAndIsZeroedAndNoLarger(int bytes) {
		List<RingMemory> kept = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			RingMemory memory = RingMemory.direct(bytes);
			// What is allocated next lies elsewhere.
			kept.add(memory);
			ByteBuffer view = memory.buffer().bytes();
			assertThat(view.alignmentOffset(0, RingLayout.LINE_BYTES)).isZero();
			assertThat(memory.buffer().capacity()).isEqualTo(bytes);
			assertThat(view.get(bytes - 1)).isZero();
		}
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void onlyTheOwnerMayReadAMappedFile() throws Exception {
		Path file = this.directory.resolve("ring");
		RingMemory.mapped(file, BYTES).close();
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
		assertThat(Files.size(file)).isEqualTo(BYTES);
	}

	@Test
	void whatOneProcessStoresTheOtherLoadsAlsoOnceTheFileIsDeleted() throws Exception {
		Path file = this.directory.resolve("ring");
		RingMemory own = RingMemory.mapped(file, BYTES);
		RingMemory shared = RingMemory.shared(file, BYTES);
		Files.delete(file);
		own.buffer().bytes().putInt(BYTES - 4, 7);
		assertThat(shared.buffer().bytes().getInt(BYTES - 4)).isEqualTo(7);
	}

	@Test
	void aFileOfAnotherSizeIsNotShared() throws Exception {
		Path file = this.directory.resolve("ring");
		RingMemory.mapped(file, BYTES).close();
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> RingMemory.shared(file, 2 * BYTES))
			.withMessageContaining("has 4096 B where 8192 B are expected");
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void aSymbolicLinkIsNotShared() throws Exception {
		Path file = this.directory.resolve("ring");
		RingMemory.mapped(file, BYTES).close();
		Path link = Files.createSymbolicLink(this.directory.resolve("link"), file);
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> RingMemory.shared(link, BYTES));
	}

	@Test
	void aFileThatExistsIsRefusedAndLeftAsItIs() throws Exception {
		Path file = Files.writeString(this.directory.resolve("ring"), "somebody's");
		assertThatExceptionOfType(FileAlreadyExistsException.class).isThrownBy(() -> RingMemory.mapped(file, BYTES))
			.withMessageContaining(file.toString());
		assertThat(file).hasContent("somebody's");
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void aSymbolicLinkIsRefusedThoughItLeadsNowhere() throws Exception {
		Path target = this.directory.resolve("target");
		Path link = Files.createSymbolicLink(this.directory.resolve("ring"), target);
		assertThatExceptionOfType(FileAlreadyExistsException.class).isThrownBy(() -> RingMemory.mapped(link, BYTES));
		assertThat(target).doesNotExist();
	}

}
