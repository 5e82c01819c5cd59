package io.ringkernel.cuda.codegen.example;

import io.ringkernel.Capacity;

public record Order(Side side, @Capacity(16) Line[] lines) {

	public enum Side {

		BUY, SELL

	}

	public record Line(int price, int quantity) {
	}

}
