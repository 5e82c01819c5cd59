package io.ringkernel.spring.ai.search;

import java.util.List;

/**
 * Rows that a program is tried on.
 */
public final class FilteredRows {

	private final RowBlock block = new RowBlock(1);

	/**
	 * Fills the cells of a row.
	 * @param columns the column of each cell
	 * @param contents the content of each cell
	 */
	public void put(int row, List<Integer> columns, List<Long> contents) {
		this.block.write(row, new float[1], 0, 1, ElementType.FLOAT32);
		for (int i = 0; i < columns.size(); i++) {
			this.block.writeCell(row, columns.get(i), contents.get(i));
		}
	}

	public boolean matches(FilterProgram program, int row) {
		return (program.matches(this.block) >>> row & 1) != 0;
	}

}
