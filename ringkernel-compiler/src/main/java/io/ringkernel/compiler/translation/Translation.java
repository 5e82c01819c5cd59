package io.ringkernel.compiler.translation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.ringkernel.compiler.classfile.Classes;
import io.ringkernel.compiler.classfile.Merges;
import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.WorkerCall;
import io.ringkernel.compiler.value.CanonicalFloats;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.MessageLayout;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.MethodNode;

/**
 * What all methods of a handler share while they are translated: the code, the registers
 * that the function begins with, and where in the source it is.
 *
 * @since 0.2.0
 */
public final class Translation {

	/** Far more than a handler has that is worth a device. */
	private static final int MAX_INSTRUCTIONS = 100_000;

	/** A function that is a composition of others is called by way of them. */
	private static final int MAX_DEPTH = 60;

	private final Code code = new Code();

	private final WorkerCall worker = WorkerCall.of(this.code);

	private final Response response;

	private final Register isFirst;

	private final Failures failures;

	private final Refusals refusals = new Refusals();

	private final Classes classes;

	private final State state;

	private final Scratch scratch;

	private final Functions functions = new Functions(this.code);

	private final CanonicalFloats canonicalFloats = new CanonicalFloats();

	private final Constants constants;

	private final Assistance assistance;

	private final Map<MethodNode, Merges> merges = new HashMap<>();

	/** Where arrays begin that no other worker reaches. */
	private final Set<Register> ofWorker = new HashSet<>();

	/** The methods that are being translated, the innermost first. */
	private final Deque<Site> sites = new ArrayDeque<>();

	/** The thread's work in the parallel part that is being translated, if one is. */
	private @Nullable Lane work;

	/**
	 * Creates the translation of a handler.
	 * @param requestBytes of requests that other workers may have to see, the largest; -1
	 * if no loop is shared with them
	 */
	public Translation(Classes classes, Object handler, MessageLayout<?> responses, int requestBytes) {
		this.classes = classes;
		this.isFirst = this.code.compare(Comparison.EQ, this.worker.lane(), Constant.ZERO);
		this.response = new Response(this.code, this.worker, this.isFirst, responses);
		this.failures = new Failures(this);
		this.scratch = new Scratch(this);
		this.constants = new Constants(this);
		this.state = new State(this.code, this.worker, handler, Assistance.reserved(requestBytes));
		this.assistance = new Assistance(this, requestBytes);
	}

	/** The code, which grows while the handler is translated. */
	public Code code() {
		return this.code;
	}

	public WorkerCall worker() {
		return this.worker;
	}

	public Response response() {
		return this.response;
	}

	/** Holds for the first thread. */
	Register isFirst() {
		return this.isFirst;
	}

	public Failures failures() {
		return this.failures;
	}

	public Refusals refusals() {
		return this.refusals;
	}

	public Classes classes() {
		return this.classes;
	}

	public State state() {
		return this.state;
	}

	public Scratch scratch() {
		return this.scratch;
	}

	public Functions functions() {
		return this.functions;
	}

	public CanonicalFloats canonicalFloats() {
		return this.canonicalFloats;
	}

	public Assistance assistance() {
		return this.assistance;
	}

	public Constants constants() {
		return this.constants;
	}

	public @Nullable Lane work() {
		return this.work;
	}

	/** Translates what each thread does for itself. */
	public <T> T inParallel(Lane work, Supplier<T> body) {
		Lane outer = this.work;
		this.work = work;
		try {
			return body.get();
		}
		finally {
			this.work = outer;
		}
	}

	public boolean isParallel() {
		return this.work != null;
	}

	/** Who stores: each thread in a parallel part, else the first. */
	public @Nullable Register guard() {
		return isParallel() ? null : this.isFirst;
	}

	public Merges merges(Method method) {
		return this.merges.computeIfAbsent(method.node(), (any) -> new Merges(method));
	}

