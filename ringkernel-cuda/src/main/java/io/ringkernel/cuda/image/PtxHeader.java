package io.ringkernel.cuda.image;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a PTX text says about itself.
 *
 * @param major the version of the instruction set, before the point
 * @param minor the version of the instruction set, after the point
 * @param target the least compute capability: 75 for 7.5
 * @param scope which other devices take it: later ones if it is empty, none if it is
 * {@code a}, later ones of the same family if it is {@code f}
 * @param entries the names of its kernels
 * @since 0.2.0
 */
public record PtxHeader(int major, int minor, int target, String scope, List<String> entries) {

	private static final Pattern VERSION = Pattern.compile("(?m)^\\s*\\.version\\s+(\\d+)\\.(\\d+)");

	private static final Pattern TARGET = Pattern.compile("(?m)^\\s*\\.target\\s+sm_(\\d+)([af]?)");

	private static final String ENTRY = ".entry";

	private static final Pattern NAME = Pattern.compile("\\s+([\\w$]+)");

	/**
	 * Creates the header.
	 * @param major the version of the instruction set, before the point
	 * @param minor the version of the instruction set, after the point
	 * @param target the least compute capability: 75 for 7.5
	 * @param scope which other devices take it
	 * @param entries the names of its kernels
	 */
	public PtxHeader {
		entries = List.copyOf(entries);
	}

	/**
	 * {@return the header of an image; empty if that is no PTX text}
	 * @param image the image
	 */
	public static Optional<PtxHeader> of(byte[] image) {
		String text = new String(image, StandardCharsets.ISO_8859_1);
		Matcher version = VERSION.matcher(text);
		Matcher target = TARGET.matcher(text);
		if (!version.find() || !target.find()) {
			return Optional.empty();
		}
		return Optional.of(new PtxHeader(Integer.parseInt(version.group(1)), Integer.parseInt(version.group(2)),
				Integer.parseInt(target.group(1)), target.group(2), entries(text)));
	}

	/** All of the text is gone through, for which a pattern takes ten times as long. */
	private static List<String> entries(String text) {
		List<String> entries = new ArrayList<>();
		Matcher name = NAME.matcher(text);
		for (int at = text.indexOf(ENTRY); at >= 0; at = text.indexOf(ENTRY, at + 1)) {
			if (name.region(at + ENTRY.length(), text.length()).lookingAt()) {
				entries.add(name.group(1));
			}
		}
		return entries;
	}

	/**
	 * {@return what it is built for, such as {@code sm_75} or {@code sm_90a}}
	 */
	public String architecture() {
		return "sm_" + this.target + this.scope;
	}

	/**
	 * {@return whether devices of a compute capability take it}
	 * @param capability the compute capability: 75 for 7.5
	 */
	public boolean isFor(int capability) {
		return switch (this.scope) {
			case "a" -> capability == this.target;
			case "f" -> capability >= this.target && capability / 10 == this.target / 10;
			default -> capability >= this.target;
		};
	}

	/**
	 * {@return the version of the instruction set, such as {@code 8.4}}
	 */
	public String version() {
		return this.major + "." + this.minor;
	}

	/**
	 * {@return the first driver that loads this version, as the driver counts: 12030 for
	 * CUDA 12.3} Each CUDA release has brought its own version, 12.6 and 12.9 excepted.
	 */
	public int requiredDriver() {
		return switch (this.major) {
			case 7 -> 11_000 + this.minor * 10;
			case 8 -> 12_000 + ((this.minor > 5) ? this.minor + 1 : this.minor) * 10;
			default -> (this.major < 7) ? 0 : (this.major + 4) * 1000 + this.minor * 10;
		};
	}

}
