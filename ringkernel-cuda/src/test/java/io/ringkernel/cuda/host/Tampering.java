package io.ringkernel.cuda.host;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import io.ringkernel.cuda.host.wire.HostFrame;

/**
 * Somebody on a line: most of what passes it arrives as it was sent, with more frames
 * before it that nobody has sent; and some arrives changed, cut off, twice, late, under
 * another number or not at all. For one thread at a time, and the same each time for a
 * seed.
 */
public final class Tampering {

	/** The numbers that a length, a count or an index has no right to be. */
	private static final int[] HOSTILE = { -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 1 << 20, 1 << 26, -65_536 };

	/** Out of how many frames one is changed. */
	private static final int RARITY = 8;

	private static final int REMEMBERED = 64;

	private static final int LARGEST_KIND = 7;

	private final SplittableRandom random;

	private final Function<SplittableRandom, List<HostFrame>> intruders;

	private final AtomicLong messages;

	private final List<HostFrame> remembered = new ArrayList<>();

	private boolean cut;

	/**
	 * Creates it.
	 * @param intruders makes what is sent before a frame
	 * @param messages counts what arrives
	 */
	Tampering(long seed, Function<SplittableRandom, List<HostFrame>> intruders, AtomicLong messages) {
		this.random = new SplittableRandom(seed);
		this.intruders = intruders;
		this.messages = messages;
	}

	/**
	 * What arrives in place of a frame.
	 */
	public List<ByteBuffer> replace(HostFrame frame) {
		List<ByteBuffer> arriving = new ArrayList<>();
		this.intruders.apply(this.random).forEach((intruder) -> arriving.add(intruder.toBuffer()));
		remember(frame);
		if (this.random.nextInt(RARITY) > 0) {
			arriving.add(frame.toBuffer());
		}
		else {
			change(frame, arriving);
		}
		this.messages.addAndGet(arriving.size());
		return arriving;
	}

	private void remember(HostFrame frame) {
		if (this.remembered.size() < REMEMBERED) {
			this.remembered.add(frame);
		}
	}

	/**
	 * Whether nothing arrives any more: nobody is kept waiting for the rest of a frame.
	 */
	public boolean cutsLine() {
		return this.cut;
	}

	private void change(HostFrame frame, List<ByteBuffer> arriving) {
		HostFrame other = this.remembered.get(this.random.nextInt(this.remembered.size()));
		switch (this.random.nextInt(9)) {
			case 0, 1, 2 ->
				arriving.add(new HostFrame(frame.kind(), frame.call(), changed(this.random, frame.body())).toBuffer());
			case 3 -> arriving.add(new HostFrame(frame.kind(), frame.call(), other.body()).toBuffer());
			case 4 -> {
				arriving.add(other.toBuffer());
				arriving.add(frame.toBuffer());
				arriving.add(frame.toBuffer());
			}
			case 5 -> arriving.add(new HostFrame(frame.kind(), frame.call(), noise(this.random)).toBuffer());
			case 6 -> {
				arriving.add(frame.toBuffer().putInt(0, hostile(this.random)));
				this.cut = true;
			}
			case 7 -> {
				arriving.add(frame.toBuffer().put(Integer.BYTES, (byte) this.random.nextInt(LARGEST_KIND)));
				this.cut = true;
			}
			default -> this.cut = true;
		}
	}

	/**
	 * A body with some bytes changed, a number that is none, or its end missing.
	 */
	public static byte[] changed(SplittableRandom random, byte[] body) {
		byte[] bytes = body.clone();
		if (bytes.length == 0) {
			return noise(random);
		}
		switch (random.nextInt(4)) {
			case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
			case 1 -> bytes = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(16));
			case 2 -> {
				for (int flips = random.nextInt(4); flips >= 0; flips--) {
					bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
				}
			}
			default -> {
				if (bytes.length >= Integer.BYTES) {
					ByteBuffer.wrap(bytes).putInt(random.nextInt(bytes.length - Integer.BYTES + 1), hostile(random));
				}
			}
		}
		return bytes;
	}

	public static byte[] noise(SplittableRandom random) {
		byte[] bytes = new byte[random.nextInt(64)];
		random.nextBytes(bytes);
		return bytes;
	}

	static int hostile(SplittableRandom random) {
		int choice = random.nextInt(HOSTILE.length + 2);
		return (choice < HOSTILE.length) ? HOSTILE[choice] : random.nextInt() >> random.nextInt(31);
	}

}
