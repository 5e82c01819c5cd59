package io.ringkernel.runtime;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Snapshots;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.SnapshotException;
import io.ringkernel.observe.StateOrigin;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.state.KernelMemory;
import io.ringkernel.state.SnapshotFile;
import io.ringkernel.state.SnapshotWriter;
import io.ringkernel.state.StateField;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves the state of a kernel as its {@link Snapshots} say, and gives it to each loop
 * that begins without it. A loop that stands in with other state than that of the launch,
 * as the handler of an image may, neither gets the snapshot nor replaces it.
 */
final class StateKeeper {

	private static final Logger logger = LoggerFactory.getLogger(StateKeeper.class);

	private final Kernel<?, ?> kernel;

	private final KernelSpec<?, ?> spec;

	private final Snapshots policy;

	/** Where it is saved; {@code null} if the kernel has no directory for it. */
	private final @Nullable SnapshotStore store;

	/** Counts the requests that were answered over all launches. */
	private final LongSupplier answered;

	private final KernelEvents events;

	/** What the state consists of since the launch; empty if there is none to keep. */
	private volatile List<StateField> fields = List.of();

	private volatile @Nullable StateOrigin origin;

	private final SnapshotTimer timer;

	/** How often the kernel was given a snapshot by its {@link #restore}. */
	private final AtomicLong restores = new AtomicLong();

	/** How often the state had changed when it was saved. */
	private volatile long savedAfter;

	/** What the handler keeps that is newer than what is saved. */
	private volatile @Nullable Unsaved unsaved;

	private boolean inLaunch;

	StateKeeper(Kernel<?, ?> kernel, LongSupplier answered, KernelEvents events) {
		this.kernel = kernel;
		this.spec = kernel.spec();
		this.policy = this.spec.options().snapshots();
		Path directory = this.policy.directory();
		this.store = (directory != null) ? new SnapshotStore(kernel.id(), directory, this.spec.options().stopTimeout())
				: null;
		this.answered = answered;
		this.timer = new SnapshotTimer(kernel.id());
		this.events = events;
	}

	/** Where the state comes from; {@code null} if it is not kept. */
	@Nullable StateOrigin origin() {
		return this.origin;
	}

	/** How often the state may have changed: with each answer, and as it was restored. */
	private long changes() {
		return this.answered.getAsLong() + this.restores.get();
	}

	/** Whether a launch has begun with the state, and has not ended. */
	boolean isInLaunch() {
		return this.inLaunch;
	}

	/** Writes the state to a file of the caller's. */
	void snapshot(Path file, BiConsumer<String, Consumer<KernelMemory>> atRest) {
		try (SnapshotWriter snapshot = new SnapshotWriter(this.kernel.id(), file)) {
			atRest.accept("take a snapshot", snapshot::write);
			snapshot.commit();
		}
	}

	/**
	 * Replaces the state by that of a file of the caller's. It is saved next, as if
	 * requests had changed it.
	 */
	void restore(Path file, BiConsumer<String, Consumer<KernelMemory>> atRest) {
		try (SnapshotFile snapshot = SnapshotFile.open(this.kernel.id(), file)) {
			atRest.accept("restore a snapshot", snapshot::restore);
		}
		this.unsaved = null;
		this.restores.incrementAndGet();
	}

	/**
	 * Gives a kernel that was launched the state that was saved last, or that of its
	 * handler if that is newer.
	 * @throws SnapshotException if there is a snapshot that is damaged, or of other state
	 */
	void launched(Supplier<KernelMemory> state, BiConsumer<String, Consumer<KernelMemory>> atRest) {
		KernelMemory memory = (this.store != null) ? memory(state) : null;
		this.fields = (memory != null) ? memory.fields() : List.of();
		if (this.store != null && memory != null && !this.fields.isEmpty()) {
			launched(this.store, memory, atRest);
		}
		this.inLaunch = true;
	}

