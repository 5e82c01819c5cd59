package io.ringkernel.message;

import io.ringkernel.Capacity;
import io.ringkernel.Length;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where the bound of an array may stand. Compilers of other languages do not annotate
 * record components.
 */
class BoundPlacementTests {

	@Test
	void aBoundMayStandAtTheParameterOfTheCanonicalConstructor() {
		assertThat(MessageLayout.of(AtParameter.class).maxSize())
			.isEqualTo(MessageLayout.of(AtComponent.class).maxSize());
	}

	@Test
	void aBoundMayStandAtTheAccessor() {
		assertThat(MessageLayout.of(AtAccessor.class).maxSize())
			.isEqualTo(MessageLayout.of(AtComponent.class).maxSize());
	}

	record AtComponent(int id, @Capacity(4) float[] values, @Length(3) int[] point) {
	}

	record AtParameter(int id, float[] values, int[] point) {

		AtParameter(int id, @Capacity(4) float[] values, @Length(3) int[] point) {
			this.id = id;
			this.values = values;
			this.point = point;
		}

	}

	record AtAccessor(int id, float[] values, int[] point) {

		@Override
		@Capacity(4)
		public float[] values() {
			return this.values;
		}

		@Override
		@Length(3)
		public int[] point() {
			return this.point;
		}

	}

}
