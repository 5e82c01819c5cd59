package io.ringkernel.compiler.bytecode;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

import io.ringkernel.HandlerRefusedException;
import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.Type;
import io.ringkernel.compiler.ir.WorkerFunction;
import org.jspecify.annotations.Nullable;

/**
 * What all methods of a handler share while they are translated: the code, the registers
 * that the function begins with, and where in the source it is.
 */
final class Translation {

	/** Far more than a handler has that is worth a device. */
	private static final int MAX_INSTRUCTIONS = 100_000;

	final Code code = new Code();

	final Register call = this.code.register(Type.ADDRESS);

	final Register in = this.code.register(Type.ADDRESS);

	final Register out = this.code.register(Type.ADDRESS);

	final Register lane;

	final Register lanes;

	/** Holds for the first thread. */
	final Register isFirst;

	final Failures failures;

	final Classes classes;

	final Object handler;

	/** The methods that are being translated, the innermost first. */
	private final Deque<Site> sites = new ArrayDeque<>();

	/** The thread's work in the parallel part that is being translated, if one is. */
	private @Nullable Lane work;

	Translation(Classes classes, Object handler) {
		this.classes = classes;
		this.handler = handler;
		this.lane = this.code.call(WorkerFunction.LANE, this.call);
		this.lanes = this.code.call(WorkerFunction.LANES, this.call);
		this.isFirst = this.code.compare(Comparison.EQ, this.lane, Constant.ZERO);
		this.failures = new Failures(this);
	}

	@Nullable Lane work() {
		return this.work;
	}

	/** Translates what each thread does for itself. */
	<T> T inParallel(Lane work, Supplier<T> body) {
		Lane outer = this.work;
		this.work = work;
		try {
			return body.get();
		}
		finally {
			this.work = outer;
		}
	}

	boolean isParallel() {
		return this.work != null;
	}

	/** Who stores: each thread in a parallel part, else the first. */
	@Nullable Register guard() {
		return isParallel() ? null : this.isFirst;
	}

	void enter(Method method) {
		for (Site site : this.sites) {
			if (site.method().node().equals(method.node())) {
				throw refuse("%s calls itself".formatted(method.node().name), "Write a loop.");
			}
		}
		if (this.code.instructions().size() > MAX_INSTRUCTIONS) {
			throw refuse("the handler has more than %d instructions with all that it calls".formatted(MAX_INSTRUCTIONS),
					"Call less from it.");
		}
		this.sites.push(new Site(method));
	}

	void leave() {
		this.sites.pop();
	}

	/** The code that follows is of a line. */
	void line(int line) {
		Site site = this.sites.getFirst();
		site.line = line;
		if (!site.method().isPlatform()) {
			this.code.add(new Instruction.Source(
					"%s.%s:%d".formatted(site.method().className(), site.method().node().name, line)));
		}
	}

	/** Where the handler's own code is. */
	Site site() {
		return this.sites.stream()
			.filter((site) -> !site.method().isPlatform())
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("no method is being translated"));
	}

	/**
	 * Refuses the handler.
	 * @param reason what cannot be done: a clause
	 * @param remedy what to do instead: a sentence
	 */
	HandlerRefusedException refuse(String reason, String remedy) {
		Site site = site();
		return new HandlerRefusedException(site.method().className(), site.method().node().name, site.line, reason,
				remedy);
	}

	/** A place in the source. */
	static final class Site {

		private final Method method;

		private int line;

		Site(Method method) {
			this.method = method;
		}

		Method method() {
			return this.method;
		}

		int line() {
			return this.line;
		}

	}

}
