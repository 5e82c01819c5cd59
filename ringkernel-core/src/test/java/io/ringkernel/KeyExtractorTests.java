package io.ringkernel;

import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.routing.KeyExtractor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class KeyExtractorTests {

	@Test
	void anIntegerIsItsOwnKey() {
		assertThat(KeyExtractor.ofComponent(OfLong.class).keyOf(new OfLong(0.5, 1L << 40))).isEqualTo(1L << 40);
		assertThat(KeyExtractor.ofComponent(OfChar.class).keyOf(new OfChar('a'))).isEqualTo('a');
		assertThat(KeyExtractor.ofComponent(OfByte.class).keyOf(new OfByte((byte) -1))).isEqualTo(-1);
	}

	@Test
	void equalStringsHaveEqualKeys() {
		KeyExtractor<OfString> key = KeyExtractor.ofComponent(OfString.class);
		assertThat(key.keyOf(new OfString("card-1"))).isEqualTo("card-1".hashCode());
		assertThat(key.keyOf(new OfString(null))).isZero();
	}

	@Test
	void theKeyOfAnEnumConstantIsTheSameInEveryProcess() {
		KeyExtractor<OfEnum> key = KeyExtractor.ofComponent(OfEnum.class);
		assertThat(key.keyOf(new OfEnum(Region.SOUTH))).isEqualTo("SOUTH".hashCode());
	}

	@Test
	void anAccessorThatFailsIsNotHidden() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> KeyExtractor.ofComponent(Failing.class).keyOf(new Failing(1)));
	}

	@Test
	void aRecordWithoutAKeyIsRefused() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> KeyExtractor.ofComponent(None.class))
			.withMessage("routing = key needs one component with @RingKernelKey, and %s has 0. "
				.formatted(None.class.getName())
					+ "Annotate one component that is an integer, a String or an enum, or name a KeyExtractor.");
	}

	@Test
	void aRecordWithTwoKeysIsRefused() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> KeyExtractor.ofComponent(Two.class))
			.withMessageContaining("has 2");
	}

	@Test
	void aComponentWhoseEqualValuesMayDifferIsRefused() {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> KeyExtractor.ofComponent(OfDouble.class))
			.withMessageContaining(
					"cannot use the component 'key' of %s, whose type is double".formatted(OfDouble.class.getName()));
	}

	record OfLong(double other, @RingKernelKey long key) {
	}

	record OfChar(@RingKernelKey char key) {
	}

	record OfByte(@RingKernelKey byte key) {
	}

	@SuppressWarnings("NullAway")
	record OfString(@RingKernelKey String key) {
	}

	record OfEnum(@RingKernelKey Region key) {
	}

	record OfDouble(@RingKernelKey double key) {
	}

	record None(long key) {
	}

	record Two(@RingKernelKey int first, @RingKernelKey int second) {
	}

	record Failing(@RingKernelKey int key) {

		@Override
		public int key() {
			throw new UnsupportedOperationException("asked to fail");
		}

	}

	enum Region {

		NORTH, SOUTH

	}

}
