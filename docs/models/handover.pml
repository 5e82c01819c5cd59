/*
 * The hand-over of a ring from a loop that dies to the next one.
 *
 * README.md beside this file maps the processes and variables to the classes that they model, and
 * tells with which bounds and which mistakes .ci/models runs it.
 */

/* The bounds. */
#ifndef POSITIONS
#define POSITIONS 5 /* a run ends when so many are claimed and done; at most three laps */
#endif
#ifndef SLOTS
#define SLOTS 3
#endif
#ifndef WORKERS
#define WORKERS 3 /* of all blocks */
#endif
#ifndef PER_BLOCK
#define PER_BLOCK 2 /* of each block but the last, which has what remains */
#endif
#ifndef NEXT_PER_BLOCK
#define NEXT_PER_BLOCK PER_BLOCK /* the same, of the loops after the first */
#endif
#ifndef DEATHS
#define DEATHS 2
#endif
#ifndef MAY_FAIL
#define MAY_FAIL 0 /* whether it may be that no other loop is to be had */
#endif
#ifndef REPLAY
#define REPLAY 0 /* whether the kernel admits that a request is handled again */
#endif
#ifndef DROPS
#define DROPS 1 /* whether a death drops answers that are under way */
#endif
#ifndef STRAY_STORES
#define STRAY_STORES 0 /* whether the kernel may spoil the words of skipped laps */
#endif
#define NONE 255
#define ALL ((1 << POSITIONS) - 1)
#define SLOT(p) ((p) % SLOTS)
#define LAP(p) ((p) / SLOTS)

/* Sets of positions are words of bits. */
#define IS_IN(set, p) ((set >> (p)) & 1)
#define ADD(set, p) set = set | (1 << (p))
#define REMOVE(set, p) set = set & ~(1 << (p))
#define LAPS (1 | 1 << SLOTS | 1 << (2 * SLOTS))
#define OF_SLOT(s) (LAPS << (s))

/* The ring. */
int published; /* the slot holds the tag of this request */
int skipped;   /* the words of skipped laps, which kernels read and may spoil */
int torn;      /* a part of an answer is there, of a loop that is dead */
int answered;  /* an answer of a loop is there in whole */
int lost;      /* the host has answered that the request is lost */

/* What nobody can read; assertions do. */
int begun;  /* a handler has begun the request */
int voided; /* there is no request, the position was passed over */
int done;   /* the slot was given back, or the position is void */

/* The words of the slots, the head, and the turn to pass over a slot. */
byte head;
byte released[SLOTS];
byte passedFirst[SLOTS];
byte passedEnd[SLOTS];
byte passing = NONE;
bool turnIsTaken;

/* The loop that serves the ring, its order and its workers. */
bool alive = true;
bool failed;
byte deaths;
byte perBlock = PER_BLOCK;
byte orderHead;
byte orderLength;
byte order[SLOTS];
byte tickets[WORKERS];       /* of each block, how many were taken */
byte held[WORKERS] = NONE;   /* the position of its ticket */
bool handles[WORKERS];       /* whether it has begun the request there */
byte latest[WORKERS] = NONE; /* its latest answer, while that is under way */
byte before[WORKERS] = NONE; /* the answer before, while that is under way */

#define BLOCKS ((WORKERS + perBlock - 1) / perBlock)
#define BLOCK_OF(w) ((w) / perBlock)
#define TURN(w) (BLOCK_OF(w) + tickets[BLOCK_OF(w)] * BLOCKS)
#define TURNS (orderLength + POSITIONS - orderHead)
#define IS_ANSWERED(p) (IS_IN(answered, p) || IS_IN(lost, p))
#define IS_VOID_TO_KERNEL(p) (IS_IN(skipped, p) || ((published >> ((p) + SLOTS)) & LAPS))

#ifdef EQUAL_BLOCKS
#define WORKERS_OF(b) ((WORKERS + BLOCKS - 1) / BLOCKS)
#else
#define WORKERS_OF(b) ((b) == BLOCKS - 1 -> WORKERS - (b) * perBlock : perBlock)
#endif

/* Of a block with w workers, how many unanswered turns are noted after a death. */
#if defined(ONE_TURN) || !DROPS
#define OLDEST(w) (w)
#elif defined(TWO_TURNS)
#define OLDEST(w) (2 * (w))
#else
#define OLDEST(w) (3 * ((w) - 1) + 2)
#endif

#ifdef KEEP_TORN
#define CLEAR_ANSWER(p) skip
#else
#define CLEAR_ANSWER(p) REMOVE(torn, p)
#endif