	private void launched(SnapshotStore saved, KernelMemory memory, BiConsumer<String, Consumer<KernelMemory>> atRest) {
		StateOrigin before = this.origin;
		if (goOnWithHandler(memory)) {
			this.origin = new StateOrigin(null, Unsaved.REASON, null, (before != null) ? before.problem() : null);
			logger.info("Ring kernel '{}' goes on with the state of its handler: {}", this.kernel.id(), Unsaved.REASON);
		}
		else if (saved.isSaved()) {
			begun(saved.restore(memory), "it was saved before the launch");
		}
		else {
			this.savedAfter = changes();
			this.origin = new StateOrigin(null, "nothing was saved before the launch", null, null);
		}
		if (!this.policy.every().isZero()) {
			this.timer.begin(this.policy.every(), () -> saveIfChanged(saved, atRest));
		}
	}

	/** Whether what goes on was given what the handler keeps, since that is newer. */
	private boolean goOnWithHandler(KernelMemory next) {
		Unsaved newer = this.unsaved;
		return newer != null && newer.giveTo(next);
	}

	/** The state; {@code null} if it is not kept, or not here. */
	private @Nullable KernelMemory memory(Supplier<KernelMemory> state) {
		if (sharesState()) {
			return null;
		}
		if (standsIn()) {
			this.origin = new StateOrigin(null, "the handler stands in for the image, and keeps other state", null,
					null);
			return null;
		}
		try {
			return state.get();
		}
		catch (SnapshotException ex) {
			logger.warn("Snapshots of ring kernel '{}' are not taken: {}", this.kernel.id(), ex.getMessage());
			this.origin = new StateOrigin(null, "it cannot be saved", null, ex.getMessage());
			return null;
		}
	}

	/** Whether the handler does what the image would, with other state. */
	private boolean standsIn() {
		return this.spec.image() != null && this.kernel.plan().backend() == BackendKind.CPU;
	}

	/** Whether it has the state of the kernel that it is a replica of. */
	private boolean sharesState() {
		return this.spec.replica().isPresent() && this.kernel.plan().backend() == BackendKind.CPU;
	}

	private void begun(@Nullable Instant saved, String reason) {
		this.savedAfter = changes();
		this.origin = new StateOrigin(saved, reason, null, null);
		if (saved != null) {
			logger.info("Ring kernel '{}' goes on with its state of {}: {}", this.kernel.id(), saved, reason);
		}
		else {
			logger.warn("The state of ring kernel '{}' begins anew: {}", this.kernel.id(), reason);
		}
		this.events.publish(new KernelStateRecovery(this.kernel, saved, reason));
	}

	/**
	 * Gives a loop that takes over the state that was saved last, if it can use that. A
	 * snapshot that cannot be read does not keep it from taking over. It gets another
	 * name, so that the next one does not replace it.
	 */
	void takeOver(DeviceLoop next) {
		if (this.fields.isEmpty() || this.store == null) {
			return;
		}
		try {
			KernelMemory memory = next.memory(this.spec);
			if (!memory.fields().equals(this.fields)) {
				begun(null, "what has taken over keeps other state");
			}
			else if (goOnWithHandler(memory)) {
				begun(null, Unsaved.REASON);
			}
			else if (this.store.isSaved()) {
				takeOver(memory, this.store);
			}
			else {
				begun(null, "it was never saved, and what has taken over had none");
			}
		}
		catch (SnapshotException ex) {
			begun(null, String.valueOf(ex.getMessage()));
		}
	}

	private void takeOver(KernelMemory memory, SnapshotStore saved) {
		try {
			begun(saved.restore(memory), "what has taken over had none");
		}
		catch (SnapshotException ex) {
			begun(null, "%s It is kept as '%s'.".formatted(ex.getMessage(), saved.setAside()));
		}
	}

	private void saveIfChanged(SnapshotStore saved, BiConsumer<String, Consumer<KernelMemory>> atRest) {
		long changes = changes();
		if (changes != this.savedAfter && !standsIn() && !sharesState()) {
			try {
				save(saved, (writer) -> atRest.accept("take a snapshot", writer), changes);
			}
			catch (KernelNotActiveException ex) {
				logger.debug("There is no state to save", ex);
			}
		}
	}

