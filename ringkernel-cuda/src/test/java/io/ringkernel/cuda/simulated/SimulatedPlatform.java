package io.ringkernel.cuda.simulated;

/**
 * What a simulated platform does, and what not.
 *
 * @param registers whether host memory can be registered
 * @param hears whether a running kernel sees what the host writes
 * @param worksBeside whether calls return while a kernel runs
 * @param graphs whether launches can be prepared
 */
public record SimulatedPlatform(boolean registers, boolean hears, boolean worksBeside, boolean graphs) {

	public static final SimulatedPlatform LINUX = new SimulatedPlatform(true, true, true, true);

	public static final SimulatedPlatform WSL2 = new SimulatedPlatform(false, false, false, true);

	public SimulatedPlatform withoutHearing() {
		return new SimulatedPlatform(this.registers, false, this.worksBeside, this.graphs);
	}

	public SimulatedPlatform withoutWorkBeside() {
		return new SimulatedPlatform(this.registers, this.hears, false, this.graphs);
	}

	public SimulatedPlatform withoutGraphs() {
		return new SimulatedPlatform(this.registers, this.hears, this.worksBeside, false);
	}

}
