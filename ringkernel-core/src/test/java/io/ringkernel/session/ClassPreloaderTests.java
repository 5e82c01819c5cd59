package io.ringkernel.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClassPreloader}.
 */
class ClassPreloaderTests {

	private static final Path PACKAGE = Path.of("target", "classes", "io", "ringkernel");

	private static final List<String> ROOMS = List.of("", "control", "message", "message/buffer", "message/inplace",
			"observe", "ring", "ring/order", "session/encoding", "session/serving", "session");

	@Test
	void everyClassWithAStaticInitializerIsNamed() throws IOException {
		List<String> expected = new ArrayList<>();
		for (String room : ROOMS) {
			try (Stream<Path> files = Files.list(PACKAGE.resolve(room))) {
				for (Path file : files.filter((path) -> path.toString().endsWith(".class")).toList()) {
					if (hasStaticInitializer(file)) {
						expected
							.add(PACKAGE.relativize(file).toString().replace(".class", "").replaceAll("[/\\\\]", "."));
					}
				}
			}
		}
		assertThat(ClassPreloader.CLASSES).containsAll(expected);
	}

	@Test
	void thereIsEachClassThatIsNamed() {
		assertThat(ClassPreloader.CLASSES).filteredOn((name) -> !name.matches(".*\\$\\d+"))
			.allMatch((name) -> Files.exists(PACKAGE.resolve(name.replace('.', '/') + ".class")));
	}

	private static boolean hasStaticInitializer(Path file) throws IOException {
		Set<String> methods = new HashSet<>();
		new ClassReader(Files.readAllBytes(file)).accept(new ClassVisitor(Opcodes.ASM9) {
			@Override
			public @Nullable MethodVisitor visitMethod(int access, String name, String descriptor,
					@Nullable String signature, String @Nullable [] exceptions) {
				methods.add(name);
				return null;
			}
		}, ClassReader.SKIP_CODE);
		return methods.contains("<clinit>");
	}

}
