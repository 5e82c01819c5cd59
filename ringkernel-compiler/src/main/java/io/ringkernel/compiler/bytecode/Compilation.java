package io.ringkernel.compiler.bytecode;

/**
 * What the parts of a translation work with.
 *
 * @param translation the code and where it is
 * @param messages the request and the response
 * @param shapes what values of a class consist of
 */
record Compilation(Translation translation, Messages messages, Shapes shapes) {
}
