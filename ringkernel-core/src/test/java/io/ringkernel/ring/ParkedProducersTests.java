package io.ringkernel.ring;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ParkedProducersTests {

	private static final int SLOTS = 4;

	private final ParkedProducers parked = new ParkedProducers(SLOTS);

	private ParkedProducers.Place joinAt(long head) {
		ParkedProducers.Place place = this.parked.place(head);
		this.parked.join(place);
		return place;
	}

	@Test
	void nobodyIsDueInAnEmptyLine() {
		assertThat(this.parked.isDue(Long.MAX_VALUE)).isFalse();
	}

	@Test
	void theFirstInLineIsDueAfterTwoRounds() {
		ParkedProducers.Place place = joinAt(100);
		assertThat(this.parked.isDue(107)).isFalse();
		assertThat(this.parked.isDue(108)).isTrue();
		this.parked.leave(place);
		assertThat(this.parked.isDue(108)).isFalse();
	}

	@Test
	void theProducersBeforeItBelongToTheRound() {
		ParkedProducers.Place first = joinAt(100);
		joinAt(100);
		this.parked.leave(first);
		assertThat(this.parked.isDue(109)).isFalse();
		assertThat(this.parked.isDue(110)).isTrue();
	}

	@Test
	void whileTheFirstIsDueTheOthersLookOnlyWhenWoken() {
		ParkedProducers.Place first = joinAt(0);
		ParkedProducers.Place second = joinAt(0);
		assertThat(this.parked.mayLook(second, 7)).isTrue();
		assertThat(this.parked.mayLook(first, 8)).isTrue();
		assertThat(this.parked.mayLook(second, 8)).isFalse();
		this.parked.signal();
		assertThat(this.parked.mayLook(second, 8)).isFalse();
		this.parked.signal();
		assertThat(this.parked.mayLook(second, 8)).isTrue();
		assertThat(this.parked.mayLook(second, 8)).isFalse();
	}

	@Test
	void aProducerThatIsWokenInVainKeepsItsPlace() {
		ParkedProducers.Place first = joinAt(0);
		ParkedProducers.Place second = joinAt(0);
		this.parked.signal();
		assertThat(this.parked.mayLook(first, 8)).isTrue();
		this.parked.signal();
		assertThat(this.parked.mayLook(second, 8)).isFalse();
		this.parked.leave(first);
		assertThat(this.parked.mayLook(second, 8)).isTrue();
	}

	@Test
	void aThreadThatCouldNotLeaveHoldsNobodyUp() {
		ParkedProducers.Place first = joinAt(0);
		ParkedProducers.Place second = joinAt(4);
		first.left = true;
		assertThat(this.parked.isDue(8)).isFalse();
		this.parked.signal();
		assertThat(this.parked.mayLook(second, 100)).isTrue();
	}

}
