package io.ringkernel.cuda.codegen;

import java.util.Set;

/**
 * Names that are as legal in C++ as in Java.
 */
final class CppName {

	/**
	 * What Java lets a component or a constant be called and C++ does not: keywords, what
	 * a struct names itself, and macros of the headers that nvcc includes.
	 */
	private static final Set<String> RESERVED = Set.of("alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand",
			"bitor", "bool", "char16_t", "char32_t", "char8_t", "compl", "concept", "const_cast", "consteval",
			"constexpr", "constinit", "co_await", "co_return", "co_yield", "decltype", "delete", "dynamic_cast",
			"explicit", "export", "extern", "friend", "inline", "mutable", "namespace", "noexcept", "not", "not_eq",
			"nullptr", "operator", "or", "or_eq", "register", "reinterpret_cast", "requires", "signed", "sizeof",
			"static_assert", "static_cast", "struct", "template", "thread_local", "typedef", "typeid", "typename",
			"union", "unsigned", "using", "valid", "virtual", "wchar_t", "xor", "xor_eq", "FINGERPRINT", "MAX_BYTES",
			"LAYOUT", "AT", "NULL", "NAN", "INFINITY");

	private CppName() {
	}

	/**
	 * The name of a member or constant, with an underscore behind it where C++ needs the
	 * name itself.
	 */
	static String of(String name) {
		return RESERVED.contains(name) ? name + "_" : name;
	}

}
