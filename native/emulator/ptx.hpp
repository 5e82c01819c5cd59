// What the text of an image says about itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emulator::ptx {

/** Its lines without what differs between builds of one source: versions and blanks. */
std::vector<std::string_view> lines(std::string_view text);

/** The version of the instruction set, 84 for 8.4; 0 if the text is no PTX. */
int version(std::string_view text);

/** The compute capability that it is for: 75 for 7.5. */
int target(std::string_view text);

/** The first driver that takes a version: 12040 for CUDA 12.4. */
int requiredDriver(int version);

/** The bound of an entry's threads; 1024 if it states none. */
int maxThreads(std::string_view text, const std::string& entry);

/** The shared memory that an entry declares. */
int staticSharedBytes(std::string_view text, const std::string& entry);

/** The initial bytes of a variable. */
std::vector<unsigned char> bytes(std::string_view text, const std::string& variable);

}  // namespace emulator::ptx
