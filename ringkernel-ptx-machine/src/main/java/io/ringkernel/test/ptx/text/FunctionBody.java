package io.ringkernel.test.ptx.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.ringkernel.test.ptx.text.Operand.Address;
import io.ringkernel.test.ptx.text.Operand.Name;
import io.ringkernel.test.ptx.text.Operand.Not;
import io.ringkernel.test.ptx.text.Operand.Pair;
import io.ringkernel.test.ptx.text.Operand.Vector;
import org.jspecify.annotations.Nullable;

/** Reads what stands between the braces of a function. */
final class FunctionBody {

	private final Tokens tokens;

	/**
	 * Takes the shared variables, which a block has once, whatever function names them.
	 */
	private final List<Variable> module;

	private final List<Variable> locals = new ArrayList<>();

	private final List<Statement> statements = new ArrayList<>();

	private final Scope outermost;

	private Scope scope;

	FunctionBody(Tokens tokens, Scope names, List<Variable> module) {
		this.tokens = tokens;
		this.outermost = new Scope(names);
		this.scope = this.outermost;
		this.module = module;
	}

	/** Reads up to the brace that ends the function. */
	List<Statement> parse() {
		while (true) {
			String token = this.tokens.take();
			if (token.equals("{")) {
				this.scope = new Scope(this.scope);
			}
			else if (token.equals("}")) {
				if (this.scope == this.outermost) {
					return this.statements;
				}
				this.scope = Objects.requireNonNull(this.scope.around());
			}
			else if (token.startsWith(".")) {
				directive(token);
			}
			else if (this.tokens.takeIf(":")) {
				label(token);
			}
			else {
				statement(token);
			}
		}
	}

	List<Variable> locals() {
		return this.locals;
	}

	private void directive(String token) {
		Space space = Space.named(token.substring(1));
		if (space != null) {
			List<Variable> declared = new Declarations(this.tokens, this.scope).variables(space);
			if (space == Space.SHARED || space == Space.GLOBAL || space == Space.CONST) {
				this.module.addAll(declared);
			}
			if (space == Space.LOCAL) {
				this.locals.addAll(declared);
			}
		}
		else if (token.equals(".pragma")) {
			this.tokens.skipPast(";");
		}
		else {
			throw new PtxSyntaxException(this.tokens.line(), "'%s' is not supported in a function".formatted(token));
		}
	}

	private void label(String name) {
		if (!this.tokens.takeIf(".branchtargets")) {
			this.scope.label(name, this.statements.size());
			return;
		}
		List<String> targets = new ArrayList<>();
		do {
			targets.add(this.tokens.take());
		}
		while (this.tokens.takeIf(","));
		this.tokens.expect(";");
		this.scope.table(name, targets);
	}

	private void statement(String first) {
		int line = this.tokens.line();
		String word = first;
		@Nullable String guard = null;
		boolean negated = false;
		if (word.equals("@")) {
			negated = this.tokens.takeIf("!");
			guard = this.tokens.take();
			word = this.tokens.take();
		}
		List<Operand> operands = new ArrayList<>();
		while (!this.tokens.takeIf(";")) {
			operands.add(operand());
			this.tokens.takeIf(",");
		}
		this.statements.add(new Statement(line, guard, negated, List.of(word.split("\\.")), operands, this.scope));
	}

	private Operand operand() {
		String token = this.tokens.take();
		return switch (token) {
			case "[" -> address();
			case "{" -> vector("}");
			case "(" -> vector(")");
			case "!" -> new Not(this.tokens.take());
			case "-" -> Numbers.literal(this.tokens.take(), true);
			default -> Numbers.begins(token) ? Numbers.literal(token, false) : name(token);
		};
	}

	private Operand name(String token) {
		if (this.tokens.takeIf("|")) {
			return new Pair(token, this.tokens.take());
		}
		return new Name(token, offset());
	}

	private Operand address() {
		String base = this.tokens.take();
		Address address = Numbers.begins(base) ? new Address(null, Numbers.integer(base)) : new Address(base, offset());
		this.tokens.expect("]");
		return address;
	}

	private long offset() {
		boolean plus = this.tokens.takeIf("+");
		if (this.tokens.takeIf("-")) {
			return -Numbers.integer(this.tokens.take());
		}
		return plus ? Numbers.integer(this.tokens.take()) : 0;
	}

	private Operand vector(String end) {
		List<Operand> elements = new ArrayList<>();
		while (!this.tokens.takeIf(end)) {
			elements.add(operand());
			this.tokens.takeIf(",");
		}
		return new Vector(elements);
	}

}
