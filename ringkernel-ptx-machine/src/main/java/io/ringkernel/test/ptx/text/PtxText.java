package io.ringkernel.test.ptx.text;

import java.util.List;
import java.util.Map;

/**
 * A text of PTX.
 *
 * @param variables the variables outside of functions, and the shared ones within
 * @param functions the functions that have a body, by name
 * @since 0.2.0
 */
public record PtxText(List<Variable> variables, Map<String, PtxFunction> functions) {

	/**
	 * Reads a text.
	 * @param text the text; a zero byte ends it
	 * @return what it says
	 * @throws PtxSyntaxException if it is not PTX
	 */
	public static PtxText parse(String text) {
		int end = text.indexOf('\0');
		return new PtxParser(new Tokens((end < 0) ? text : text.substring(0, end))).parse();
	}

}
