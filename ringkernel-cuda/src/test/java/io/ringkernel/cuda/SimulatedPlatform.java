package io.ringkernel.cuda;

/**
 * What a simulated platform does, and what not.
 *
 * @param registers whether host memory can be registered
 * @param hears whether a running kernel sees what the host writes
 * @param worksBeside whether calls return while a kernel runs
 * @param graphs whether launches can be prepared
 */
record SimulatedPlatform(boolean registers, boolean hears, boolean worksBeside, boolean graphs) {

	static final SimulatedPlatform LINUX = new SimulatedPlatform(true, true, true, true);

	static final SimulatedPlatform WSL2 = new SimulatedPlatform(false, false, false, true);

	SimulatedPlatform withoutHearing() {
		return new SimulatedPlatform(this.registers, false, this.worksBeside, this.graphs);
	}

	SimulatedPlatform withoutWorkBeside() {
		return new SimulatedPlatform(this.registers, this.hears, false, this.graphs);
	}

	SimulatedPlatform withoutGraphs() {
		return new SimulatedPlatform(this.registers, this.hears, this.worksBeside, false);
	}

}
