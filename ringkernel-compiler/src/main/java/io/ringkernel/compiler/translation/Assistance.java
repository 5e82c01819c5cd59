package io.ringkernel.compiler.translation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.ringkernel.compiler.ir.AtomicOperation;
import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Conversion;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.ir.RegisterUse;
import io.ringkernel.compiler.ir.Renaming;
import io.ringkernel.compiler.ir.WorkerCall;
import io.ringkernel.compiler.pass.LiveRegisters;
import io.ringkernel.compiler.pass.WrittenAddresses;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.ring.RingLayout;

/**
 * The loops of a request that workers without one take part in. The worker that has the
 * request offers a loop: it writes what the code of the loop reads into memory that
 * begins the state of the kernel, and which loop that is. A worker that waits sees the
 * offer, calls the handler, loads these values into the same registers and goes on in the
 * same loop.
 * <p>
 * Why nothing is lost: a worker counts itself as one that assists before it reads which
 * loop is offered. The owner withdraws the offer before it waits until none assists. Both
 * steps on the offer have an order. If that of the worker is earlier, the owner sees its
 * count, and waits; else the worker sees no offer, and leaves. So the values stay as long
 * as a worker reads them, and the owner goes on when all that was claimed has been done,
 * and sees it. It waits for what a worker has begun, never for one that might come.
 *
 * @since 0.2.0
 */
public final class Assistance {

	/** So many for each worker, for workers that come late or go early. */
	private static final int CHUNKS_PER_WORKER = 4;

	private final Translation translation;

	private final Code code;

	private final OfferMemory memory;

	/** The most of a request that lies in shared memory; -1 if no loop is shared. */
	private final int requestBytes;

	private final List<Loop> loops = new ArrayList<>();

	private final Label leave = new Label();

	private final Register isAssisting;

	/** Where the code begins behind what each worker begins with. */
	private final int begin;

	private boolean isWanted;

	Assistance(Translation translation, int requestBytes) {
		this.translation = translation;
		this.code = translation.code();
		this.memory = new OfferMemory(translation, Math.max(0, requestBytes));
		this.requestBytes = requestBytes;
		this.isAssisting = this.code.register(RegisterType.PREDICATE);
		this.begin = this.code.instructions().size();
	}

	/** What {@link Translation} is told of requests if a loop is shared. */
	public static int requestBytes(MessageLayout<?> requests) {
		return Math.min(requests.maxSize(), RingLayout.MAX_INLINE_BYTES);
	}

	/** How much memory begins the state. */
	static int reserved(int requestBytes) {
		return (requestBytes < 0) ? 0 : OfferMemory.bytes(requestBytes);
	}

	/**
	 * Asks for a loop to share, and tells whether it can be shared. If not, it is that of
	 * one worker, and the handler is translated once more.
	 */
	public boolean want() {
		this.isWanted = true;
		return this.requestBytes >= 0;
	}

	/** Whether the handler has a loop to share. */
	public boolean isWanted() {
		return this.isWanted;
	}

	/** Offers a loop, the code of which follows, unless one round of this worker does. */
	public Loop offer(Register count) {
		WorkerCall worker = this.translation.worker();
		Loop loop = new Loop(this.loops.size() + 1, new Label(), new Label(), this.code.copy(Constant.of(1)),
				this.code.copy(Constant.ZERO), count, this.code.copy(count), this.code.copy(worker.in()),
				this.code.copy(worker.out()));
		this.loops.add(loop);
		this.code.branch(Comparison.LE, count, worker.lanes(), loop.entry());
		this.code.mark(loop.opening());
		return loop;
	}

	/** Takes the next indices of the loop that is offered. */
	public Register claim(Register chunk) {
		return this.memory.add(MemoryType.INT, OfferMemory.NEXT, chunk);
	}

	/**
	 * Ends the part of a loop that all workers go through. Those that assist leave, and
	 * the owner waits for them.
	 * @param from where the code of the loop begins
	 * @param fails whether it may fail
	 */
	public void end(Loop loop, int from, boolean fails) {
		// What a worker is called with, each has for itself.
		WorkerCall worker = this.translation.worker();
		Renaming shared = new Renaming().with(worker.in(), loop.in()).with(worker.out(), loop.out());
		this.code.cut(from).forEach((instruction) -> this.code.add(shared.copy(instruction)));
		Label settled = new Label();
		Register isAlone = this.code.compare(Comparison.NE, loop.alone(), Constant.ZERO);
		if (fails) {
			publish(isAlone);
		}
		this.code.branch(this.isAssisting, true, this.leave);
		this.code.branch(isAlone, true, settled);
		this.memory.add(MemoryType.LONG, OfferMemory.OFFERED, Constant.of((long) -loop.id()));
		Label wait = new Label();
		this.code.mark(wait);
		Register present = this.memory.read(MemoryType.INT, OfferMemory.PRESENT);
		this.code.branch(Comparison.NE, present, Constant.ZERO, wait);
		if (fails) {
			take();
		}
		this.memory.add(MemoryType.INT, OfferMemory.OWNER, Constant.of(-1));
		this.code.mark(settled);
	}

