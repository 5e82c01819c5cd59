package io.ringkernel.cuda.image;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaModule;
import io.ringkernel.cuda.driver.MachineCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The modules of a context, each loaded once. Any thread compiles images, and one at a
 * time loads modules.
 *
 * @since 0.2.0
 */
public final class Modules {

	private static final Logger logger = LoggerFactory.getLogger(Modules.class);

	private final CudaContext context;

	/** What was made and has not been loaded: its load may have failed to begin. */
	private final Map<ModuleImage, MachineCode> made = new ConcurrentHashMap<>();

	private final Map<ModuleImage, CudaModule> loaded = new ConcurrentHashMap<>();

	/**
	 * Creates the modules of a context.
	 * @param context where they are loaded
	 */
	public Modules(CudaContext context) {
		this.context = context;
	}

	/**
	 * Has the driver make machine code of an image that is about to be loaded, if that is
	 * left to do. Kernels run on meanwhile, and so yield for the load alone. A handler is
	 * linked with its worker. Other PTX is compiled here only if kernels run: the driver
	 * keeps what it compiles while it loads it, for other processes. An image that the
	 * driver cannot compile is left as it is: its load tells what is wrong with it.
	 * @param image the image
	 * @param othersRun whether kernels run
	 */
	public void compile(ModuleImage image, boolean othersRun) {
		if (image.isCompiled() || this.made.containsKey(image) || this.loaded.containsKey(image)) {
			return;
		}
		List<byte[]> parts = image.parts();
		if (!(!parts.isEmpty() && link(image, parts)) && othersRun) {
			link(image, image.text());
		}
	}

	/** Whether there is machine code now. */
	private boolean link(ModuleImage image, List<byte[]> parts) {
		try {
			MachineCode code = this.context.link(parts);
			if (this.made.putIfAbsent(image, code) != null) {
				this.context.discard(code);
			}
			if (this.loaded.containsKey(image)) {
				discardMade(image);
			}
			return true;
		}
		catch (CudaException ex) {
			if (ex.status().isFatal()) {
				throw ex;
			}
			logger.debug("No machine code is made of '{}' from {} parts before its load: {}", image, parts.size(),
					ex.getMessage());
			return false;
		}
	}

	/**
	 * {@return the module of an image} Only called while no kernel runs.
	 * @param image the image
	 */
	public CudaModule load(ModuleImage image) {
		CudaModule module = this.loaded.get(image);
		if (module == null) {
			MachineCode code = this.made.remove(image);
			module = (code != null) ? this.context.load(code) : image.load(this.context);
			this.loaded.put(image, module);
			discardMade(image);
		}
		return module;
	}

	/**
	 * Gives back the machine code that a thread made of an image while another loaded it.
	 * Each looks for the other's result after it has left its own, so one of them sees
	 * both.
	 */
	private void discardMade(ModuleImage image) {
		MachineCode code = this.made.remove(image);
		if (code != null) {
			this.context.discard(code);
		}
	}

}