/* The lap that a slot is free for, or is held by once the head has passed it; NONE while it is held by an earlier one. */
#define IS_PASSED(s) (passedFirst[s] < passedEnd[s] && released[s] <= passedFirst[s])
#define PASSED_LAP(s, ifHeld) (released[s] == passedFirst[s] -> passedEnd[s] : ifHeld)
#define NEXT_LAP(s) (IS_PASSED(s) -> PASSED_LAP(s, NONE) : released[s])
#define HOLDER_LAP(s) (IS_PASSED(s) -> PASSED_LAP(s, passedFirst[s] - 1) : released[s])
#define IS_FREE(p) (NEXT_LAP(SLOT(p)) == LAP(p))
#define HOLDER(s) (HOLDER_LAP(s) * SLOTS + (s))
#define GIVE_BACK(p) released[SLOT(p)] = LAP(p) + 1; ADD(done, p)

#define ANOTHER_IS_FREE \
	((SLOTS > 1 && IS_FREE(head + 1)) || (SLOTS > 2 && IS_FREE(head + 2)) || (SLOTS > 3 && IS_FREE(head + 3)) || \
	 (SLOTS > 4 && IS_FREE(head + 4)) || (SLOTS > 5 && IS_FREE(head + 5)))
#define FOLLOWS_RANGE(p) (passedFirst[SLOT(p)] < passedEnd[SLOT(p)] && passedEnd[SLOT(p)] == LAP(p))

/* Producers claim positions in order. */
active proctype Claims()
{
end:
	do
	:: atomic { !failed && head < POSITIONS && IS_FREE(head) -> head++ }
	od
}

/* The producer that has the turn passes over a slot that is busy while another one is free. */
active proctype PassesOver()
{
	byte position;

end:
	do
	:: atomic {
			!failed && head < POSITIONS && !turnIsTaken && !IS_FREE(head) && ANOTHER_IS_FREE ->
			turnIsTaken = true;
			position = head
		}
		/* The slot may have been given back since: the compare-and-set looks at the head alone. */
		if
		:: atomic { head == position -> head++; ADD(voided, position); ADD(done, position) }
			passing = position;
			d_step {
				if
				:: FOLLOWS_RANGE(position) -> skip
				:: else -> skipped = skipped & ~OF_SLOT(SLOT(position))
				fi;
				ADD(skipped, position)
			}
			d_step {
				if
				:: FOLLOWS_RANGE(position) -> skip
				:: else -> passedFirst[SLOT(position)] = LAP(position)
				fi;
				passedEnd[SLOT(position)] = LAP(position) + 1
			}
		:: head != position -> skip
		fi;
		d_step { passing = NONE; turnIsTaken = false; position = 0 }
	od
}

/* A request: it is published when its producer comes to that, and its caller takes the answer. */
proctype Call(byte p)
{
	if
	:: failed && head <= p -> goto over
	:: head > p && IS_IN(voided, p) -> goto over
	:: atomic { head > p && !IS_IN(voided, p) -> skip }
	fi;
	if
	:: ADD(published, p)
	:: failed -> skip
	fi;
	if
	:: d_step {
			IS_ANSWERED(p) ->
			assert(!(IS_IN(answered, p) && IS_IN(lost, p)));
			assert(IS_IN(begun, p) || IS_IN(lost, p));
			GIVE_BACK(p)
		}
	:: d_step { failed && !IS_ANSWERED(p) -> GIVE_BACK(p) }
	fi;
over:
	skip
}

/* Of two idle workers of a block, either one may take the ticket: only the first one does. */
#define IS_IDLE(w) (held[w] == NONE && latest[w] == NONE && before[w] == NONE)
#define HAS_TWIN(w) ((w) % perBlock != 0 && IS_IDLE(w) && IS_IDLE((w) - 1))

/* A worker of the loop that is alive. */
proctype Worker(byte w)
{
end:
	do
	:: d_step {
			alive && held[w] == NONE && TURN(w) < TURNS && !HAS_TWIN(w) ->
			held[w] = (TURN(w) < orderLength -> order[TURN(w) % SLOTS] : orderHead + TURN(w) - orderLength);
			tickets[BLOCK_OF(w)]++
		}
	/* The load that finds a request has pushed along every answer but the latest. */
	:: d_step {
			alive && held[w] != NONE && !handles[w] && IS_IN(published, held[w]) && before[w] == NONE ->
			assert(REPLAY || !IS_IN(begun, held[w]));
			assert(!IS_IN(torn, held[w]) && !IS_ANSWERED(held[w]));
			ADD(begun, held[w]);
			handles[w] = true
		}
	:: d_step {
			alive && held[w] != NONE && !handles[w] && IS_VOID_TO_KERNEL(held[w]) ->
			assert(IS_IN(voided, held[w]));
			held[w] = NONE
		}
	:: d_step {
			alive && handles[w] ->
			before[w] = latest[w];
			latest[w] = held[w];
			held[w] = NONE;
			handles[w] = false
		}
	:: d_step { alive && latest[w] != NONE -> ADD(answered, latest[w]); latest[w] = NONE }
	:: d_step { alive && before[w] != NONE -> ADD(answered, before[w]); before[w] = NONE }
	od
}

