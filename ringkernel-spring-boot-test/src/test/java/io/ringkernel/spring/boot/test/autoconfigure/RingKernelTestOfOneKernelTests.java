package io.ringkernel.spring.boot.test.autoconfigure;

import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.boot.test.autoconfigure.example.Doubling;
import io.ringkernel.spring.boot.test.autoconfigure.example.ExampleApplication;
import io.ringkernel.spring.boot.test.autoconfigure.example.ExampleService;
import io.ringkernel.spring.boot.test.autoconfigure.example.Halving;
import io.ringkernel.spring.boot.test.autoconfigure.example.Number;
import io.ringkernel.spring.boot.test.autoconfigure.example.Twice;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RingKernelTest @RingKernelTest} of a selected kernel, with a bean more
 * than by default.
 */
@ContextConfiguration(classes = ExampleApplication.class)
@RingKernelTest(value = Twice.class, properties = "ringkernel.kernels.half.workers=3",
		includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = ExampleService.class))
class RingKernelTestOfOneKernelTests {

	@Autowired
	private ApplicationContext context;

	@Autowired
	private RingKernelClient<Number, Number> onlyClient;

	@Test
	void onlyTheSelectedKernelIsThereAlthoughAnotherIsConfigured() {
		assertThat(this.context.getBeansOfType(Kernel.class)).containsOnlyKeys("twice.kernel");
		assertThat(this.onlyClient.call(new Number(4))).isEqualTo(new Number(8));
	}

	@Test
	void importedInterfacesOfTheSelectedKernelAreThere() {
		assertThat(this.context.getBean(Doubling.class).twice(new Number(4))).isEqualTo(new Number(8));
	}

	@Test
	void importedInterfaceOfAnotherKernelSaysThatItIsNotThere() {
		assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> this.context.getBean(Halving.class))
			.havingRootCause()
			.withMessageContaining("'half' is the ring kernel that " + Halving.class.getName() + ".half calls");
	}

	@Test
	void filtersAddBeans() {
		assertThat(this.context.getBean(ExampleService.class)).isNotNull();
	}

}
