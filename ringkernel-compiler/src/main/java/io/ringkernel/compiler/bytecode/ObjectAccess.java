package io.ringkernel.compiler.bytecode;

import java.util.List;
import java.util.Map;

import io.ringkernel.compiler.classfile.Classes;
import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.compiler.handler.HandlerFields;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.translation.Compilation;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodInsnNode;

import static io.ringkernel.compiler.ir.RegisterType.ADDRESS;

/**
 * The opcodes of objects and their fields. A record is its components, an exception its
 * class and message, a lambda what it captures.
 */
final class ObjectAccess {

	private static final String RECORDS = "java/lang/runtime/ObjectMethods";

	private static final String TEXTS = "java/lang/invoke/StringConcatFactory";

	private static final String CAST_FAILS = ClassCastException.class.getName();

	/** Stands for a value in the recipe of a text. */
	private static final String INSERTED = "\u0001";

	private final Compilation compilation;

	private final Translation translation;

	private final StackFrame frame;

	private final HandlerFields fields;

	ObjectAccess(Compilation compilation, StackFrame frame) {
		this.compilation = compilation;
		this.translation = compilation.translation();
		this.frame = frame;
		this.fields = new HandlerFields(compilation);
	}

	Value constant(Object constant) {
		if (constant instanceof String text) {
			return Value.of(new Shape.Text(text, true));
		}
		Value number = HandlerFields.number(constant);
		if (number == null) {
			throw this.translation.refuse("the constant %s is used".formatted(constant), "Use numbers and texts.");
		}
		return number;
	}

	void field(int opcode, FieldInsnNode field) {
		switch (opcode) {
			case Opcodes.GETFIELD -> this.frame.push(read(this.frame.pop(), field));
			case Opcodes.GETSTATIC -> this.frame.push(this.fields.readStatic(field));
			case Opcodes.PUTFIELD -> {
				Value value = this.frame.pop();
				write(this.frame.pop(), field, value);
			}
			default -> throw this.fields.notFinal(field.name);
		}
	}

	private Value read(Value receiver, FieldInsnNode field) {
		if (receiver.shape() instanceof Shape.RecordOf record) {
			return component(receiver, record, field.name);
		}
		if (receiver.shape() instanceof Shape.Part part) {
			return this.fields.read(part.handler(), field);
		}
		if (receiver.shape() instanceof Shape.EnumOf) {
			return this.fields.readOfEnum(receiver, field);
		}
		throw this.translation.refuse("the field %s of an object is read".formatted(field.name), "Make it a record.");
	}

	private static Value component(Value value, Shape.RecordOf record, String name) {
		List<Value> parts = value.parts(record.shapes());
		for (int i = 0; i < parts.size(); i++) {
			if (record.components().get(i).name().equals(name)) {
				return parts.get(i);
			}
		}
		throw new IllegalArgumentException("%s has no component %s".formatted(record.type(), name));
	}

	private void write(Value receiver, FieldInsnNode field, Value value) {
		if (receiver.shape() instanceof Shape.Part part) {
			this.fields.write(part.handler(), field, value);
			return;
		}
		if (receiver.shape() instanceof Shape.EnumOf) {
			throw this.fields.changingOfEnum(field.name);
		}
		if (!(receiver.shape() instanceof Shape.RecordOf record)) {
			throw this.translation.refuse("the field %s is written".formatted(field.name), "Return what it holds.");
		}
		Value component = component(receiver, record, field.name);
		Value placed = this.translation.constants().placed(value);
		if (component.shape().accepts(placed.shape())) {
			placed.moveTo(component, this.translation.code());
		}
		else if (placed.shape() instanceof Shape.ArrayOf array && array.isConstant()) {
			throw this.translation.refuse("the component %s gets the array of a static field".formatted(field.name),
					"Copy its elements to an array that the handler makes.");
		}
		else if (!(component.shape() instanceof Shape.Opaque)) {
			throw this.translation.refuse("the component %s gets a value of another kind".formatted(field.name),
					"Use numbers, texts, enums, records, Optionals and arrays.");
		}
	}

	/**
	 * NEW, CHECKCAST and their like.
	 * @return whether the code goes on: not behind a cast of an object of another class
	 */
	boolean type(int opcode, String type) {
		switch (opcode) {
			case Opcodes.NEW -> this.frame.begin(begun(type));
			case Opcodes.CHECKCAST -> {
				// What is known of a value stays as it is, whatever it is taken for.
				Value value = this.frame.pop();
				this.frame.push(value);
				String known = type(value.shape());
				if (known != null && !isSubtype(known, type)) {
					this.translation.failures().raise(Value.of(new Shape.Failing(CAST_FAILS, null, false)));
					return false;
				}
			}
			case Opcodes.ANEWARRAY -> throw type.startsWith("[")
					? this.translation.refuse("an array of arrays is made without them",
							"Make it with two lengths, as in new float[4][8], and set its elements.")
					: this.translation.refuse("an array of objects of %s is made".formatted(type.replace('/', '.')),
							"Make an array of a primitive type for each of their components.");
			default -> throw this.translation.refuse("objects of %s are used".formatted(type.replace('/', '.')),
					"Use numbers, enums, records and arrays of numbers.");
		}
		return true;
	}

