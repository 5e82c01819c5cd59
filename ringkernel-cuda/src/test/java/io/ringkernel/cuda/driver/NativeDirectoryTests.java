package io.ringkernel.cuda.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class NativeDirectoryTests {

	@Test
	void librariesAreUnpackedWhereOnlyThisUserCanWrite() throws IOException {
		String before = System.getProperty("java.io.tmpdir");
		AtomicReference<Path> directory = new AtomicReference<>();
		NativeDirectory.unpackInto(() -> directory.set(Path.of(System.getProperty("java.io.tmpdir"))));
		assertThat(directory.get()).isNotEqualTo(Path.of(before)).isDirectory();
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.get())))
			.isEqualTo("rwx------");
		assertThat(System.getProperty("java.io.tmpdir")).isEqualTo(before);
	}

	@Test
	void whatWasUnpackedIsRemovedAndThePropertyRestoredAfterAFailure() {
		String before = System.getProperty("java.io.tmpdir");
		AtomicReference<Path> file = new AtomicReference<>();
		assertThatThrownBy(() -> NativeDirectory.unpackInto(() -> {
			file.set(Path.of(System.getProperty("java.io.tmpdir"), "library.so"));
			try {
				Files.writeString(file.get(), "content");
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			throw new UnsatisfiedLinkError("none");
		})).isInstanceOf(UnsatisfiedLinkError.class);
		assertThat(file.get()).doesNotExist();
		assertThat(System.getProperty("java.io.tmpdir")).isEqualTo(before);
	}

}
