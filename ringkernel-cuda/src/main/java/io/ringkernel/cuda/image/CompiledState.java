package io.ringkernel.cuda.image;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;

import io.ringkernel.backend.KernelSpec;
import io.ringkernel.compiler.StatePlaces;
import io.ringkernel.state.HandlerState;
import io.ringkernel.state.KernelMemory;
import io.ringkernel.state.StateField;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a handler in Java that a device runs. Those that its code uses lie in
 * device memory; the others are as its constructor left them.
 *
 * @since 0.2.0
 */
public final class CompiledState implements KernelMemory {

	private final HandlerState handler;

	private final StatePlaces places;

	private final KernelMemory device;

	private CompiledState(HandlerState handler, StatePlaces places, KernelMemory device) {
		this.handler = handler;
		this.places = places;
		this.device = device;
	}

	/**
	 * The state of a kernel as its handler names it.
	 * @param kernel the kernel
	 * @param places where the fields of its handler lie; {@code null} if the kernel is no
	 * handler in Java
	 * @param device its device memory, as one field
	 * @return the fields of its handler; the device memory if it is no handler in Java
	 */
	public static KernelMemory of(KernelSpec<?, ?> kernel, @Nullable StatePlaces places, KernelMemory device) {
		return (places != null) ? new CompiledState(new HandlerState(kernel.id(), kernel.handler()), places, device)
				: device;
	}

	@Override
	public List<StateField> fields() {
		return this.handler.fields();
	}

	@Override
	public void read(int field, long offset, ByteBuffer target) {
		OptionalLong place = this.places.of(this.handler.key(field));
		if (place.isPresent()) {
			this.device.read(0, place.getAsLong() + offset, target);
		}
		else {
			this.handler.read(field, offset, target);
		}
	}

	@Override
	public void write(int field, long offset, ByteBuffer source) {
		OptionalLong place = this.places.of(this.handler.key(field));
		if (place.isPresent()) {
			this.device.write(0, place.getAsLong() + offset, source);
		}
		else {
			this.handler.write(field, offset, source);
		}
	}

}
