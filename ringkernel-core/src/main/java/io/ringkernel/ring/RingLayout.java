package io.ringkernel.ring;

import io.ringkernel.exception.InvalidConfigurationException;

/**
 * Where everything of a ring lies in its memory, and how many slots a memory budget
 * holds. <pre>
 *   base   ┌───────────────────────────────────────────┐
 *          │ skipped laps    slots × line    (host)    │  positions that carry no request
 *          ├───────────────────────────────────────────┤
 *          │ request slots   slots × stride  (host)    │  ┌────────┬────────┬──┬────────┐
 *          ├───────────────────────────────────────────┤  │ header │ data 1 │ … │ data n │
 *          │ response slots  slots × stride  (device)  │  └────────┴────────┴──┴────────┘
 *          ├───────────────────────────────────────────┤
 *          │ request payloads   slots × stride (host)  │  only where a message can be larger
 *          ├───────────────────────────────────────────┤  than a slot holds inline
 *          │ response payloads  slots × stride (device)│
 *          └───────────────────────────────────────────┘
 *
 *   a chunk   0               8        12       16
 *             ├─ 12 bytes of data ─────┼─ tag ──┤     written by the device in one access
 *   header    ├ length ┼ kind  ┼ detail┼─ tag ──┤     length in bytes; kind, detail: see RingLane
 *   progress  ├ bytes  ┼───────┼───────┼─ tag ──┤     in data 1 of a large message: how much is there
 * </pre> Every part begins on a line of {@value #LINE_BYTES} bytes and has one writer, so
 * no line is written by both sides. The skipped laps of each slot are a word at the
 * beginning of a line of its own: of one line a GPU's bus carries one read at a time, in
 * 0.9 µs on an H200, and workers that have answered a batch all look there at once.
 * <p>
 * A message of up to {@value #MAX_INLINE_BYTES} bytes travels inline. Its chunks are up
 * to three rows of as many as a warp has lanes, and each lane has one chunk of each row
 * in flight. A larger message has its bytes in the payload of its slot, and in the slot
 * its header and its progress.
 *
 * @param slots the number of slots, a power of two
 * @param slotsShift its binary logarithm: {@code position >>> slotsShift} is the lap of a
 * position
 * @param skippedLapsOffset where the words of skipped laps begin, in bytes from the start
 * of the memory
 * @param requests where requests lie
 * @param responses where responses lie
 * @param endOffset where the ring ends, in bytes from the start of the memory
 * @since 0.1.0
 */
