package io.ringkernel.test.ptx.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/** Reads a module: its directives, variables and functions. */
final class PtxParser {

	private static final Set<String> LINKAGE = Set.of(".visible", ".extern", ".weak", ".common");

	private static final Set<String> UNTIL_NEXT = Set.of(".maxntid", ".minnctapersm", ".maxnreg", ".reqntid",
			".noreturn");

	private final Tokens tokens;

	private final Scope module = new Scope(null);

	private final List<Variable> variables = new ArrayList<>();

	private final Map<String, PtxFunction> functions = new LinkedHashMap<>();

	PtxParser(Tokens tokens) {
		this.tokens = tokens;
	}

	PtxText parse() {
		while (this.tokens.hasNext()) {
			String token = this.tokens.take();
			switch (token) {
				case ".version", ".target", ".address_size" -> skipDirective(token);
				case ".pragma" -> this.tokens.skipPast(";");
				case ".section" -> this.tokens.skipPast("}");
				case ".func" -> function(false);
				case ".entry" -> function(true);
				default -> other(token);
			}
		}
		return new PtxText(this.variables, this.functions);
	}

	private void skipDirective(String directive) {
		do {
			this.tokens.take();
		}
		while (directive.equals(".target") && this.tokens.takeIf(","));
	}

	private void other(String token) {
		Space space = token.startsWith(".") ? Space.named(token.substring(1)) : null;
		if (space != null) {
			this.variables.addAll(new Declarations(this.tokens, this.module).variables(space));
		}
		else if (!LINKAGE.contains(token)) {
			throw new PtxSyntaxException(this.tokens.line(), "'%s' is not supported in a module".formatted(token));
		}
	}

	private void function(boolean entry) {
		Scope names = new Scope(this.module);
		Declarations declarations = new Declarations(this.tokens, names);
		List<Variable> results = declarations.parameters();
		String name = this.tokens.take();
		int line = this.tokens.line();
		List<Variable> parameters = declarations.parameters();
		while (UNTIL_NEXT.contains(this.tokens.peek())) {
			skipBounds();
		}
		if (this.tokens.takeIf(";")) {
			return;
		}
		this.tokens.expect("{");
		FunctionBody body = new FunctionBody(this.tokens, names, this.variables);
		List<Statement> statements = body.parse();
		@Nullable PtxFunction before = this.functions.put(name,
				new PtxFunction(name, entry, line, results, parameters, body.locals(), statements));
		if (before != null) {
			throw new PtxSyntaxException(line, "'%s' is defined in line %d as well".formatted(name, before.line()));
		}
	}

	private void skipBounds() {
		this.tokens.take();
		while (Numbers.begins(this.tokens.peek()) || this.tokens.peek().equals(",")) {
			this.tokens.take();
		}
	}

}
