package io.ringkernel.cuda.load;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;

import io.ringkernel.compiler.StatePlaces;
import io.ringkernel.state.HandlerState;
import io.ringkernel.state.KernelMemory;
import io.ringkernel.state.StateField;

/**
 * The fields of a handler in Java that a device runs. Those that its code uses lie in
 * device memory; the others are as its constructor left them.
 */
final class CompiledState implements KernelMemory {

	private final HandlerState handler;

	private final StatePlaces places;

	private final DeviceState device;

	CompiledState(HandlerState handler, StatePlaces places, DeviceState device) {
		this.handler = handler;
		this.places = places;
		this.device = device;
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
