package io.ringkernel;

import java.util.List;

import io.ringkernel.state.HandlerState;
import io.ringkernel.state.StateField;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Handlers behind one another are one.
 */
class PipelineTests {

	private final RingKernelHandler<Text, Length> measure = (text) -> new Length(text.value().length());

	@Test
	void aResponseIsTheRequestOfTheNextHandler() throws Exception {
		assertThat(this.measure.andThen(new Halved()).andThen(new Halved()).handle(new Text("nine characters")))
			.isEqualTo(new Length(3));
	}

	@Test
	void whatAStageThrowsIsThrown() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.measure.andThen((length) -> {
			throw new IllegalArgumentException("too long: " + length);
		}).handle(new Text("abc"))).withMessage("too long: Length[value=3]");
	}

	@Test
	void aStageThatAnswersNothingIsBlamed() {
		RingKernelHandler<Text, Length> silent = (text) -> null;
		assertThatNullPointerException().isThrownBy(() -> silent.andThen(new Halved()).handle(new Text("")))
			.withMessage("The handler of a stage of the pipeline returned null");
	}

	@Test
	void aStageMustBeThere() {
		assertThatNullPointerException().isThrownBy(() -> this.measure.andThen(null)).withMessage("next");
	}

	@Test
	void theStateIsThatOfAllStages() {
		Halved twice = new Halved();
		HandlerState state = new HandlerState("kernel", this.measure.andThen(twice).andThen(twice));
		assertThat(state.fields()).isEqualTo(List.of(new StateField("first.next.requests", "int", 8)));
	}

	record Text(@Capacity(16) String value) {
	}

	record Length(int value) {
	}

	static final class Halved implements RingKernelHandler<Length, Length> {

		private int requests;

		@Override
		public Length handle(Length request) {
			this.requests++;
			return new Length(request.value() / 2);
		}

	}

}
