package io.ringkernel.cuda.image;

import java.nio.charset.StandardCharsets;

/**
 * The layouts that an image was built with, as its headers state them: the constant
 * {@code NAME_layouts}, two texts that a zero ends each. Only asked for where they are
 * not those of the records.
 *
 * @param request the layout of requests; empty where the image does not state it
 * @param response the layout of responses; empty where the image does not state it
 * @since 0.2.0
 */
public record ImageLayouts(String request, String response) {

	/**
	 * {@return the layouts}
	 * @param bytes the constant; empty where the image has none
	 */
	public static ImageLayouts read(byte[] bytes) {
		String[] texts = new String(bytes, StandardCharsets.UTF_8).split("\0", -1);
		return new ImageLayouts(texts[0], (texts.length > 1) ? texts[1] : "");
	}

}
