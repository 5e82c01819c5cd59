package io.ringkernel.cuda.codegen;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.ringkernel.message.Field;
import io.ringkernel.message.MessageLayout;

/**
 * The C++ header of some messages: a struct for each, with those of nested records and
 * the enums before it, and assertions that the compiler lays them out as Java does.
 *
 * @since 0.1.0
 */
public final class MessageHeader {

	private final Set<String> defined = new HashSet<>();

	private final StringBuilder declarations = new StringBuilder();

	private final List<Class<? extends Record>> messages;

	private final CppTypes types;

	private MessageHeader(List<Class<? extends Record>> messages) {
		this.messages = messages;
		this.types = new CppTypes(messages);
		messages.forEach((message) -> MessageLayout.of(message).fields().forEach(this.types::add));
	}

	/**
	 * Writes a header.
	 * @param messages the records; in C++ they have their simple names, and a type that a
	 * record declares has the record's name before its own: {@code Order::Kind}
	 * @return the text of the header
	 * @throws IllegalArgumentException if two different classes have the same name in C++
	 * @throws io.ringkernel.exception.UnsupportedMessageTypeException if a record cannot
	 * be laid out
	 */
	public static String of(List<Class<? extends Record>> messages) {
		MessageHeader header = new MessageHeader(messages);
		messages.forEach(header::message);
		header.types.owners().forEach(header::owner);
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
		struct(type, CppStruct.message(this.types, layout), this.types.name(type), layout.fixedSize());
	}

	private void dependencies(Field field) {
		if (field.kind() == Field.Kind.ENUM) {
			constants(field);
		}
		if (field.kind() == Field.Kind.RECORD) {
			field.fields().forEach(this::dependencies);
			nested(field.type().asSubclass(Record.class), field);
		}
	}

	private void constants(Field field) {
		String name = this.types.name(field);
		if (this.defined.add(name)) {
			add(Arrays.stream(field.type().getEnumConstants())
				.map((constant) -> CppName.of(((Enum<?>) constant).name()))
				.collect(Collectors.joining(", ", "enum class " + name + " : int32_t { ", " };\n")));
		}
	}

	private void nested(Class<? extends Record> type, Field field) {
		if (!CppStruct.isPlaced(field.fields()) && this.messages.contains(type)) {
			message(type);
			return;
		}
		struct(type, CppStruct.nested(this.types, field), this.types.name(field), MessageLayout.of(type).fixedSize());
	}

	private void struct(Class<?> type, CppStruct struct, String name, int size) {
		if (this.defined.add(name)) {
			if (name.equals(this.types.name(type))) {
				forwards(type);
			}
			add(struct.definition());
			add(struct.assertions(size));
		}
	}

	/**
	 * A record that has no struct of its own is one for the sake of the types that it
	 * declares.
	 */
	private void owner(Class<?> type) {
		String name = this.types.name(type);
		if (this.defined.add(name)) {
			forwards(type);
			add(this.types.aliases(type)
				.stream()
				.collect(Collectors.joining("\n  ", "struct " + name + " {\n  ", "\n};\n")));
		}
	}

	private void forwards(Class<?> type) {
		List<String> forwards = this.types.forwards(type);
		if (!forwards.isEmpty()) {
			add(String.join("\n", forwards) + "\n");
		}
	}

	private void add(String declaration) {
		this.declarations.append("\n").append(declaration);
	}

}
