package io.ringkernel.benchmarks.picture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Draws the newest committed results of each kind.
 */
final class Pictures {

	static final List<Picture> ALL = List.of(new CurvePicture(), new StoresPicture(), new ModelsPicture());

	private Pictures() {
	}

	/**
	 * Draws all pictures.
	 * @param arguments the root of the repository; without one, the working directory
	 */
	public static void main(String... arguments) throws IOException {
		Path root = Path.of((arguments.length > 0) ? arguments[0] : "");
		for (Picture picture : ALL) {
			Optional<String> drawn = draw(root, picture);
			if (drawn.isPresent()) {
				Files.writeString(root.resolve(picture.file()), drawn.get());
			}
		}
	}

	/**
	 * Draws a picture.
	 * @param root the root of the repository
	 * @param picture the picture
	 * @return the SVG document, if there are results
	 */
	static Optional<String> draw(Path root, Picture picture) throws IOException {
		Optional<Results> results = Results.newest(root, picture.kind());
		return results.isPresent() ? Optional.of(picture.draw(results.get())) : Optional.empty();
	}

}
