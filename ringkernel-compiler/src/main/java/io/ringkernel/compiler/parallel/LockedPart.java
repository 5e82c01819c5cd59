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
record LockedPart(Compilation compilation, Lambdas lambdas) {

	private static final String SHARED = "shared";

	private static final int EXCLUSIVE = Integer.MIN_VALUE / 2;

	static boolean isOne(String name) {
		return name.equals(SHARED) || name.equals("exclusive");
	}

	/** Translates a call: its arguments are lock and body. */
	@Nullable Value call(String name, List<Value> arguments) {
		Translation translation = this.compilation.translation();
		Value lock = arguments.get(0);
		if (translation.isParallel()) {
			throw translation.refuse("Parallel.%s is called in the body of a parallel loop".formatted(name),
					"Call the loop in the body with the lock.");
		}
		if (translation.failures().held() != null) {
			throw translation.refuse("Parallel.%s is called in a body that has a lock".formatted(name),
					"Take one lock for all that belongs together.");
		}
		if (!(lock.shape() instanceof Shape.ArrayOf) || !translation.state().holds(lock)) {
			throw translation.refuse("the lock is no array that is a field of the handler",
					"Declare it as a field: private final int[] lock = new int[1].");
		}
		boolean isShared = name.equals(SHARED);
		this.compilation.inline(Classes.PARALLEL, isShared ? "acquireShared" : "acquire", "([I)V", List.of(lock));
		Failures.Held held = new Failures.Held(ArrayElements.address(translation, lock, Constant.ZERO),
				isShared ? -1 : -EXCLUSIVE);
		return translation.failures().holding(held, () -> this.lambdas.run(arguments.get(1), List.of()));
	}

}
