package io.ringkernel.cuda.codegen;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.ringkernel.message.Field;
import org.jspecify.annotations.Nullable;

/**
 * What enums and records are called in C++. A message has its simple name, and so has any
 * other type unless a record declares it: {@code Order.Kind} is {@code Order_Kind}, with
 * the alias {@code Order::Kind}. Two records may therefore each have a {@code Kind}. The
 * definitions are not nested themselves, because a type may hold the record that declares
 * it.
 */
final class CppTypes {

	/** What a record with arrays of variable length, a template, has behind its name. */
	private static final String PLACED = "At";

	private final Collection<? extends Class<?>> messages;

	private final Map<String, Class<?>> claimed = new LinkedHashMap<>();

	/** What the struct of a record makes known, by its C++ type. */
	private final Map<Class<?>, Map<String, Member>> members = new LinkedHashMap<>();

	CppTypes(Collection<? extends Class<?>> messages) {
		this.messages = messages;
		messages.forEach((message) -> claim(name(message), message));
	}

	/** Makes the type of a field known, and those that it holds. */
	void add(Field field) {
		if (field.kind() != Field.Kind.ENUM && field.kind() != Field.Kind.RECORD) {
			return;
		}
		String name = name(field);
		claim(name, field.type());
		String simple = field.type().getSimpleName();
		if (field.kind() == Field.Kind.ENUM) {
			declare(field.type(),
					new Member("enum class " + name + " : int32_t", "using %s = %s".formatted(simple, name)));
		}
		else if (CppStruct.isPlaced(field.fields())) {
			declare(field.type(), new Member("template <uint32_t AT> struct " + name,
					"template <uint32_t AT> using %s%s = %s<AT>".formatted(simple, PLACED, name)));
		}
		else {
			declareStruct(field.type());
		}
		field.fields().forEach(this::add);
	}

	private void declareStruct(Class<?> type) {
		declare(type, new Member("struct " + name(type), "using %s = %s".formatted(type.getSimpleName(), name(type))));
	}

	/** So that the way from the outermost record to a type leads over structs. */
	private void declare(Class<?> type, Member member) {
		Class<?> owner = owner(type);
		if (owner != null) {
			this.members.computeIfAbsent(owner, (key) -> new LinkedHashMap<>()).put(member.alias(), member);
			declareStruct(owner);
		}
	}

	private void claim(String name, Class<?> type) {
		Class<?> other = this.claimed.putIfAbsent(name, type);
		if (other != null && !other.equals(type)) {
			throw new IllegalArgumentException("%s and %s are both %s in C++. Rename one, or put them into two headers."
				.formatted(other.getName(), type.getName(), name));
		}
	}

	/** The name of a field's enum or record, without template arguments. */
	String name(Field field) {
		return name(field.type()) + (CppStruct.isPlaced(field.fields()) ? PLACED : "");
	}

	String name(Class<?> type) {
		Class<?> owner = owner(type);
		return (owner != null) ? name(owner) + "_" + type.getSimpleName() : type.getSimpleName();
	}

	/** The record that declares a type; none declares a message. */
	private @Nullable Class<?> owner(Class<?> type) {
		Class<?> owner = this.messages.contains(type) ? null : type.getDeclaringClass();
		while (owner != null && !owner.isRecord()) {
			owner = owner.getDeclaringClass();
		}
		return owner;
	}

	Set<Class<?>> owners() {
		return this.members.keySet();
	}

	/** What is to stand before the struct of a record, so that its aliases may. */
	List<String> forwards(Class<?> owner) {
		return members(owner).map((member) -> member.forward() + ";").toList();
	}

	List<String> aliases(Class<?> owner) {
		return members(owner).map((member) -> member.alias() + ";").toList();
	}

	private Stream<Member> members(Class<?> owner) {
		return this.members.getOrDefault(owner, Map.of()).values().stream();
	}

	private record Member(String forward, String alias) {
	}

}