	/**
	 * Saves the state of a loop that has stopped for good, if that is wanted. That of one
	 * that has failed is not saved.
	 */
	void terminated(DeviceLoop stopped) {
		Supplier<KernelMemory> state = () -> stopped.memory(this.spec);
		if (stopped.failure() == null) {
			terminated(state);
		}
		else {
			abandoned(state);
		}
	}

	/** Saves the state of a kernel that has stopped for good, if that is wanted. */
	void terminated(Supplier<KernelMemory> state) {
		end();
		if (this.policy.onShutdown() && save(state) != null) {
			keepForLaunch(state);
		}
	}

	/**
	 * Leaves the state with a handler on the CPU, since it cannot be saved: what has it
	 * has failed, or is still at work.
	 */
	void abandoned(Supplier<KernelMemory> state) {
		end();
		if (this.policy.onShutdown() && savesState()) {
			keepForLaunch(state);
		}
	}

	private void keepForLaunch(Supplier<KernelMemory> state) {
		KernelMemory newer = (this.kernel.plan().backend() == BackendKind.CPU) ? kept(state) : null;
		if (newer != null) {
			this.unsaved = new Unsaved(newer, changes());
		}
	}

	/**
	 * Saves the state of a loop that has stopped, for the next one.
	 * @throws SnapshotException if it was not saved, and the next one would begin with an
	 * older one
	 */
	void leave(DeviceLoop stopped) {
		if (stopped.failure() == null) {
			Supplier<KernelMemory> state = () -> stopped.memory(this.spec);
			Throwable problem = save(state);
			if (problem != null && kept(state) != null) {
				throw new SnapshotException(this.kernel.id(), "what takes over would begin with an older one",
						"It takes over once the state is saved.", problem);
			}
		}
	}

	/** The state; {@code null} if it can never be saved where that of the launch is. */
	private @Nullable KernelMemory kept(Supplier<KernelMemory> state) {
		try {
			KernelMemory memory = state.get();
			return memory.fields().equals(this.fields) ? memory : null;
		}
		catch (SnapshotException ex) {
			return null;
		}
	}

	private @Nullable Throwable save(Supplier<KernelMemory> state) {
		return (this.store != null && savesState())
				? save(this.store, (writer) -> writer.accept(state.get()), changes()) : null;
	}

	/** Whether the state of what runs is that of the launch, and is saved by this. */
	private boolean savesState() {
		return !this.fields.isEmpty() && !standsIn() && !sharesState();
	}

	/** Returns why the state was not saved, which is told and disturbs nothing. */
	private @Nullable Throwable save(SnapshotStore saved, Consumer<Consumer<KernelMemory>> access, long changes) {
		try {
			saved.save(this.fields, access);
			this.savedAfter = changes;
			Unsaved handler = this.unsaved;
			if (handler != null && changes > handler.after()) {
				this.unsaved = null;
			}
			update((before) -> before.savedAt(Instant.now()));
			return null;
		}
		catch (KernelNotActiveException ex) {
			throw ex;
		}
		// An error would end the timer without a word.
		catch (RuntimeException | Error ex) {
			notSaved(ex);
			return ex;
		}
	}

	/** Logged once, and not as often as it is tried. */
	private void notSaved(Throwable ex) {
		String problem = String.valueOf(ex.getMessage());
		StateOrigin before = this.origin;
		if (before == null || !problem.equals(before.problem())) {
			logger.warn("A snapshot of ring kernel '{}' was not taken", this.kernel.id(), ex);
		}
		update((origin) -> origin.notSaved(problem));
	}

	private void update(UnaryOperator<StateOrigin> change) {
		StateOrigin before = this.origin;
		if (before != null) {
			this.origin = change.apply(before);
		}
	}

	/** Takes no more snapshots: the state is not kept until the next launch. */
	void end() {
		this.inLaunch = false;
		this.timer.end();
	}

}
