package io.ringkernel.cuda.host.wire;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

/**
 * What is asked for and planned, as it crosses the socket.
 *
 * @since 0.2.0
 */
public final class Plans {

	private Plans() {
	}

	public static void write(FrameWriter out, PlanRequest request) {
		out.writeEnum(request.backend())
			.writeEnum(request.mode())
			.writeEnum(request.transport())
			.writeInt(request.device());
	}

	public static PlanRequest readRequest(FrameReader in) throws MalformedFrameException {
		return new PlanRequest(in.readOptional(BackendKind.class), in.readOptional(ExecutionMode.class),
				in.readOptional(Transport.class), in.readInt());
	}

	public static void write(FrameWriter out, ExecutionPlan plan) {
		out.writeEnum(plan.backend())
			.writeEnum(plan.mode())
			.writeEnum(plan.transport())
			.writeInt(plan.device())
			.writeBoolean(plan.answersPerLaunch())
			.writeStrings(plan.reasons())
			.writeStrings(plan.platform());
	}

	public static ExecutionPlan readPlan(FrameReader in) throws MalformedFrameException {
		return new ExecutionPlan(in.readEnum(BackendKind.class), in.readEnum(ExecutionMode.class),
				in.readEnum(Transport.class), in.readInt(), in.readBoolean(), in.readStrings(), in.readMap());
	}

	public static void write(FrameWriter out, PlanOffer offer) {
		if (offer instanceof PlanOffer.Accepted accepted) {
			write(out.writeBoolean(true), accepted.plan());
		}
		else {
			PlanOffer.Refused refused = (PlanOffer.Refused) offer;
			out.writeBoolean(false).writeString(refused.reason()).writeString(refused.remedy());
		}
	}

	public static PlanOffer readOffer(FrameReader in) throws MalformedFrameException {
		return in.readBoolean() ? new PlanOffer.Accepted(readPlan(in))
				: new PlanOffer.Refused(in.readString(), in.readString());
	}

}
