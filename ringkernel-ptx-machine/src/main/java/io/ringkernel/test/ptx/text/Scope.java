package io.ringkernel.test.ptx.text;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The names between two braces. Names within hide those around.
 *
 * @since 0.2.0
 */
public final class Scope {

	private final @Nullable Scope around;

	private final Map<String, Variable> variables = new HashMap<>();

	private final Map<String, Integer> labels = new HashMap<>();

	private final Map<String, List<String>> tables = new HashMap<>();

	Scope(@Nullable Scope around) {
		this.around = around;
	}

	@Nullable Scope around() {
		return this.around;
	}

	void declare(Variable variable) {
		this.variables.put(variable.name(), variable);
	}

	void label(String name, int statement) {
		this.labels.put(name, statement);
	}

	void table(String name, List<String> targets) {
		this.tables.put(name, targets);
	}

	/** Finds a variable. */
	public @Nullable Variable variable(String name) {
		Variable found = this.variables.get(name);
		return (found != null || this.around == null) ? found : this.around.variable(name);
	}

	/**
	 * Finds a label.
	 * @return the number of the statement behind it, or {@code null} if there is none
	 */
	public @Nullable Integer statement(String name) {
		Integer found = this.labels.get(name);
		return (found != null || this.around == null) ? found : this.around.statement(name);
	}

	/** Finds a list of targets. */
	public @Nullable List<String> targets(String name) {
		List<String> found = this.tables.get(name);
		return (found != null || this.around == null) ? found : this.around.targets(name);
	}

}
