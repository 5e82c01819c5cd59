package io.ringkernel.message;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import io.ringkernel.message.Fixtures.Mixed;
import io.ringkernel.message.Fixtures.Point;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A C compiler lays the structs out that the records stand for, and agrees.
 */
class MessageLayoutCompilerTests {

	private static final String HEADER = """
			#include <stddef.h>
			#include <stdint.h>
			#include <stdio.h>
			struct variable { uint32_t offset; uint32_t length; };
			""";

	@TempDir
	private Path directory;

	@BeforeAll
	static void requireCompiler() throws Exception {
		assumeTrue(isCompilerPresent(), "no C compiler 'cc' on the path");
	}

	static List<Class<? extends Record>> types() {
		return Fixtures.ALL;
	}

	@ParameterizedTest
	@MethodSource("types")
	<T extends Record> void offsetsSizesAndAlignmentsAreThoseOfC(Class<T> type) throws Exception {
		MessageLayout<T> layout = MessageLayout.of(type);
		Map<String, String> structs = new LinkedHashMap<>();
		List<String> checks = new ArrayList<>();
		declare(type.getSimpleName(), layout.fields(), structs, checks);
		String struct = "struct " + type.getSimpleName();
		checks.add(check("sizeof(" + struct + ")", layout.fixedSize()));
		checks.add(check("_Alignof(" + struct + ")", layout.alignment()));
		compile(HEADER + String.join("", structs.values()) + String.join("", checks)
				+ "int main(void) { return 0; }\n");
	}

	@Test
	void wrongOffsetsWouldBeNoticed() throws Exception {
		String program = HEADER + "struct S { char a; long long b; };\n" + check("offsetof(struct S, b)", 1);
		assertThat(run(compiler(program))).contains("offsetof(struct S, b)");
	}

	@Test
	void aProgramInCReadsTheValuesThatJavaWrote() throws Exception {
		MessageLayout<Mixed> layout = MessageLayout.of(Mixed.class);
		Mixed message = new Mixed((byte) -1, Long.MIN_VALUE, true, new short[] { 1, -2, 3 }, (byte) 4,
				OptionalLong.of(1L << 40), null, new Point(-7, 0.5), 'ü');
		MessageBuffer buffer = MessageBuffer.allocate(layout.maxSize());
		layout.write(message, buffer, 0);
		byte[] encoded = new byte[layout.measure(message)];
		buffer.bytes().get(0, encoded);
		Files.write(this.directory.resolve("message"), encoded);
		Map<String, String> structs = new LinkedHashMap<>();
		declare("Mixed", layout.fields(), structs, new ArrayList<>());
		compile(HEADER + String.join("", structs.values()) + """
				int main(int count, char **arguments) {
					struct Mixed m;
					FILE *file = fopen(arguments[1], "rb");
					if (count != 2 || file == NULL || fread(&m, sizeof m, 1, file) != 1) return 1;
					printf("%d %lld %d %d %d %d %d %u %lld %u %d %d %g %d", m.a, (long long) m.b, m.c, m.d[0], m.d[1],
							m.d[2], m.e, m.f.present, (long long) m.f.value, m.g.present, m.g.value, m.h.x, m.h.y, m.i);
					return 0;
				}
				""");
		assertThat(run(
				List.of(this.directory.resolve("program").toString(), this.directory.resolve("message").toString())))
			.isEqualTo("-1 -9223372036854775808 1 1 -2 3 4 1 1099511627776 0 0 -7 0.5 252");
	}

	private static void declare(String name, List<Field> fields, Map<String, String> structs, List<String> checks) {
		if (structs.containsKey(name)) {
			return;
		}
		StringBuilder struct = new StringBuilder("struct " + name + " {\n");
		for (Field field : fields) {
			if (field.kind() == Field.Kind.RECORD) {
				declare(field.type().getSimpleName(), field.fields(), structs, checks);
			}
			struct.append("\t").append(member(field)).append(";\n");
			String path = "(struct " + name + ", " + field.name() + ")";
			checks.add(check("offsetof" + path, field.offset()));
			checks.add(check("sizeof ((struct " + name + " *) 0)->" + field.name(), field.size()));
			checks.add(check("_Alignof(__typeof__(((struct " + name + " *) 0)->" + field.name() + "))",
					field.alignment()));
			if (field.optional()) {
				checks.add(check("offsetof(struct " + name + ", " + field.name() + ".value)",
						field.offset() + field.alignment()));
			}
		}
		structs.put(name, struct.append("};\n").toString());
	}

	private static String member(Field field) {
		String type = (field.shape() == Field.Shape.VARIABLE) ? "struct variable" : typeInC(field);
		String extent = (field.shape() == Field.Shape.FIXED) ? "[" + field.count() + "]" : "";
		return field.optional() ? "struct { uint32_t present; " + type + " value" + extent + "; } " + field.name()
				: type + " " + field.name() + extent;
	}

	private static String typeInC(Field field) {
		return switch (field.kind()) {
			case BOOLEAN -> "_Bool";
			case BYTE -> "int8_t";
			case SHORT -> "int16_t";
			case CHAR -> "uint16_t";
			case INT, ENUM -> "int32_t";
			case LONG -> "int64_t";
			case FLOAT -> "float";
			case DOUBLE -> "double";
			case STRING -> "char";
			case RECORD -> "struct " + field.type().getSimpleName();
		};
	}

	private static String check(String expression, int value) {
		return "_Static_assert(%s == %d, \"%s is not %d\");\n".formatted(expression, value, expression, value);
	}

	private void compile(String program) throws Exception {
		assertThat(run(compiler(program))).isEmpty();
	}

	private List<String> compiler(String program) throws IOException {
		Path source = Files.writeString(this.directory.resolve("program.c"), program);
		return List.of("cc", "-std=gnu11", "-o", this.directory.resolve("program").toString(), source.toString());
	}

	private static boolean isCompilerPresent() throws InterruptedException {
		try {
			run(List.of("cc", "--version"));
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static String run(List<String> command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
		return output;
	}

}
