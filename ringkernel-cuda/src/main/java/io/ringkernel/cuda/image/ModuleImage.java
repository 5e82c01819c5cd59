package io.ringkernel.cuda.image;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaModule;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the driver is handed to load: an image, and if that is PTX, where there is one,
 * the same PTX compiled for devices. The driver takes a tenth of a second to compile a
 * kernel, and nothing to load one that is compiled.
 * <p>
 * What {@code x.ptx} was compiled to is {@code x.STAMP.fatbin} beside it, where
 * {@code STAMP} are the last eight bytes of what gzip makes of the PTX, in hexadecimal
 * digits: its CRC-32 and its length. So what was compiled from another text is not taken
 * for this one. A cryptographic hash would take as long here, where code is not yet warm,
 * as everything else about an image.
 *
 * @since 0.2.0
 */
public final class ModuleImage {

	private static final Logger logger = LoggerFactory.getLogger(ModuleImage.class);

	private static final String PTX = ".ptx";

	private static final int ELF = 0x7f454c46;

	private static final int FAT_BINARY = 0x50ed55ba;

	/** How much of an image that is none a message shows. */
	private static final int SHOWN = 40;

	private final String location;

	/** As it was read or made: that of a handler alone has no worker. */
	private final byte[] image;

	/** What the driver takes: whole, and ended by a zero byte. */
	private final byte[] bytes;

	private final byte @Nullable [] compiled;

	private ModuleImage(String location, byte[] image, byte[] whole, byte @Nullable [] compiled) {
		this.location = location;
		this.image = image;
		this.bytes = terminated(whole);
		this.compiled = compiled;
	}

	/**
	 * Reads an image. That of a handler alone becomes whole with a worker.
	 * @param location where it is
	 * @param source what opens locations
	 * @return the image; {@code null} if there is none
	 * @throws IOException if it cannot be read
	 */
	public static @Nullable ModuleImage read(String location, Source source) throws IOException {
		byte[] image = bytes(location, source);
		if (image == null) {
			return null;
		}
		byte[] whole = LinkedHandler.complete(image);
		return new ModuleImage(location, image, whole, compiled(location, whole, source));
	}

	/**
	 * {@return an image that is made here} That of a handler alone becomes whole with a
	 * worker.
	 * @param location what it is called
	 * @param image its bytes
	 */
	public static ModuleImage of(String location, byte[] image) {
		return of(location, image, null);
	}

	/**
	 * {@return an image as another process has read or made it}
	 * @param location what it is called
	 * @param image its {@link #image()}
	 * @param compiled its {@link #compiled()}
	 */
	public static ModuleImage of(String location, byte[] image, byte @Nullable [] compiled) {
		return new ModuleImage(location, image, LinkedHandler.complete(image), compiled);
	}

	/**
	 * {@return a copy of the image itself} That of a handler alone is without the worker.
	 */
	public byte[] image() {
		return this.image.clone();
	}

	/**
	 * {@return a copy of what the image was compiled to for devices; {@code null} if that
	 * does not lie beside it}
	 */
	public byte @Nullable [] compiled() {
		return (this.compiled != null) ? this.compiled.clone() : null;
	}

	/**
	 * {@return the bytes of the image, with what it was compiled to}
	 */
	public int size() {
		return Math.addExact(this.image.length, (this.compiled != null) ? this.compiled.length : 0);
	}

	private static byte @Nullable [] bytes(String location, Source source) throws IOException {
		try (InputStream in = source.open(location)) {
			return (in != null) ? in.readAllBytes() : null;
		}
	}

	private static byte @Nullable [] compiled(String location, byte[] image, Source source) throws IOException {
		if (!location.endsWith(PTX)) {
			return null;
		}
		String name = location.substring(0, location.length() - PTX.length());
		try {
			return bytes("%s.%s.fatbin".formatted(name, stamp(image)), source);
		}
		catch (NoSuchFileException | FileNotFoundException ex) {
			return null;
		}
	}

	/** PTX text is handed over as a C string; a cubin does not mind the byte. */
	private static byte[] terminated(byte[] image) {
		return Arrays.copyOf(image, image.length + 1);
	}

	private static String stamp(byte[] image) {
		CRC32 crc = new CRC32();
		crc.update(image);
		ByteBuffer trailer = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		trailer.putInt((int) crc.getValue()).putInt(image.length);
		return HexFormat.of().formatHex(trailer.array());
	}

	/**
	 * {@return what the image says about itself; empty if it is no PTX text}
	 */
	public Optional<PtxHeader> ptx() {
		return PtxHeader.of(this.bytes);
	}

	/**
	 * {@return whether the image begins as a cubin or a fat binary does}
	 */
	public boolean isBinary() {
		int magic = (this.bytes.length > Integer.BYTES)
				? ByteBuffer.wrap(this.bytes).order(ByteOrder.BIG_ENDIAN).getInt() : 0;
		return magic == ELF || magic == FAT_BINARY;
	}

	/**
	 * {@return the bytes of a constant; none if the image is no PTX or has no such
	 * constant}
	 * @param name the name of the constant
	 */
	public byte[] constant(String name) {
		return PtxConstant.read(string(), name);
	}

	/**
	 * {@return how the image begins, as a message shows it: the first characters of its
	 * first line, without unprintable ones}
	 */
	public String beginning() {
		String line = string().lines().findFirst().orElse("");
		return line.substring(0, Math.min(line.length(), SHOWN)).replaceAll("[^\\x20-\\x7e]", ".");
	}

	/** Without the zero byte at the end. */
	private String string() {
		return new String(this.bytes, 0, this.bytes.length - 1, StandardCharsets.ISO_8859_1);
	}

	/**
	 * Whether the driver has nothing to compile, if it takes what was compiled before.
	 */
	boolean isCompiled() {
		return this.compiled != null || isBinary();
	}

	/**
	 * What the driver links sooner than it compiles the image: machine code and PTX;
	 * nothing if the image is whole.
	 */
	List<byte[]> parts() {
		return LinkedHandler.parts(this.image);
	}

	/** What the driver makes machine code of otherwise. */
	List<byte[]> text() {
		return List.of(this.bytes);
	}

	/**
	 * Loads the compiled image. If there is none, or this device and driver do not take
	 * it, loads the image itself.
	 * @param context where to load it
	 * @return the module
	 * @throws CudaException if the driver takes neither
	 */
	public CudaModule load(CudaContext context) {
		if (this.compiled != null) {
			try {
				return context.load(this.compiled);
			}
			catch (CudaException ex) {
				if (ex.status().isFatal()) {
					throw ex;
				}
				logger.info(
						"'{}' is compiled by the driver, which takes longer: it does not take what it was compiled to ({})",
						this.location, ex.status().name());
			}
		}
		return context.load(this.bytes);
	}

	@Override
	public String toString() {
		return this.location;
	}

	/** Of two images with the same content, one module is enough. */
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof ModuleImage image && Arrays.equals(this.bytes, image.bytes);
	}

	/** That of all bytes would take milliseconds. */
	@Override
	public int hashCode() {
		return this.bytes.length;
	}

	/** Opens what is at a location. */
	@FunctionalInterface
	public interface Source {

		/**
		 * {@return the bytes at a location; {@code null} if there is nothing}
		 * @param location the location
		 * @throws IOException if it cannot be opened
		 */
		@Nullable InputStream open(String location) throws IOException;

	}

}
