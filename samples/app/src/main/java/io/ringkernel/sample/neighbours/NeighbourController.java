package io.ringkernel.sample.neighbours;

import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.sample.web.ServerTiming;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Stores and searches vectors over HTTP. */
@RestController
@RequestMapping("/api/neighbours")
class NeighbourController {

	private final NeighbourSearch search;

	private final VectorRules rules;

	private final NearestNeighboursProperties properties;

	NeighbourController(NeighbourSearch search, VectorRules rules, NearestNeighboursProperties properties) {
		this.search = search;
		this.rules = rules;
		this.properties = properties;
	}

	@GetMapping
	Stored stored() {
		return stored(this.search.size());
	}

	@PostMapping("/vectors")
	Stored add(@RequestBody Upload upload) {
		this.rules.check(upload.vectors());
		return stored(this.search.add(upload.vectors()));
	}

	@DeleteMapping("/vectors/{id}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void remove(@PathVariable int id) {
		this.search.remove(id);
	}

	@DeleteMapping("/vectors")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void clear() {
		this.search.clear();
	}

	@PostMapping("/query")
	Found query(@RequestBody Query query, HttpServletResponse http) {
		this.rules.check("vector", query.vector());
		this.rules.checkK(query.k());
		return new Found(ServerTiming.of(http, () -> this.search.query(query.vector(), query.k())));
	}

	private Stored stored(int size) {
		return new Stored(size, this.properties.capacity(), this.properties.dimensions());
	}

	record Upload(List<IndexedVector> vectors) {
	}

	record Query(@Capacity(NeighbourRequest.MAX_FLOATS) float[] vector, int k) {
	}

	record Found(List<Neighbour> neighbours) {
	}

	record Stored(int size, int capacity, int dimensions) {
	}

}
