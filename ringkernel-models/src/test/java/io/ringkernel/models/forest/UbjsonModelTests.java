package io.ringkernel.models.forest;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import io.ringkernel.models.TrainedModel;
import io.ringkernel.models.kernel.EnsembleImage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link UbjsonModel}, beside the same models in JSON.
 */
class UbjsonModelTests {

	private static final List<Arguments> MODELS = List.of(
			arguments("logistic", TrainedModel.train("binary:logistic", 9, 20, 5, Map.of("base_score", 0.2))),
			arguments("softprob", TrainedModel.train("multi:softprob", 6, 7, 4, Map.of("num_class", 3))),
			arguments("categories", TrainedModel.train("reg:squarederror", 6, 3, 20, 5, Map.of())),
			arguments("one leaf", TrainedModel.train("reg:squarederror", 3, 2, 1, Map.of("gamma", 1e30))));

	static Stream<Arguments> models() {
		return MODELS.stream();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("models")
	void readsTheSameForestAsFromJson(String name, TrainedModel model) throws IOException {
		byte[] file = model.file("ubj");
		assertThat(UbjsonModel.begins(file)).isTrue();
		assertThat(UbjsonModel.begins(model.file("json"))).isFalse();
		assertThat(forest(file)).usingRecursiveComparison()
			.withEqualsForType(Double::equals, Double.class)
			.isEqualTo(forest(model.file("json")));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("models")
	void refusesAFileThatIsTruncated(String name, TrainedModel model) {
		byte[] file = model.file("ubj");
		for (int length = 2; length < file.length; length += 1 + file.length / 300) {
			byte[] truncated = Arrays.copyOf(file, length);
			assertThatExceptionOfType(InvalidModelException.class).as("%d bytes", length)
				.isThrownBy(() -> forest(truncated))
				.withMessageMatching("Before byte [0-9]+ of " + length + ", .* truncated\\.");
		}
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("models")
	void aDamagedFileIsRefusedOrRead(String name, TrainedModel model) throws IOException {
		byte[] file = model.file("ubj");
		Random random = new Random(5);
		int refused = 0;
		for (int i = 0; i < 1000; i++) {
			byte[] damaged = file.clone();
			damaged[random
				.nextInt(i % 2 == 0 ? file.length : Math.min(500, file.length))] ^= (byte) (1 << random.nextInt(8));
			try {
				EnsembleImage.of(forest(damaged));
			}
			catch (InvalidModelException ex) {
				refused++;
			}
		}
		assertThat(refused).isBetween(50, 950);
	}

	@Test
	void takesNumbersOfAllTypes() throws IOException {
		ModelDocument document = UbjsonModel.read(file((out) -> {
			name(out, "list").writeBytes("[i");
			out.writeByte(-1);
			out.writeBytes("U");
			out.writeByte(255);
			out.writeBytes("I");
			out.writeShort(300);
			out.writeBytes("L");
			out.writeLong(70_000);
			out.writeBytes("d");
			out.writeFloat(0.5f);
			out.writeBytes("D");
			out.writeDouble(0.25);
			out.writeBytes("TF]");
			name(out, "counted").writeBytes("[#i");
			out.writeByte(2);
			out.writeBytes("l");
			out.writeInt(3);
			out.writeBytes("U");
			out.writeByte(4);
			name(out, "number").writeBytes("I");
			out.writeShort(-7);
			name(out, "empty").writeBytes("[]");
		}));
		assertThat(document.floats("list")).containsExactly(-1, 255, 300, 70_000, 0.5f, 0.25f, 1, 0);
		assertThat(document.floats("counted")).containsExactly(3, 4);
		assertThat(document.integer("number")).isEqualTo(-7);
		assertThat(document.floats("empty")).isEmpty();
		assertThat(document.objects("empty")).isEmpty();
	}

	@Test
	void refusesAnIntegerThatAFloatDoesNotHold() throws IOException {
		byte[] file = file((out) -> {
			name(out, "children").writeBytes("[$l#i");
			out.writeByte(2);
			out.writeInt((1 << 24) - 1);
			out.writeInt((1 << 24) + 1);
		});
		assertThatExceptionOfType(InvalidModelException.class)
			.isThrownBy(() -> UbjsonModel.read(file).integers("children"))
			.withMessageContaining("children[1]")
			.withMessageContaining("at most 16777215");
	}

	@Test
	void refusesALengthThatTheFileDoesNotHave() throws IOException {
		byte[] file = file((out) -> {
			name(out, "values").writeBytes("[$d#L");
			out.writeLong(Long.MAX_VALUE);
		});
		assertThatExceptionOfType(InvalidModelException.class).isThrownBy(() -> UbjsonModel.read(file))
			.withMessageContaining("Before byte 22 of 23, a length is 9223372036854775807, and 1 bytes follow");
	}

	@Test
	void refusesTooDeepANesting() throws IOException {
		byte[] file = file((out) -> name(out, "values").writeBytes("[".repeat(100_000)));
		assertThatExceptionOfType(InvalidModelException.class).isThrownBy(() -> UbjsonModel.read(file))
			.withMessageContaining("more than 32 deep");
	}

	private interface Writing {

		void to(DataOutputStream out) throws IOException;

	}

	private static byte[] file(Writing content) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		DataOutputStream out = new DataOutputStream(bytes);
		out.writeByte('{');
		content.to(out);
		out.writeByte('}');
		return bytes.toByteArray();
	}

	private static DataOutputStream name(DataOutputStream out, String name) throws IOException {
		out.writeByte('i');
		out.writeByte(name.length());
		out.write(name.getBytes(StandardCharsets.US_ASCII));
		return out;
	}

	private static Forest forest(byte[] file) throws IOException {
		return ForestReader.read(new ByteArrayInputStream(file));
	}

}
