package io.ringkernel.spring.ai.filter;

/**
 * A value of a row in a column.
 *
 * @param column the column
 * @param content the value, as the kernel compares it
 * @since 0.2.0
 */
public record Cell(int column, long content) {
}
