package io.ringkernel.compiler;

import java.util.List;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.HandlerListing.Line;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link HandlerListing}.
 */
class HandlerListingTests {

	@Test
	void instructionsStandBesideTheLineThatTheyComeFrom() {
		HandlerListing listing = listing(new Product());
		assertThat(listing.handler()).isEqualTo(Product.class.getName() + ".handle");
		assertThat(listing.lines())
			.filteredOn((line) -> line.ptx().stream().anyMatch((it) -> it.startsWith("mul.lo.s32")))
			.singleElement()
			.satisfies((line) -> assertThat(line.source()).matches(".*HandlerListingTests\\$Product\\.handle:\\d+"));
	}

	@Test
	void aHandlerIsCompiledOnceForItsKernelAndAllListings() {
		Product handler = new Product();
		assertThat(compiled(handler)).isSameAs(compiled(handler)).isNotSameAs(compiled(new Product()));
	}

	@Test
	void noDeclarationIsListed() {
		List<String> instructions = listing(new Product()).lines()
			.stream()
			.flatMap((line) -> line.ptx().stream())
			.toList();
		assertThat(instructions).isNotEmpty().noneMatch((it) -> it.startsWith(".reg"));
	}

	@Test
	void aLineWhoseInstructionsLieApartComesAgain() {
		String text = """
				.visible .func ringkernel_handle(.param .b64 call)
				{
					.reg .b64 %rd1;
					ld.param.u64 %rd1, [call];
					// A.handle:1
					add.u64 %rd1, %rd1, 1;
					// A.handle:2
					// A.handle:3
					{
					call.uni f;
					}
					// A.handle:1
					ret;
				}
				""";
		assertThat(HandlerListing.lines(text)).containsExactly(new Line("", List.of("ld.param.u64 %rd1, [call];")),
				new Line("A.handle:1", List.of("add.u64 %rd1, %rd1, 1;")),
				new Line("A.handle:3", List.of("{", "call.uni f;", "}")), new Line("A.handle:1", List.of("ret;")));
	}

	@Test
	void aHandlerThatIsRefusedSaysWhy() {
		assertThatExceptionOfType(HandlerRefusedException.class).isThrownBy(() -> listing((request) -> {
			Thread.yield();
			return request;
		})).withMessageContaining("java.lang.Thread.yield is called. Call methods of your own");
	}

	private static HandlerListing listing(RingKernelHandler<Factors, Factors> handler) {
		MessageLayout<Factors> layout = MessageLayout.of(Factors.class);
		return HandlerListing.of(handler, layout, layout);
	}

	private static CompiledHandler compiled(Product handler) {
		MessageLayout<Factors> layout = MessageLayout.of(Factors.class);
		return HandlerCompiler.compile(handler, layout, layout);
	}

	record Factors(int a, int b) {
	}

	static final class Product implements RingKernelHandler<Factors, Factors> {

		@Override
		public Factors handle(Factors request) {
			int product = request.a() * request.b();
			return new Factors(product, 1);
		}

	}

}
