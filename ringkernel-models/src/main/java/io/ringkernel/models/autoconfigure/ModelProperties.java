package io.ringkernel.models.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;
import org.springframework.util.unit.DataSize;

/**
 * The properties of a model.
 *
 * @param location Model file: what XGBoost saves as JSON or UBJSON, or LightGBM as text.
 * @param capacity Size that a model may have in the kernel. By default twice that of the
 * first model, and at least 1MB.
 * @param refuseMissing Whether rows with missing features are refused.
 * @since 0.2.0
 */
public record ModelProperties(@Nullable Resource location, @Nullable DataSize capacity,
		@DefaultValue("false") boolean refuseMissing) {
}
