package io.ringkernel.compiler.classfile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;

/**
 * How often the instructions of a method jump to each of its labels.
 *
 * @since 0.2.0
 */
public final class Jumps {

	private final Map<LabelNode, Integer> counts = new HashMap<>();

	private final Set<LabelNode> loops = new HashSet<>();

	public Jumps(InsnList instructions) {
		Set<LabelNode> passed = new HashSet<>();
		for (AbstractInsnNode instruction : instructions) {
			if (instruction instanceof LabelNode label) {
				passed.add(label);
			}
			for (LabelNode target : targets(instruction)) {
				this.counts.merge(target, 1, Integer::sum);
				if (passed.contains(target)) {
					this.loops.add(target);
				}
			}
		}
	}

	/** Where an instruction jumps to, maybe. */
	public static List<LabelNode> targets(AbstractInsnNode instruction) {
		List<LabelNode> targets = new ArrayList<>();
		if (instruction instanceof JumpInsnNode jump) {
			targets.add(jump.label);
		}
		else if (instruction instanceof TableSwitchInsnNode table) {
			targets.addAll(table.labels);
			targets.add(table.dflt);
		}
		else if (instruction instanceof LookupSwitchInsnNode lookup) {
			targets.addAll(lookup.labels);
			targets.add(lookup.dflt);
		}
		return targets;
	}

	public int count(LabelNode label) {
		return this.counts.getOrDefault(label, 0);
	}

	public boolean isLoop(LabelNode label) {
		return this.loops.contains(label);
	}

}