/* At the death, an answer that is under way arrives, is dropped, or is torn. */
inline endUnderway(answer)
{
	if
	:: answer == NONE -> skip
	:: answer != NONE -> ADD(answered, answer)
	:: answer != NONE && DROPS -> skip
	:: answer != NONE && DROPS && REPLAY -> ADD(torn, answer)
	fi;
	answer = NONE
}

#ifdef COUNT_PASSING
#define IS_COUNTED(p) true
#else
#define IS_COUNTED(p) (p != seenPassing)
#endif

/* The positions before a head that hold their slots: one look at each slot. */
inline listInFlight(limit)
{
	seenPassing = passing;
	i = 0;
	do
	:: atomic {
			i < SLOTS ->
			if
			:: HOLDER(i) < limit && IS_COUNTED(HOLDER(i)) -> ADD(inFlight, HOLDER(i))
			:: else -> skip
			fi;
			i++
		}
	:: atomic { i == SLOTS -> i = 0; break }
	od;
	seenPassing = NONE
}

/* Writes the words of skipped laps anew. The turn keeps additions out. */
inline rewriteSkipped()
{
	d_step {
		!turnIsTaken ->
		skipped = 0;
		for (p : 0 .. POSITIONS - 1) {
			if
			:: passedFirst[SLOT(p)] <= LAP(p) && LAP(p) < passedEnd[SLOT(p)] -> ADD(skipped, p)
			:: else -> skip
			fi
		}
		p = 0
	}
}

/* Sets a variable to the block that has the turn of a position. */
inline findBlock(p)
{
	block = p - orderHead + orderLength;
	if
	:: p < orderHead ->
		block = 0;
		for (k : 0 .. SLOTS - 1) {
			if
			:: k < orderLength && order[k] == p -> block = k
			:: else -> skip
			fi
		}
		k = 0
	:: else -> skip
	fi;
	block = block % BLOCKS
}

/* The loop dies at any step, and the host hands the ring over. */
proctype HandOver()
{
	byte i, k, p, block, seenHead, seenPassing = NONE;
	byte unanswered[WORKERS];
	int inFlight, noted;

	do
	:: atomic {
			deaths < DEATHS && done != ALL ->
			deaths++;
			alive = false;
			for (i : 0 .. WORKERS - 1) {
				endUnderway(latest[i]);
				endUnderway(before[i]);
				held[i] = NONE;
				handles[i] = false
			}
			i = 0;
			if
			:: skip
			:: STRAY_STORES -> skipped = 0
			:: STRAY_STORES -> skipped = ALL
			fi
		}
		/* TicketOrder.begun */
		seenHead = head;
		listInFlight(seenHead);
		p = 0;
		do
		:: d_step {
				p < POSITIONS ->
				if
				:: IS_IN(inFlight, p) && !IS_ANSWERED(p) ->
					findBlock(p);
					unanswered[block]++;
					if
					:: unanswered[block] <= OLDEST(WORKERS_OF(block)) && IS_IN(published, p) -> ADD(noted, p)
					:: else -> skip
					fi
				:: else -> skip
				fi;
				p++
			}
		:: p == POSITIONS -> break
		od;
		seenHead = 0;
		/* ServingLoop.loseBegun */
		d_step {
			if
			:: REPLAY -> skip
			:: else -> lost = lost | (noted & ~answered)
			fi;
			for (i : 0 .. WORKERS - 1) {
				unanswered[i] = 0
			}
			i = 0;
			p = 0;
			block = 0;
			noted = 0;
			inFlight = 0
		}
		if
		:: skip
		:: MAY_FAIL -> failed = true; goto over
		fi;
		/* ServingOrder.of */
#ifndef KEEP_SKIPPED
		rewriteSkipped();
#endif
#ifdef SLOTS_FIRST
		listInFlight(head);
		orderHead = head;
		skip;
#else
		orderHead = head;
		listInFlight(orderHead);
#endif
		d_step {
			orderLength = 0;
			for (p : 0 .. POSITIONS - 1) {
				if
				:: IS_IN(inFlight, p) && !IS_ANSWERED(p) ->
					order[orderLength] = p;
					orderLength++;
					CLEAR_ANSWER(p)
				:: else -> skip
				fi
			}
			for (i : 0 .. WORKERS - 1) {
				tickets[i] = 0
			}
			i = 0;
			p = 0;
			inFlight = 0;
			perBlock = NEXT_PER_BLOCK;
			alive = true
		}
	:: done == ALL && !turnIsTaken -> break
	od;
	/* No slot has leaked. */
	for (i : POSITIONS .. POSITIONS + SLOTS - 1) {
		assert(IS_FREE(i))
	}
over:
	skip
}

init {
	byte i;

	atomic {
		for (i : 0 .. POSITIONS - 1) {
			run Call(i)
		}
		for (i : 0 .. WORKERS - 1) {
			run Worker(i)
		}
		i = 0;
		run HandOver()
	}
}