	/** The greatest number tells of the lowest index. */
	private void publish(Register isAlone) {
		Lane.Failed failed = this.translation.failures().ofThread();
		Label published = new Label();
		this.code.branch(isAlone, true, published);
		this.code.add(new Instruction.Parallel(true));
		Register index = this.code.convert(Conversion.NUMERIC, RegisterType.LONG,
				this.code.binary(Operator.SUB, Constant.of(Integer.MAX_VALUE), failed.index()));
		Register failure = this.code.binary(Operator.OR,
				this.code.binary(Operator.SHL, index, Constant.of(Integer.SIZE)),
				this.code.convert(Conversion.NUMERIC, RegisterType.LONG, failed.code()));
		this.code.add(new Instruction.Atomic(AtomicOperation.MAX, MemoryType.LONG,
				this.code.register(RegisterType.LONG), this.memory.at(OfferMemory.FAILURE), failure, null, true,
				this.code.compare(Comparison.NE, failed.code(), Constant.ZERO)));
		this.code.add(new Instruction.Parallel(false));
		this.code.mark(published);
	}

	/** All threads have failed at what any worker has. */
	private void take() {
		Lane.Failed failed = this.translation.failures().ofThread();
		Label none = new Label();
		Register failure = this.memory.read(MemoryType.LONG, OfferMemory.FAILURE);
		this.code.branch(Comparison.EQ, failure, Constant.of(0L), none);
		this.code.move(failed.code(), this.code.convert(Conversion.NUMERIC, RegisterType.INT, failure));
		Register index = this.code.convert(Conversion.NUMERIC, RegisterType.INT,
				this.code.binary(Operator.USHR, failure, Constant.of(Integer.SIZE)));
		this.code.move(failed.index(), this.code.binary(Operator.SUB, Constant.of(Integer.MAX_VALUE), index));
		this.memory.set(MemoryType.LONG, OfferMemory.FAILURE, Constant.of(0L));
		this.code.mark(none);
	}

	/** Adds what workers do that assist. Called when all other code is there. */
	public void finish() {
		if (this.loops.isEmpty()) {
			return;
		}
		LiveRegisters live = LiveRegisters.of(this.code, this.leave);
		Set<Register> own = own();
		List<List<Register>> values = this.loops.stream()
			.map((loop) -> live.at(loop.entry()).stream().filter((register) -> !own.contains(register)).toList())
			.toList();
		Label dispatch = new Label();
		dispatch(dispatch, values);
		for (int i = 0; i < this.loops.size(); i++) {
			Loop loop = this.loops.get(i);
			int end = this.code.instructions().size();
			open(loop, values.get(i));
			List<Instruction> opening = this.code.cut(end);
			this.code.insert(this.code.instructions().indexOf(new Instruction.Mark(loop.opening())) + 1, opening);
		}
		this.code.insert(this.begin,
				List.of(new Instruction.Compare(Comparison.EQ, false, this.isAssisting,
						this.translation.worker().length(), Constant.of(WorkerCall.ASSISTS)),
						new Instruction.Branch(this.isAssisting, true, dispatch)));
	}

	/** What each worker has for itself. */
	private Set<Register> own() {
		WorkerCall worker = this.translation.worker();
		Set<Register> own = new HashSet<>(List.of(worker.call(), worker.in(), worker.out(), worker.length(),
				worker.lane(), worker.lanes(), this.isAssisting, this.translation.constants().data().address()));
		own.addAll(RegisterUse.written(this.code.instructions().subList(0, this.begin)));
		return own;
	}

	private void dispatch(Label dispatch, List<List<Register>> values) {
		this.code.mark(dispatch);
		this.memory.add(MemoryType.INT, OfferMemory.PRESENT, Constant.of(1));
		Register offered = this.memory.read(MemoryType.LONG, OfferMemory.OFFERED);
		List<Label> loads = new ArrayList<>();
		for (Loop loop : this.loops) {
			Label load = new Label();
			loads.add(load);
			this.code.branch(Comparison.EQ, offered, Constant.of((long) loop.id()), load);
		}
		this.code.mark(this.leave);
		this.code.add(new Instruction.Sync(this.translation.worker()));
		this.memory.add(MemoryType.INT, OfferMemory.PRESENT, Constant.of(-1));
		this.code.add(this.translation.response().finish());
		for (int i = 0; i < loads.size(); i++) {
			this.code.mark(loads.get(i));
			for (int value = 0; value < values.get(i).size(); value++) {
				this.memory.load(values.get(i).get(value), value);
			}
			// A worker comes again and again until the offer is withdrawn: what is
			// claimed in vain must not come to 2 to the power of 32.
			Register next = this.memory.read(MemoryType.INT, OfferMemory.NEXT);
			Register isDone = this.code.compare(Comparison.NOT_BELOW, next, this.loops.get(i).count());
			this.code.branch(isDone, true, this.leave);
			this.code.jump(this.loops.get(i).entry());
		}
	}

