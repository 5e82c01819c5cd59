package io.ringkernel.spring.ai.storage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link RowsById}.
 */
class RowsByIdTests {

	private final RowsById rows = new RowsById();

	/** What the table finds again, beside which it is compared. */
	private final Map<Integer, String> ids = new HashMap<>();

	private int find(String id) {
		return this.rows.find(id, (row) -> id.equals(this.ids.get(row)));
	}

	private void add(String id, int row) {
		this.rows.add(id, row);
		this.ids.put(row, id);
	}

	@Test
	void findsWhatWasAddedAndNothingElse() {
		add("a", 7);
		add("", Integer.MAX_VALUE);
		assertThat(find("a")).isEqualTo(7);
		assertThat(find("")).isEqualTo(Integer.MAX_VALUE);
		assertThat(find("b")).isNegative();
	}

	@Test
	void doesNotTakeAnotherDocumentForTheOneThatIsWanted() {
		add("a", 7);
		assertThat(this.rows.find("a", (row) -> false)).isNegative();
	}

	@Test
	void isThatOfAMapAfterManyChanges() {
		Random random = new Random(17);
		List<Integer> used = new ArrayList<>();
		int next = 0;
		for (int change = 0; change < 200_000; change++) {
			// Grows to some ten thousand rows, and shrinks again.
			boolean grows = random.nextInt(100) < ((change < 100_000) ? 60 : 40);
			if (grows || used.isEmpty()) {
				used.add(next);
				add("id" + next, next++);
			}
			else {
				Collections.swap(used, random.nextInt(used.size()), used.size() - 1);
				int row = used.remove(used.size() - 1);
				this.rows.remove(this.rows.entry("id" + row, row));
				this.ids.remove(row);
			}
		}
		for (int row = 0; row < next; row++) {
			assertThat(find("id" + row)).isEqualTo(this.ids.containsKey(row) ? row : -1);
		}
		assertThat(this.rows.all().boxed()).containsExactlyInAnyOrderElementsOf(this.ids.keySet());
	}

	@Test
	void refusesToRemoveWhatItDoesNotHave() {
		add("a", 7);
		assertThatIllegalStateException().isThrownBy(() -> this.rows.remove(this.rows.entry("a", 8)))
			.withMessage("Row 8 is not known by this id.");
	}

}
