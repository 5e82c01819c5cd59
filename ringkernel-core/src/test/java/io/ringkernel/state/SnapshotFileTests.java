package io.ringkernel.state;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.ringkernel.exception.PartlyRestoredException;
import io.ringkernel.exception.SnapshotException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SnapshotFileTests {

	private static final int LARGE = KernelMemory.PIECE_BYTES / Integer.BYTES + 3;

	@TempDir
	private Path directory;

	private Path file;

	@BeforeEach
	void name() {
		this.file = this.directory.resolve("kernel.snapshot");
	}

	@Test
	void everyKindOfFieldComesBack() {
		Everything saved = new Everything();
		saved.fill();
		write("kernel", saved);
		Everything restored = new Everything();
		restore("kernel", restored);
		assertThat(restored.ints).isEqualTo(saved.ints);
		assertThat(restored).usingRecursiveComparison().ignoringFields("ints").isEqualTo(saved);
	}

	@Test
	void constantsAndTransientFieldsAreNoState() {
		assertThat(new HandlerState("kernel", new Everything()).fields()).extracting(StateField::name)
			.containsExactly("Base.inherited", "booleans", "bytes", "chars", "code", "doubles", "floats", "ints",
					"letter", "longs", "model.weights", "negative", "place", "rate", "shorts", "side");
	}

	@Test
	void aFieldThatCannotBeSavedIsRefusedByName() {
		assertThatExceptionOfType(SnapshotException.class)
			.isThrownBy(() -> new HandlerState("kernel", new WithMap(Map.of())))
			.withMessageContainingAll("'counts'", "java.util.Map", "Declare the field transient");
	}

	@Test
	void aFieldThatIsNullIsRefusedByName() {
		assertThatExceptionOfType(SnapshotException.class)
			.isThrownBy(() -> new HandlerState("kernel", new WithArray(null)))
			.withMessageContainingAll("'elements'", "null");
	}

	@Test
	void aSnapshotOfAnotherKernelIsRefused() {
		write("other", new WithArray(new int[2]));
		assertThatExceptionOfType(SnapshotException.class)
			.isThrownBy(() -> restore("kernel", new WithArray(new int[2])))
			.withMessageContainingAll("its kernel is other, and kernel is expected");
	}

	@Test
	void otherFieldsAreRefusedAndLeaveTheStateAlone() {
		write("kernel", new WithArray(new int[] { 1, 2, 3 }));
		WithArray shorter = new WithArray(new int[] { 7, 8 });
		assertThatExceptionOfType(SnapshotException.class).isThrownBy(() -> restore("kernel", shorter))
			.withMessageContainingAll("int[] of 12 B as 'elements'", "int[] of 8 B as 'elements'");
		assertThat(shorter.elements).containsExactly(7, 8);
	}

	@Test
	void everyFlippedByteIsFound() throws IOException {
		write("kernel", new WithArray(new int[] { 1, 2, 3 }));
		byte[] sound = Files.readAllBytes(this.file);
		for (int i = 0; i < sound.length; i++) {
			byte[] damaged = sound.clone();
			damaged[i] ^= 0x10;
			assertRefused(damaged);
		}
	}

	@Test
	void everyCutIsFound() throws IOException {
		write("kernel", new WithArray(new int[] { 1, 2, 3 }));
		byte[] sound = Files.readAllBytes(this.file);
		for (int length = 0; length < sound.length; length++) {
			assertRefused(Arrays.copyOf(sound, length));
		}
		assertRefused(Arrays.copyOf(sound, sound.length + 1));
	}

	private void assertRefused(byte[] content) throws IOException {
		Files.write(this.file, content);
		WithArray untouched = new WithArray(new int[] { 7, 8, 9 });
		assertThatExceptionOfType(SnapshotException.class).isThrownBy(() -> restore("kernel", untouched));
		assertThat(untouched.elements).containsExactly(7, 8, 9);
	}

	@Test
	void aSnapshotThatIsNotCommittedLeavesTheOneBefore() throws IOException {
		write("kernel", new WithArray(new int[] { 1 }));
		byte[] before = Files.readAllBytes(this.file);
		try (SnapshotWriter abandoned = new SnapshotWriter("kernel", this.file)) {
			abandoned.write(new HandlerState("kernel", new WithArray(new int[] { 2 })));
		}
		assertThat(this.file).hasBinaryContent(before);
		assertThat(this.directory).isDirectoryNotContaining("glob:**.draft");
	}

	@Test
	void writersOfTheSameFileLeaveEachOtherAlone() {
		WithArray restored = new WithArray(new int[1]);
		try (SnapshotWriter first = new SnapshotWriter("kernel", this.file);
				SnapshotWriter second = new SnapshotWriter("kernel", this.file)) {
			first.write(new HandlerState("kernel", new WithArray(new int[] { 1 })));
			first.commit();
			second.write(new HandlerState("kernel", new WithArray(new int[] { 2 })));
			restore("kernel", restored);
			assertThat(restored.elements).containsExactly(1);
			second.commit();
		}
		restore("kernel", restored);
		assertThat(restored.elements).containsExactly(2);
		assertThat(this.directory).isDirectoryNotContaining("glob:**.draft");
	}

	@Test
	void aFileThatGrowsWhileItIsReadIsRefused() throws IOException {
		write("kernel", new WithArray(new int[] { 1, 2, 3 }));
		byte[] sound = Files.readAllBytes(this.file);
		Files.write(this.file, Arrays.copyOf(sound, SnapshotWriter.PREFIX_BYTES));
		try (RandomAccessFile content = new RandomAccessFile(this.file.toFile(), "r");
				SnapshotFile growing = new SnapshotFile("kernel", this.file, content)) {
			Files.write(this.file, sound);
			assertThatExceptionOfType(SnapshotException.class).isThrownBy(growing::check)
				.withMessageContaining("it ends at 16 B");
		}
	}

	@Test
	void anInterruptDoesNotLeaveTheHalfOfAState() {
		int[] saved = IntStream.range(0, LARGE).toArray();
		write("kernel", new WithArray(saved));
		WithArray restored = new WithArray(new int[LARGE]);
		restoreWith(restored, () -> Thread.currentThread().interrupt());
		assertThat(Thread.interrupted()).isTrue();
		assertThat(restored.elements).isEqualTo(saved);
	}

	@Test
	void aFileThatIsCutWhileItIsRestoredLeavesPartsOfTwoStatesAndSaysSo() {
		write("kernel", new WithArray(new int[LARGE]));
		assertThatExceptionOfType(PartlyRestoredException.class)
			.isThrownBy(() -> restoreWith(new WithArray(new int[LARGE]), () -> {
				try {
					Files.write(this.file, new byte[1]);
				}
				catch (IOException ex) {
					throw new IllegalStateException(ex);
				}
			}))
			.withMessageContainingAll("kernel.snapshot", "cut while it was read", "Relaunch the kernel");
	}

	/** Does something once the first piece is restored. */
	private void restoreWith(WithArray handler, Runnable behindTheFirst) {
		KernelMemory memory = new HandlerState("kernel", handler);
		try (SnapshotFile snapshot = SnapshotFile.open("kernel", this.file)) {
			snapshot.restore(new KernelMemory() {

				@Override
				public List<StateField> fields() {
					return memory.fields();
				}

				@Override
				public void read(int field, long offset, ByteBuffer target) {
					memory.read(field, offset, target);
				}

				@Override
				public void write(int field, long offset, ByteBuffer source) {
					memory.write(field, offset, source);
					if (offset == 0) {
						behindTheFirst.run();
					}
				}

			});
		}
	}

	@Test
	void aDirectoryThatIsNotThereIsNamed() {
		Path missing = this.directory.resolve("missing").resolve("kernel.snapshot");
		assertThatExceptionOfType(SnapshotException.class).isThrownBy(() -> new SnapshotWriter("kernel", missing))
			.withMessageContainingAll(missing.toString(), "directory exists");
	}

	private void write(String kernelId, Object handler) {
		try (SnapshotWriter writer = new SnapshotWriter(kernelId, this.file)) {
			writer.write(new HandlerState(kernelId, handler));
			writer.commit();
		}
	}

	private void restore(String kernelId, Object handler) {
		try (SnapshotFile snapshot = SnapshotFile.open(kernelId, this.file)) {
			snapshot.restore(new HandlerState(kernelId, handler));
		}
	}

	enum Side {

		BUY, SELL

	}

	record Place(double x, Side side, char letter) {
	}

	record Model(String name, float[] weights) {
	}

	private static class Base {

		private long inherited;

		void fill() {
			this.inherited = Long.MIN_VALUE;
		}

	}

	private static final class Everything extends Base {

		private final int limit = List.of(1, 2).size();

		private final String name = "x";

		private final Side fixed = Side.BUY;

		private final transient Map<String, String> cache = Map.of();

		private final Model model = new Model("m", new float[3]);

		private final boolean[] booleans = new boolean[3];

		private final byte[] bytes = new byte[3];

		private final short[] shorts = new short[3];

		private final char[] chars = new char[3];

		private final int[] ints = new int[LARGE];

		private final long[] longs = new long[3];

		private final float[] floats = new float[3];

		private final double[] doubles = new double[3];

		private Side side = Side.BUY;

		private Place place = new Place(0, Side.BUY, 'a');

		private int negative;

		private short code;

		private char letter;

		private float rate;

		@Override
		void fill() {
			super.fill();
			this.model.weights[2] = Float.MIN_VALUE;
			this.booleans[1] = true;
			this.bytes[2] = -1;
			this.shorts[2] = Short.MIN_VALUE;
			this.chars[2] = '\uffff';
			Arrays.setAll(this.ints, (i) -> i * 31);
			this.longs[2] = -2;
			this.floats[1] = -0.0f;
			this.doubles[1] = Double.MAX_VALUE;
			this.side = Side.SELL;
			this.place = new Place(-1.5, Side.SELL, 'z');
			this.negative = -7;
			this.code = -3;
			this.letter = '\u8000';
			this.rate = -2.5f;
		}

	}

	private static final class WithMap {

		private final Map<String, Integer> counts;

		WithMap(Map<String, Integer> counts) {
			this.counts = counts;
		}

	}

	private static final class WithArray {

		private final int[] elements;

		WithArray(int[] elements) {
			this.elements = elements;
		}

	}

}