	/** Remembers that no other worker reaches an array. */
	public Value ofWorker(Value array) {
		this.ofWorker.add((Register) array.scalars().get(0));
		return array;
	}

	/** Whether an array is known to be out of reach of other workers. */
	public boolean isOfWorker(Value array) {
		return this.state.isEmpty() || this.ofWorker.contains((Register) array.scalars().get(0));
	}

	/** What is known of an array holds for a copy that is never replaced. */
	public void copied(Value from, Value to) {
		if ((from.shape() instanceof Shape.ArrayOf || from.shape() instanceof Shape.RowsOf) && isOfWorker(from)) {
			ofWorker(to);
		}
		this.canonicalFloats.copied(from, to);
	}

	/**
	 * Outside parallel parts, all threads go the same way. So they go on with the value
	 * that the first one has, as another worker may change it while they load it.
	 */
	public Register agreed(MemoryType memory, Register value) {
		if (isParallel()) {
			return value;
		}
		this.code
			.add(new Instruction.Store(memory, this.worker.call(), WorkerCall.EXCHANGE, value, true, this.isFirst));
		return this.code.load(memory, this.worker.call(), WorkerCall.EXCHANGE, true);
	}

	public void enter(Method method, List<Value> arguments) {
		List<Shape> shapes = arguments.stream().map(Value::shape).toList();
		for (Site site : this.sites) {
			if (site.method().node().equals(method.node()) && site.arguments.equals(shapes)) {
				throw refuse("%s calls itself".formatted(method.name()), "Write a loop.");
			}
		}
		if (this.code.instructions().size() > MAX_INSTRUCTIONS) {
			throw this.refusals.last(refuse(
					"the handler has more than %d instructions with all that it calls".formatted(MAX_INSTRUCTIONS),
					"Call less from it."));
		}
		if (this.sites.size() >= MAX_DEPTH) {
			throw this.refusals
				.last(refuse("%s is called by way of %d others".formatted(method.name(), MAX_DEPTH), "Write a loop."));
		}
		this.sites.push(new Site(method, shapes, block()));
	}

	/** The code that follows is of the line again that has called the method. */
	public void leave() {
		this.sites.pop();
		if (!this.sites.isEmpty()) {
			line(this.sites.getFirst().line());
		}
	}

	/** What is done with what the code throws; {@code null} if it fails the request. */
	public @Nullable FinallyBlock block() {
		return this.sites.isEmpty() ? null : this.sites.getFirst().block;
	}

	/** The code that follows is guarded by a block, or by none. */
	public void guard(@Nullable FinallyBlock block) {
		this.sites.getFirst().block = block;
	}

	/** The code that follows is of a line. */
	public void line(int line) {
		Site site = this.sites.getFirst();
		site.line = line;
		if (!site.method().isPlatform()) {
			this.code.add(new Instruction.Source(
					"%s.%s:%d".formatted(site.method().className(), site.method().node().name, line)));
		}
	}

	/** Whether the code is of the JDK, or in place of it. */
	public boolean isInPlatform() {
		return this.sites.getFirst().method().isPlatform();
	}

	/** Where the handler's own code is. */
	public Site site() {
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
	public HandlerRefusedException refuse(String reason, String remedy) {
		Site site = site();
		int line = (site.line > 0) ? site.line : site.method().firstLine();
		return new HandlerRefusedException(site.method().className(), site.method().name(), line, reason, remedy);
	}

	public static final class Site {

		private final Method method;

		/** What is known of the arguments: a call with more of it is another one. */
		private final List<Shape> arguments;

		private int line;

		private @Nullable FinallyBlock block;

		Site(Method method, List<Shape> arguments, @Nullable FinallyBlock block) {
			this.method = method;
			this.arguments = arguments;
			this.block = block;
		}

		public Method method() {
			return this.method;
		}

		public int line() {
			return this.line;
		}

	}

}
