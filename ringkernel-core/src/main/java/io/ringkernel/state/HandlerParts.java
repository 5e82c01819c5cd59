package io.ringkernel.state;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.IdentityHashMap;

import io.ringkernel.RingKernelHandler;
import org.jspecify.annotations.Nullable;

/**
 * The handlers that a handler consists of: itself, and those that it keeps in final
 * fields, as a pipeline does.
 *
 * @since 0.2.0
 */
public final class HandlerParts {

	private final IdentityHashMap<Object, String> paths = new IdentityHashMap<>();

	/**
	 * Finds the parts of a handler.
	 * @param handler the handler
	 */
	public HandlerParts(Object handler) {
		add(handler, "");
	}

	private void add(Object handler, String path) {
		if (this.paths.putIfAbsent(handler, path) != null) {
			return;
		}
		for (Class<?> at = handler.getClass(); at != Object.class; at = at.getSuperclass()) {
			for (Field field : at.getDeclaredFields()) {
				if (isPart(field)) {
					Object part = content(field, handler);
					if (part instanceof RingKernelHandler) {
						add(part, path + field.getName() + ".");
					}
				}
			}
		}
	}

	/**
	 * {@return whether a field may hold a part: it is final, no static one, and declared
	 * as a handler}
	 * @param field a field of a handler
	 */
	public static boolean isPart(Field field) {
		return Modifier.isFinal(field.getModifiers()) && !Modifier.isStatic(field.getModifiers())
				&& RingKernelHandler.class.isAssignableFrom(field.getType());
	}

	// A field that cannot be read is found to be so by those who need what it holds.
	private static @Nullable Object content(Field field, Object owner) {
		try {
			field.setAccessible(true);
			return field.get(owner);
		}
		catch (IllegalAccessException | InaccessibleObjectException ex) {
			return null;
		}
	}

	/**
	 * {@return the parts, by identity, each with its path: what the names of its fields
	 * begin with; empty for the handler itself} A part that several fields hold has one
	 * of their paths.
	 */
	public IdentityHashMap<Object, String> paths() {
		return this.paths;
	}

}