	/** The class that a value is known to have; {@code null} if none is. */
	private static @Nullable String type(Shape shape) {
		if (shape instanceof Shape.ObjectOf known) {
			return known.type();
		}
		return (shape instanceof Shape.BoxOf box) ? box.type() : null;
	}

	/** Whether a class is one of another, as far as both are found. */
	private boolean isSubtype(String type, String of) {
		try {
			Classes classes = this.translation.classes();
			return type.equals(of) || classes.load(of).isAssignableFrom(classes.load(type));
		}
		catch (ClassNotFoundException ex) {
			return true;
		}
	}

	/** An object whose constructor has not run yet. */
	private Value begun(String type) {
		Shape shape = this.compilation.shapes().of(Type.getObjectType(type));
		if (shape instanceof Shape.RecordOf) {
			return Value.fresh(shape, this.translation.code());
		}
		if (isThrowable(type)) {
			return Value.of(new Shape.Failing(Type.getObjectType(type).getClassName(), null, false));
		}
		throw this.translation.refuse("an object of %s is made".formatted(type.replace('/', '.')), "Make a record.");
	}

	private boolean isThrowable(String type) {
		try {
			return Throwable.class.isAssignableFrom(this.translation.classes().load(type));
		}
		catch (ClassNotFoundException ex) {
			return false;
		}
	}

	/** A constructor runs: that of a record as it is, with what it checks. */
	void construct(MethodInsnNode constructor) {
		List<Value> arguments = this.frame.pop(Type.getArgumentTypes(constructor.desc).length);
		Value object = this.frame.pop();
		if (object.shape() instanceof Shape.Failing failing) {
			Value message = new ThrownMessages(this.translation.classes()).of(constructor, arguments);
			this.frame.complete(object, failing(failing.type(), message));
			return;
		}
		Method code = this.translation.classes().method(constructor.owner, constructor.name, constructor.desc);
		if (code != null && !constructor.owner.startsWith("java/")) {
			arguments.add(0, object);
			this.compilation.inline(code, arguments, Map.of());
			this.frame.complete(object, object);
		}
	}

	private static Value failing(String type, Value message) {
		if (message.shape() instanceof Shape.Utf8) {
			return new Value(new Shape.Failing(type, null, true), List.of(message.scalar()));
		}
		String text = (message.shape() instanceof Shape.Text known) ? known.constant() : null;
		return Value.of(new Shape.Failing(type, text, false));
	}

	/** An empty {@code Optional} as a variable declares it. */
	Value absent(Value empty, LocalVariableNode variable) {
		Shape declared = this.compilation.shapes().of(Type.getType(variable.desc), variable.signature);
		if (!declared.accepts(empty.shape()) || declared.equals(empty.shape())) {
			return empty;
		}
		return new Value(declared,
				declared.scalars()
					.stream()
					.<Operand>map(
							(type) -> (type == ADDRESS) ? this.translation.worker().call() : new Constant(type, 0))
					.toList());
	}

	void raise() {
		this.translation.failures().raise(this.frame.pop());
	}

	void dynamic(InvokeDynamicInsnNode made) {
		List<Value> arguments = this.frame.pop(Type.getArgumentTypes(made.desc).length);
		switch (made.bsm.getOwner()) {
			case Classes.LAMBDAS ->
				this.frame.push(Value.of(new Shape.LambdaOf(Type.getReturnType(made.desc).getInternalName(), made.name,
						(Handle) made.bsmArgs[1], (Type) made.bsmArgs[2],
						arguments.stream().map(Value::shape).toList()), arguments));
			case TEXTS -> {
				String recipe = (String) made.bsmArgs[0];
				this.frame.push(Value.of(new Shape.Text(recipe.replace(INSERTED, "…"), false)));
			}
			case RECORDS -> throw this.translation.refuse(
					"the method %s of a record is called that javac writes".formatted(made.name),
					"Use records as they are: compare and print what they hold.");
			default -> throw this.translation.refuse("%s is used".formatted(made.name),
					"Use lambdas, switch over numbers, enums and texts, and what is declared with its type.");
		}
	}

}
