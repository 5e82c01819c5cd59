package io.ringkernel.ring;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DraftsTests {

	private final Drafts drafts = new Drafts(64);

	@Test
	void aThreadTakesTheDraftThatItGaveBack() {
		Draft draft = this.drafts.take();
		draft.giveBack();
		assertThat(this.drafts.take()).isSameAs(draft);
	}

	@Test
	void aDraftThatIsTakenIsHandedOutToNobodyElse() {
		List<Draft> taken = new ArrayList<>();
		for (int i = 0; i < 1_000; i++) {
			taken.add(this.drafts.take());
		}
		assertThat(taken).doesNotHaveDuplicates();
	}

	@Test
	void draftsThatAreNeverGivenBackAreReplaced() {
		for (int i = 0; i < 1_000; i++) {
			this.drafts.take();
		}
		Draft draft = this.drafts.take();
		draft.giveBack();
		assertThat(this.drafts.take()).isSameAs(draft);
	}

}
