plugins {
	kotlin("jvm") version "2.3.21"
	kotlin("plugin.spring") version "2.3.21"
	id("org.springframework.boot") version "4.1.0"
	id("io.spring.dependency-management") version "1.1.7"
}

repositories {
	mavenLocal()
	mavenCentral()
}

dependencies {
	implementation(platform("io.ringkernel:ringkernel-bom:0.2.0-SNAPSHOT"))
	implementation("io.ringkernel:ringkernel-spring-boot-starter")
	implementation("org.jetbrains.kotlin:kotlin-reflect")
	testImplementation("io.ringkernel:ringkernel-spring-boot-starter-test")
	testRuntimeOnly("org.junit.platform:junit-platform-launcher")
}

tasks.withType<Test> {
	useJUnitPlatform()
}
