package io.ringkernel.cuda.host.wire;

import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.OutOfDeviceMemoryException;
import io.ringkernel.exception.UnusableImageException;
import org.jspecify.annotations.Nullable;

/**
 * What has gone wrong in the host, as it crosses the socket: a code, and the sentences
 * that the exception of the same kind is made of in the application.
 *
 * @since 0.2.0
 */
public final class HostFailures {

	/** What kind of exception it is. */
	private enum Code {

		DEVICE_LOST, PLAN_FAILED, UNUSABLE_IMAGE, LAUNCH, CONFIGURATION, OUT_OF_MEMORY, STUCK, UNSUPPORTED, OTHER

	}

	private HostFailures() {
	}

	public static void write(FrameWriter out, Throwable failure) {
		if (failure instanceof PlanFailedException plan) {
			boolean lost = failure instanceof DeviceLostException;
			out.writeEnum(lost ? Code.DEVICE_LOST : Code.PLAN_FAILED)
				.writeString(plan.reason())
				.writeOptional(plan.remedy());
		}
		else if (failure instanceof UnusableImageException image) {
			out.writeEnum(Code.UNUSABLE_IMAGE).writeString(image.reason()).writeOptional(image.remedy());
		}
		else if (failure instanceof KernelLaunchException launch) {
			out.writeEnum(Code.LAUNCH).writeString(launch.reason()).writeOptional(launch.remedy());
		}
		else if (failure instanceof InvalidConfigurationException setting) {
			out.writeEnum(Code.CONFIGURATION)
				.writeString(setting.setting())
				.writeString(setting.value())
				.writeString(setting.reason())
				.writeString(setting.remedy());
		}
		else if (failure instanceof OutOfDeviceMemoryException memory) {
			out.writeEnum(Code.OUT_OF_MEMORY).writeString(Long.toString(memory.bytes()));
		}
		else if (failure instanceof KernelStuckException) {
			out.writeEnum(Code.STUCK).writeString(String.valueOf(failure.getMessage()));
		}
		else {
			boolean unsupported = failure instanceof UnsupportedOperationException;
			out.writeEnum(unsupported ? Code.UNSUPPORTED : Code.OTHER)
				.writeString((unsupported && failure.getMessage() != null) ? failure.getMessage() : failure.toString());
		}
	}

	/** Makes the exception anew, for the kernel that it concerns. */
	public static RuntimeException read(FrameReader in, String kernelId) throws MalformedFrameException {
		Code code = in.readEnum(Code.class);
		String text = in.readString();
		return switch (code) {
			case DEVICE_LOST, PLAN_FAILED -> planFailed(code, kernelId, text, in.readOptional());
			case UNUSABLE_IMAGE -> new UnusableImageException(kernelId, text, remedy(in.readOptional()), null);
			case LAUNCH -> new KernelLaunchException(kernelId, text + ".", remedy(in.readOptional()), null);
			case CONFIGURATION ->
				new InvalidConfigurationException(text, in.readString(), in.readString(), in.readString());
			case OUT_OF_MEMORY -> new OutOfDeviceMemoryException(kernelId, bytes(text), null);
			case STUCK -> new KernelStuckException(text);
			case UNSUPPORTED -> new UnsupportedOperationException(text);
			case OTHER ->
				new HostFailureException("In the kernel host of ring kernel '%s': %s".formatted(kernelId, text));
		};
	}

	private static PlanFailedException planFailed(Code code, String kernelId, String reason, @Nullable String remedy) {
		if (code == Code.DEVICE_LOST) {
			return new DeviceLostException(kernelId, reason, remedy(remedy));
		}
		return (remedy != null) ? new PlanFailedException(kernelId, reason, remedy, null)
				: new PlanFailedException(kernelId, reason, null);
	}

	private static long bytes(String text) throws MalformedFrameException {
		try {
			return Long.parseLong(text);
		}
		catch (NumberFormatException ex) {
			throw new MalformedFrameException("'%s' as a size".formatted(text));
		}
	}

	private static String remedy(@Nullable String stated) {
		return (stated != null) ? stated : "The log has what led to it.";
	}

}
