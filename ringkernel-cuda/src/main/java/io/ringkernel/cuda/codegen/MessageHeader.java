package io.ringkernel.cuda.codegen;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.ringkernel.message.Field;
import io.ringkernel.message.MessageLayout;
import org.jspecify.annotations.Nullable;

/**
 * The C++ header of some messages: a struct for each, with those of nested records and
 * the enums before it, and assertions that the compiler lays them out as Java does.
 */
public final class MessageHeader {

	private final Map<String, Class<?>> declared = new LinkedHashMap<>();

	private final StringBuilder declarations = new StringBuilder();

	private final List<Class<? extends Record>> messages;

	private MessageHeader(List<Class<? extends Record>> messages) {
		this.messages = messages;
	}

	/**
	 * Writes a header.
	 * @param messages the records; in C++ they have their simple names
	 * @return the text of the header
	 * @throws IllegalArgumentException if two different classes have the same simple name
	 * @throws io.ringkernel.UnsupportedMessageTypeException if a record cannot be laid
	 * out
	 */
	public static String of(List<Class<? extends Record>> messages) {
		MessageHeader header = new MessageHeader(messages);
		messages.forEach(header::message);
		String names = messages.stream().map(Class::getName).collect(Collectors.joining(", "));
		return """
				// Generated from %s.
				// Change the records and generate it anew.
				#pragma once

				#include <cstddef>
				#include <cstdint>

				#include <ringkernel/message.cuh>
				#include <ringkernel/received.cuh>
				""".formatted(names) + header.declarations;
	}

	private <T extends Record> void message(Class<T> type) {
		MessageLayout<T> layout = MessageLayout.of(type);
		layout.fields().forEach(this::dependencies);
		if (isNew(type.getSimpleName(), type)) {
			CppStruct struct = CppStruct.message(type.getSimpleName(), layout);
			add(struct.definition());
			add(struct.assertions(layout.fixedSize()));
		}
	}

	private void dependencies(Field field) {
		Class<?> type = field.type();
		if (field.kind() == Field.Kind.ENUM && isNew(type.getSimpleName(), type)) {
			add(Arrays.stream(type.getEnumConstants())
				.map((constant) -> CppName.of(((Enum<?>) constant).name()))
				.collect(Collectors.joining(", ", "enum class " + type.getSimpleName() + " : int32_t { ", " };\n")));
		}
		if (field.kind() == Field.Kind.RECORD) {
			field.fields().forEach(this::dependencies);
			nested(type.asSubclass(Record.class), field.fields());
		}
	}

	private <T extends Record> void nested(Class<T> type, List<Field> fields) {
		if (!CppStruct.isPlaced(fields) && this.messages.contains(type)) {
			message(type);
			return;
		}
		String name = type.getSimpleName() + (CppStruct.isPlaced(fields) ? "At" : "");
		if (isNew(name, type)) {
			CppStruct struct = CppStruct.nested(name, fields);
			add(struct.definition());
			add(struct.assertions(MessageLayout.of(type).fixedSize()));
		}
	}

	private boolean isNew(String name, Class<?> type) {
		@Nullable Class<?> other = this.declared.putIfAbsent(name, type);
		if (other != null && !other.equals(type)) {
			throw new IllegalArgumentException("%s and %s are both %s in C++. Rename one, or put them into two headers."
				.formatted(other.getName(), type.getName(), name));
		}
		return other == null;
	}

	private void add(String declaration) {
		this.declarations.append("\n").append(declaration);
	}

}
