package io.ringkernel.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The source of random records with components of every type; some are nested in others.
 */
final class RandomRecords {

	private static final String[] PRIMITIVES = { "boolean", "byte", "short", "char", "int", "long", "float", "double" };

	private static final String[] BOXES = { "Boolean", "Byte", "Character", "Integer", "Long" };

	private static final String[] OPTIONALS = { "OptionalInt", "OptionalLong", "OptionalDouble", "Optional<Kind>",
			"Optional<Long>", "@Capacity(6) Optional<String>" };

	private final Random random;

	private final List<String> names = new ArrayList<>();

	/** Those without variable parts, which can be elements. */
	private final List<String> fixed = new ArrayList<>();

	private final StringBuilder source = new StringBuilder("""
			import io.ringkernel.Capacity;
			import io.ringkernel.Length;
			import java.util.*;
			import org.jspecify.annotations.Nullable;
			enum Kind { ONE, TWO, THREE }
			""");

	private boolean variable;

	RandomRecords(long seed, int count) {
		this.random = new Random(seed);
		for (int i = 0; i < count; i++) {
			declare("R" + i);
		}
	}

	private void declare(String name) {
		List<String> components = new ArrayList<>();
		this.variable = this.random.nextInt(3) > 0;
		int count = 1 + this.random.nextInt(9);
		for (int i = 0; i < count; i++) {
			components.add(component() + " c" + i);
		}
		this.source.append("record %s(%s) {}\n".formatted(name, String.join(", ", components)));
		this.names.add(name);
		if (!this.variable) {
			this.fixed.add(name);
		}
	}

	private String component() {
		return switch (this.random.nextInt(10)) {
			case 0 -> "Kind";
			case 1 -> "@Nullable " + any(BOXES);
			case 2 -> this.variable ? any(OPTIONALS) : OPTIONALS[this.random.nextInt(5)];
			case 3 -> this.variable ? "@Capacity(20) String" : "@Nullable Kind";
			case 4 -> array(any(PRIMITIVES));
			case 5 -> this.fixed.isEmpty() ? "int" : array(any(this.fixed));
			case 6 -> nested();
			default -> any(PRIMITIVES);
		};
	}

	private String array(String element) {
		String bound = this.variable && this.random.nextBoolean() ? "@Capacity(5) " : "@Length(3) ";
		return bound + element + (this.random.nextInt(4) == 0 ? " @Nullable []" : "[]");
	}

	private String nested() {
		List<String> candidates = this.variable ? this.names : this.fixed;
		String nullable = this.random.nextBoolean() ? "@Nullable " : "";
		return candidates.isEmpty() ? "long" : nullable + candidates.get(candidates.size() - 1);
	}

	private String any(String[] choices) {
		return choices[this.random.nextInt(choices.length)];
	}

	private String any(List<String> choices) {
		return choices.get(this.random.nextInt(choices.size()));
	}

	String source() {
		return this.source.toString();
	}

	String[] names() {
		return this.names.toArray(String[]::new);
	}

}
