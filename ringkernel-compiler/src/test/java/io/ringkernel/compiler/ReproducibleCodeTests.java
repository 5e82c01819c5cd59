package io.ringkernel.compiler;

import java.util.List;
import java.util.regex.Pattern;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A handler becomes the same text in every process: a driver keeps the machine code of a
 * text that it has compiled before.
 */
class ReproducibleCodeTests {

	private static final Pattern CONSTANTS = Pattern.compile("ringkernel_handler_constants\\[\\d+] = \\{(.*)}");

	@Test
	void textsThatBranchesChooseLieInTheOrderOfTheirVariables() {
		MessageLayout<Number> layout = MessageLayout.of(Number.class);
		String ptx = HandlerCompiler.compile(new Chosen(), layout, layout).ptx();
		List<String> letters = CONSTANTS.matcher(ptx)
			.results()
			.flatMap((found) -> Pattern.compile(", ").splitAsStream(found.group(1)))
			.filter((number) -> !number.equals("0"))
			.map((number) -> Character.toString(Integer.parseInt(number)))
			.toList();
		assertThat(letters).containsExactly("a", "b", "c", "d", "e", "f", "g", "h");
	}

	record Number(int value) {
	}

	static final class Chosen implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			String first = "a";
			String second = "b";
			String third = "c";
			String fourth = "d";
			if (request.value() > 0) {
				first = "e";
				second = "f";
				third = "g";
				fourth = "h";
			}
			return new Number(first.hashCode() + second.hashCode() + third.hashCode() + fourth.hashCode());
		}

	}

}
