/**
 * What is read from class files: classes, their methods, and the ways through these.
 */
@NullMarked
package io.ringkernel.compiler.classfile;

import org.jspecify.annotations.NullMarked;
