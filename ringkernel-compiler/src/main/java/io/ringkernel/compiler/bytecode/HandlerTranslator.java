package io.ringkernel.compiler.bytecode;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.FailurePoint;
import io.ringkernel.compiler.call.ResponseArrays;
import io.ringkernel.compiler.call.Texts;
import io.ringkernel.compiler.classfile.Classes;
import io.ringkernel.compiler.handler.HandlerMethod;
import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.ConstantData;
import io.ringkernel.compiler.ir.Function;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.WorkerCall;
import io.ringkernel.compiler.pass.Barriers;
import io.ringkernel.compiler.pass.Checks;
import io.ringkernel.compiler.pass.CommonValues;
import io.ringkernel.compiler.pass.DeadCode;
import io.ringkernel.compiler.translation.Assistance;
import io.ringkernel.compiler.translation.Compilation;
import io.ringkernel.compiler.translation.Messages;
import io.ringkernel.compiler.translation.RequestChecks;
import io.ringkernel.compiler.translation.Response;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Shapes;
import io.ringkernel.compiler.value.Value;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.Field;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.state.HandlerParts;
import io.ringkernel.state.PartField;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;

/**
 * Translates the method {@code handle} of a handler with all that it calls. A method that
 * is called is translated where it is called, and a reference becomes the scalars that it
 * stands for: an array its address and length, a record its components, a lambda what it
 * captures.
 *
 * @since 0.2.0
 */
public final class HandlerTranslator {

	private HandlerTranslator() {
	}

	/**
	 * Translates a handler.
	 * @throws HandlerRefusedException if a device cannot do what it does
	 */
	public static Result translate(RingKernelHandler<?, ?> handler, MessageLayout<?> requests,
			MessageLayout<?> responses) {
		// Whether workers assist decides where a request lies, and is known at the end.
		Result result = translate(handler, requests, responses, -1);
		return result.isAssisted() ? translate(handler, requests, responses, Assistance.requestBytes(requests))
				: result;
	}

	private static Result translate(RingKernelHandler<?, ?> handler, MessageLayout<?> requests,
			MessageLayout<?> responses, int requestBytes) {
		Classes classes = new Classes(loader(handler));
		HandlerMethod handle = HandlerMethod.of(classes, handler, requests.type(), responses.type());
		Map<AbstractInsnNode, Field> made = new ResponseArrays(classes, handle.method())
			.ofResponse(Type.getInternalName(responses.type()), responses.fields());
		Translation translation = new Translation(classes, handler, responses, requestBytes);
		// Members of nested records may be like them, and are others.
		Set<Field> inPlace = Collections.newSetFromMap(new IdentityHashMap<>());
		inPlace.addAll(made.values());
		Messages messages = new Messages(translation, inPlace);
		Shapes shapes = new Shapes(classes);
		translation.refusals()
			.report(() -> translate(new Compilation(translation, messages, shapes, MethodTranslator::translate), handle,
					made, requests, responses));
		improve(translation.code());
		List<Function> functions = translation.functions().all();
		functions.forEach((function) -> improve(function.code()));
		return new Result(Barriers.added(translation.code(), translation.worker()), functions, translation.worker(),
				translation.failures().known(), translation.state().bytes(), translation.state().initial(),
				translation.scratch().bytes(), translation.state().fields(), translation.state().arrays(),
				translation.constants().data(), translation.assistance().isWanted());
	}

	/**
	 * What the classes of all parts are found by: a pipeline is of another class loader
	 * than its stages where the application has one of its own.
	 */
	private static @Nullable ClassLoader loader(Object handler) {
		List<Class<?>> parts = new HandlerParts(handler).paths()
			.keySet()
			.stream()
			.<Class<?>>map(Object::getClass)
			.filter((part) -> !part.isHidden())
			.toList();
		return Stream.concat(Stream.of(handler.getClass()), parts.stream())
			.map(Class::getClassLoader)
			.filter((loader) -> parts.stream().allMatch((part) -> knows(loader, part)))
			.findFirst()
			.orElse(handler.getClass().getClassLoader());
	}

	private static boolean knows(@Nullable ClassLoader loader, Class<?> part) {
		try {
			return Class.forName(part.getName(), false, loader).equals(part);
		}
		catch (ClassNotFoundException ex) {
			return false;
		}
	}

	private static void improve(Code code) {
		CommonValues.share(code);
		DeadCode.omit(code);
		Checks.join(code);
	}

	private static void translate(Compilation compilation, HandlerMethod handle, Map<AbstractInsnNode, Field> made,
			MessageLayout<?> requests, MessageLayout<?> responses) {
		Translation translation = compilation.translation();
		translation.enter(handle.method(), List.of());
		Label rejected = new Label();
		new RequestChecks(translation.code(), translation.worker(), requests).require(rejected);
		Shape.RecordOf request = (Shape.RecordOf) compilation.shapes().of(Type.getType(requests.type()));
		Value in = compilation.messages().request(request, requests.fields());
		List<Value> arguments = handle.arguments(compilation, in);
		translation.leave();
		Value out = compilation.inline(handle.method(), arguments, made);
		translation.enter(handle.method(), List.of());
		if (out != null) {
			compilation.messages().respond(out, responses.fields());
		}
		translation.code().add(translation.response().finish());
		compilation.messages().measureTexts(new Texts(compilation)::units);
		translation.scratch().requireNoLoops();
		translation.failures().finish();
		translation.code().mark(rejected);
		translation.code().add(Response.reject());
		translation.assistance().finish();
		translation.leave();
	}

	/**
	 * The code of a handler.
	 *
	 * @param functions what it calls, each behind those that it calls itself
	 * @param failures what its codes of failure mean: code 1 is the first
	 * @param initialState the first bytes of that, direct and read-only; the others are
	 * zero
	 * @param arrays by identity, where in the state it keeps the elements
	 * @param isAssisted whether workers that wait take part in a request
	 */
	public record Result(Code code, List<Function> functions, WorkerCall worker, List<FailurePoint> failures,
			long stateBytes, ByteBuffer initialState, int scratchBytes, Map<PartField, Long> fields,
			IdentityHashMap<Object, Long> arrays, ConstantData constants, boolean isAssisted) {
	}

}
