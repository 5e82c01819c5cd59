package io.ringkernel.state;

import java.lang.reflect.Field;

/**
 * A field of a part of a handler.
 *
 * @param path the path of the part, as {@link HandlerParts} has it
 * @param field the field
 * @since 0.2.0
 */
public record PartField(String path, Field field) {
}
