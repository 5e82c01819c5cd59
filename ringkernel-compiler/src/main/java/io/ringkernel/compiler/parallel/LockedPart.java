package io.ringkernel.compiler.parallel;

import java.util.List;

import io.ringkernel.compiler.classfile.Classes;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.translation.ArrayElements;
import io.ringkernel.compiler.translation.Compilation;
import io.ringkernel.compiler.translation.Failures;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The calls of {@code Parallel} that run a body with a lock. Java releases the lock of a
 * body that throws in a {@code finally} block; here, what fails releases it.
 */
final class LockedPart {

	private static final String SHARED = "shared";

	private static final int EXCLUSIVE = Integer.MIN_VALUE / 2;

	private final Compilation compilation;

	private final Translation translation;

	private final Lambdas lambdas;

	LockedPart(Compilation compilation, Lambdas lambdas) {
		this.compilation = compilation;
		this.translation = compilation.translation();
		this.lambdas = lambdas;
	}

	static boolean isOne(String name) {
		return name.equals(SHARED) || name.equals("exclusive");
	}

	/**
	 * Translates a call.
	 * @param arguments the lock and the body
	 */
	@Nullable Value call(String name, List<Value> arguments) {
		Value lock = arguments.get(0);
		if (this.translation.isParallel()) {
			throw this.translation.refuse("Parallel.%s is called in the body of a parallel loop".formatted(name),
					"Call the loop in the body with the lock.");
		}
		if (this.translation.failures().isLocked()) {
			throw this.translation.refuse("Parallel.%s is called in a body that has a lock".formatted(name),
					"Take one lock for all that belongs together.");
		}
		if (!(lock.shape() instanceof Shape.ArrayOf) || !this.translation.state().holds(lock)) {
			throw this.translation.refuse("the lock is no array that is a field of the handler",
					"Declare it as a field: private final int[] lock = new int[1].");
		}
		boolean isShared = name.equals(SHARED);
		this.compilation.inline(Classes.PARALLEL, isShared ? "acquireShared" : "acquire", "([I)V", List.of(lock));
		Failures.Held held = new Failures.Held(ArrayElements.address(this.translation, lock, Constant.ZERO),
				isShared ? -1 : -EXCLUSIVE);
		return this.translation.failures().holding(held, () -> this.lambdas.run(arguments.get(1), List.of()));
	}

}
