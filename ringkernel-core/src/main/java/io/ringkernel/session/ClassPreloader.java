package io.ringkernel.session;

import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Initializes the classes that a call may come through, before the first call does.
 * <p>
 * A class is initialized by the thread that uses it first. If that thread is out of stack
 * or memory, the JVM gives the class up for the rest of the process (JLS 12.4.2, step
 * 11): one caller in trouble would end the client for all others. {@code ExhaustionTests}
 * has met that on JDK 25.
 */
final class ClassPreloader {

	private static final Logger logger = LoggerFactory.getLogger(ClassPreloader.class);

	/**
	 * All classes of these rooms with a static initializer, and what a session needs
	 * first when it is used in another way or fails; without the package that they share.
	 * Which switches have such a class depends on the compiler.
	 */
	static final List<String> CLASSES = List.of("Durations", "KernelState", "KernelState$1", "Parallel",
			"RequestPriority", "control.Command", "control.ControlBlock", "control.WorkerState",
			"exception.HandlerFailedException", "exception.KernelNotActiveException$1",
			"exception.RequestTimeoutException", "exception.RingFullException", "message.Field$1", "message.Field$Kind",
			"message.Field$Shape", "message.GeneratedCodec", "message.LayoutBuilder$1", "message.MessageLayout",
			"message.PackedCode", "message.PackedCode$1", "message.PrimitiveCodec$1", "message.PrimitiveType",
			"message.Wrapper", "message.Wrapper$1", "message.buffer.CopyHelpers", "message.buffer.MessageBuffer",
			"message.buffer.SharedCopy", "message.inplace.FrameBuffer", "observe.KernelCounters$Totals",
			"observe.KernelTimings", "routing.RecordKey", "ring.ClaimHead", "ring.ContendedClaims",
			"ring.DeviceRing$RequestState", "ring.Draft", "ring.MessageKind", "ring.ParkedProducers", "ring.RingLane",
			"ring.RingMirror$1", "ring.SkippedLaps", "ring.RingInspection$1", "ring.SlotState", "ring.SlotsInFlight",
			"ring.TryLock", "ring.WaitStrategy", "session.Admission", "session.BackgroundClaims",
			"session.ClassPreloader", "session.Completions", "session.Deadlines", "session.FutureReply",
			"session.KernelClient", "session.KernelSession", "session.OneWayFailures", "session.Pacing",
			"session.PositionQueue", "session.RequestSender$Attempt", "session.ResponseDispatcher",
			"session.ResponseTaker$1", "session.SessionStream", "session.StreamCounter", "session.StreamReceiver",
			"session.StreamSender", "session.encoding.RecordDecoding$Expectation", "session.serving.ReplayDecision",
			"session.serving.ServingLoop");

	private ClassPreloader() {
	}

	static void initialize() {
		for (String name : CLASSES) {
			try {
				Class.forName("io.ringkernel." + name, true, ClassPreloader.class.getClassLoader());
			}
			catch (ClassNotFoundException ex) {
				logger.trace("This build has no class {}", name, ex);
			}
		}
	}

}
