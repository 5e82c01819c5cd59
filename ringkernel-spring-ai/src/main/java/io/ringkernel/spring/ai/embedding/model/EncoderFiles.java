package io.ringkernel.spring.ai.embedding.model;

import java.io.IOException;

import tools.jackson.core.JacksonException;

import org.springframework.core.io.Resource;

/**
 * Reads the files of encoders.
 *
 * @since 0.2.0
 */
public final class EncoderFiles {

	private static final String CONFIG = "config.json";

	private EncoderFiles() {
	}

	/**
	 * Reads a BERT encoder: an ONNX model, with weights of 32, 16 or 8 bits, or a
	 * safetensors file that has its {@code config.json} beside it.
	 * @param file the file
	 * @return the weights, in single precision
	 * @throws InvalidEncoderException if it cannot be read, or the kernel does not take
	 * it
	 */
	public static EncoderWeights read(Resource file) {
		try {
			byte[] bytes = file.getContentAsByteArray();
			return BertEncoder.read(SafetensorsEncoder.headerLength(bytes).isPresent()
					? new SafetensorsEncoder(bytes, file.createRelative(CONFIG).getContentAsByteArray())
					: new OnnxEncoder(OnnxReader.read(bytes)));
		}
		catch (IOException ex) {
			throw new InvalidEncoderException("%s cannot be read: %s".formatted(file.getDescription(), ex.getMessage()),
					ex);
		}
		catch (InvalidEncoderException ex) {
			throw new InvalidEncoderException("%s: %s".formatted(file.getDescription(), ex.getMessage()), ex);
		}
		catch (ArithmeticException | IndexOutOfBoundsException | JacksonException ex) {
			throw new InvalidEncoderException("%s has a size or a number that no model has; it may be damaged: %s"
				.formatted(file.getDescription(), ex.getMessage()), ex);
		}
	}

}