public record RingLayout(int slots, int slotsShift, int skippedLapsOffset, LaneLayout requests, LaneLayout responses,
		int endOffset) {

	/** The unit of write ownership: two cache lines of a CPU, one line of a GPU's L2. */
	public static final int LINE_BYTES = 128;

	/** Bytes of a chunk. */
	public static final int CHUNK_BYTES = 16;

	/** Bytes of data in a chunk; the other four are its tag. */
	public static final int CHUNK_DATA_BYTES = 12;

	/**
	 * The largest message that travels inside a slot: three rows of 32 chunks, less the
	 * header. On an H200 a warp that reads three rows in one look answers as fast as one
	 * that reads a single row, and every further look costs a microsecond.
	 */
	public static final int MAX_INLINE_BYTES = (3 * 32 - 1) * CHUNK_DATA_BYTES;

	/**
	 * The chunk of a slot, counted from its header, that states how many bytes of a large
	 * message are there. A device finds it by the same look as the header.
	 * @since 0.2.0
	 */
	public static final int PROGRESS_CHUNK = 1;

	/** The fewest slots of a ring. */
	public static final int MIN_SLOTS = 2;

	/**
	 * The most slots of a ring. More would only spread the traffic over more cache lines:
	 * at 2.2 µs a round trip, 64 slots in flight already make 29 million a second.
	 */
	public static final int MAX_SLOTS = 1024;

	private static RingLayout of(int baseOffset, int slots, int maxRequestBytes, int maxResponseBytes) {
		int requestInline = inlineBytes(maxRequestBytes);
		int responseInline = inlineBytes(maxResponseBytes);
		int requestSlots = baseOffset + slots * LINE_BYTES;
		int responseSlots = requestSlots + slots * slotStride(requestInline);
		int requestPayloads = responseSlots + slots * slotStride(responseInline);
		int responsePayloads = requestPayloads + slots * payloadStride(maxRequestBytes);
		int end = responsePayloads + slots * payloadStride(maxResponseBytes);
		LaneLayout requests = new LaneLayout(requestSlots, slotStride(requestInline), requestInline, requestPayloads,
				payloadStride(maxRequestBytes), maxRequestBytes);
		LaneLayout responses = new LaneLayout(responseSlots, slotStride(responseInline), responseInline,
				responsePayloads, payloadStride(maxResponseBytes), maxResponseBytes);
		return new RingLayout(slots, Integer.numberOfTrailingZeros(slots), baseOffset, requests, responses, end);
	}

	/**
	 * Lays out the largest ring that a memory budget holds, and that ends within 2 GiB.
	 * @param baseOffset where the ring begins; a multiple of {@value #LINE_BYTES}
	 * @param budgetBytes the memory it may take, from there
	 * @param maxRequestBytes the largest request
	 * @param maxResponseBytes the largest response
	 * @return the layout, of a power of two slots from {@value #MIN_SLOTS} to
	 * {@value #MAX_SLOTS}
	 * @throws InvalidConfigurationException if the budget, or 2 GiB, hold fewer than
	 * {@value #MIN_SLOTS} slots
	 */
	public static RingLayout forBudget(int baseOffset, long budgetBytes, int maxRequestBytes, int maxResponseBytes) {
		long perSlot = bytesPerSlot(maxRequestBytes, maxResponseBytes);
		int most = Integer.MAX_VALUE - baseOffset;
		long slots = Math.min(MAX_SLOTS, Long.highestOneBit(Math.min(budgetBytes, most) / perSlot));
		if (slots < MIN_SLOTS) {
			long least = totalBytes(MIN_SLOTS, maxRequestBytes, maxResponseBytes);
			throw new InvalidConfigurationException("ring-memory", budgetBytes + " B",
					"holds fewer than %d slots of %d B each (requests of up to %d B, responses of up to %d B)"
						.formatted(MIN_SLOTS, perSlot, maxRequestBytes, maxResponseBytes),
					(least > most) ? "Lower the capacities of the messages: a ring takes at most 2 GiB."
							: "Set it to at least %d B, or lower the capacities of the messages.".formatted(least));
		}
		return forSlots(baseOffset, (int) slots, maxRequestBytes, maxResponseBytes);
	}

	/**
	 * Lays out a ring of a given size.
	 * @param baseOffset where the ring begins; a multiple of {@value #LINE_BYTES}
	 * @param slots the number of slots; a power of two from {@value #MIN_SLOTS} to
	 * {@value #MAX_SLOTS}
	 * @param maxRequestBytes the largest request
	 * @param maxResponseBytes the largest response
	 * @return the layout
	 * @throws InvalidConfigurationException if the number of slots is out of range, or
	 * the ring would end beyond 2 GiB
	 */
	public static RingLayout forSlots(int baseOffset, int slots, int maxRequestBytes, int maxResponseBytes) {
		if (slots < MIN_SLOTS || slots > MAX_SLOTS || Integer.bitCount(slots) != 1) {
			throw new InvalidConfigurationException("slots", slots,
					"is not a power of two from %d to %d".formatted(MIN_SLOTS, MAX_SLOTS), "Choose one.");
		}
		long total = totalBytes(slots, maxRequestBytes, maxResponseBytes);
		if (baseOffset + total > Integer.MAX_VALUE) {
			throw new InvalidConfigurationException("slots", slots, "would take %d B, beyond 2 GiB".formatted(total),
					"Lower ring-memory or the capacities of the messages.");
		}
		return of(baseOffset, slots, maxRequestBytes, maxResponseBytes);
	}

	/**
	 * {@return the memory of a ring of a given size}
	 * @param slots the number of slots
	 * @param maxRequestBytes the largest request
	 * @param maxResponseBytes the largest response
	 */
	public static long totalBytes(long slots, int maxRequestBytes, int maxResponseBytes) {
		return slots * bytesPerSlot(maxRequestBytes, maxResponseBytes);
	}

	private static long bytesPerSlot(int maxRequestBytes, int maxResponseBytes) {
		return LINE_BYTES + slotStride(inlineBytes(maxRequestBytes)) + slotStride(inlineBytes(maxResponseBytes))
				+ (long) payloadStride(maxRequestBytes) + payloadStride(maxResponseBytes);
	}

	private static int inlineBytes(int maxBytes) {
		return Math.min(maxBytes, MAX_INLINE_BYTES);
	}

	private static int slotStride(int inlineBytes) {
		return lines((1 + dataChunks(inlineBytes)) * CHUNK_BYTES);
	}

	private static int payloadStride(int maxBytes) {
		return (maxBytes > MAX_INLINE_BYTES) ? lines(maxBytes) : 0;
	}

	private static int lines(int bytes) {
		return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
	}

	/**
	 * {@return how many chunks hold so much data, without a header}
	 * @param bytes the data
	 */
	public static int dataChunks(int bytes) {
		return (bytes + CHUNK_DATA_BYTES - 1) / CHUNK_DATA_BYTES;
	}

	/**
	 * {@return the slot of a position}
	 * @param position a position
	 */
	public int slot(long position) {
		return (int) position & (this.slots - 1);
	}

	/**
	 * {@return the tag of a position}
	 * @param position a position
	 */
	public int tag(long position) {
		return LapTag.of(position, this.slotsShift);
	}

	/**
	 * {@return where the word of a slot's skipped laps lies, in bytes from the start of
	 * the memory}
	 * @param slot the slot; the number of slots for the end of all
	 * @since 0.2.0
	 */
	public int skippedLapsOffset(int slot) {
		return this.skippedLapsOffset + slot * LINE_BYTES;
	}

}