	/** The code of a loop, up to where workers leave that assist. */
	private List<Instruction> shared(Loop loop) {
		List<Instruction> all = this.code.instructions();
		List<Instruction> behind = all.subList(all.indexOf(new Instruction.Mark(loop.entry())), all.size());
		return behind.subList(0, behind.indexOf(new Instruction.Branch(this.isAssisting, true, this.leave)));
	}

	/**
	 * What an offered loop reads has to be where other workers see it. A request that
	 * lies in shared memory is copied; with another address of shared memory, the loop is
	 * not offered, nor is one that writes to the request: a copy would lose that.
	 */
	private void open(Loop loop, List<Register> values) {
		if (values.size() > OfferMemory.MAX_VALUES) {
			throw this.translation.refuse("a loop that workers share reads %d values".formatted(values.size()),
					"Up to %d are possible. Keep them in an array.".formatted(OfferMemory.MAX_VALUES));
		}
		Set<Register> written = WrittenAddresses.of(shared(loop));
		List<Operand> shared = new ArrayList<>();
		for (Register value : values) {
			shared
				.add((value.type() == RegisterType.ADDRESS) ? reachable(value, loop, written.contains(value)) : value);
		}
		Register isOwned = this.code.compare(Comparison.NE, this.memory.own(), Constant.ZERO);
		this.code.branch(isOwned, true, loop.entry());
		this.code.move(loop.alone(), Constant.ZERO);
		this.code.move(loop.chunk(), chunk(loop.count()));
		copyRequest();
		for (int i = 0; i < shared.size(); i++) {
			this.memory.store(i, shared.get(i));
		}
		this.memory.set(MemoryType.INT, OfferMemory.NEXT, Constant.ZERO);
		this.memory.add(MemoryType.LONG, OfferMemory.OFFERED, Constant.of((long) loop.id()));
	}

	/** The address that others reach it by. */
	private Register reachable(Register address, Loop loop, boolean isWritten) {
		WorkerCall worker = this.translation.worker();
		Register isShared = isShared(address);
		if (isWritten) {
			this.code.branch(isShared, true, loop.entry());
			return address;
		}
		Register offset = this.code.binary(Operator.SUB, address, worker.in());
		Register isElsewhere = this.code.compare(Comparison.NOT_BELOW, offset, Constant.of((long) this.requestBytes));
		this.code.branch(this.code.binary(Operator.AND, isShared, isElsewhere), true, loop.entry());
		return this.code.select(isShared, this.code.binary(Operator.ADD, this.memory.at(OfferMemory.REQUEST), offset),
				address);
	}

	private Register isShared(Register address) {
		Register isShared = this.code.register(RegisterType.PREDICATE);
		this.code.add(new Instruction.Unary(Operator.IS_SHARED, isShared, address));
		return isShared;
	}

	/** Of as many indices that each thread has one, or as many for each. */
	private Register chunk(Register count) {
		WorkerCall worker = this.translation.worker();
		Register round = this.code.binary(Operator.MUL, worker.lanes(),
				this.code.binary(Operator.MUL, worker.workers(this.code), Constant.of(CHUNKS_PER_WORKER)));
		Register rounds = this.code.binary(Operator.DIV, this.code.binary(Operator.SUB, count, Constant.of(1)), round);
		return this.code.binary(Operator.MUL, this.code.binary(Operator.ADD, rounds, Constant.of(1)), worker.lanes());
	}

	private void copyRequest() {
		WorkerCall worker = this.translation.worker();
		Label copied = new Label();
		this.code.branch(isShared(worker.in()), false, copied);
		Register words = this.code.binary(Operator.USHR,
				this.code.binary(Operator.ADD, worker.length(), Constant.of(Integer.BYTES - 1)), Constant.of(2));
		Register to = this.memory.at(OfferMemory.REQUEST);
		LaneLoop.over(this.translation, words, (index) -> {
			Register word = this.code.register(RegisterType.INT);
			this.code.add(new Instruction.Load(MemoryType.INT, word,
					ArrayElements.address(this.code, worker.in(), index, MemoryType.INT), 0, false));
			this.code.add(new Instruction.Store(MemoryType.INT,
					ArrayElements.address(this.code, to, index, MemoryType.INT), 0, word, true, null));
		});
		this.code.mark(copied);
	}

	/**
	 * A loop that workers share.
	 *
	 * @param id from 1
	 * @param opening behind this place, it is offered
	 * @param entry where a worker claims indices
	 * @param alone not 0 if it is not offered
	 * @param next the next index of a worker that is alone
	 * @param chunk how many are claimed at once
	 * @param in the request as each worker sees it
	 * @param out the response as each worker sees it
	 */
	public record Loop(int id, Label opening, Label entry, Register alone, Register next, Register count,
			Register chunk, Register in, Register out) {
	}

}
