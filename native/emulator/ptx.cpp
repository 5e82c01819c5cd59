#include "ptx.hpp"

#include <cctype>
#include <cstdlib>

namespace emulator::ptx {
namespace {

constexpr std::string_view VERSION = ".version ";
constexpr std::string_view TARGET = ".target sm_";
constexpr std::string_view ADDRESS_SIZE = ".address_size ";
constexpr std::string_view MAX_THREADS = ".maxntid ";

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::string_view trimmed(std::string_view line) {
  size_t begin = line.find_first_not_of(" \t\r");
  size_t end = line.find_last_not_of(" \t\r");
  return begin == std::string_view::npos ? "" : line.substr(begin, end - begin + 1);
}

/** The number behind some text; -1 if the text does not occur. */
int numberBehind(std::string_view text, std::string_view prefix) {
  size_t at = text.find(prefix);
  return at == std::string_view::npos ? -1 : atoi(text.data() + at + prefix.size());
}

/** An entry from its name to the end of its body. */
std::string_view entryOf(std::string_view text, const std::string& entry) {
  size_t begin = text.find(".entry " + entry + "(");
  if (begin == std::string_view::npos) {
    return "";
  }
  size_t end = text.find("\n}", begin);
  return text.substr(begin, end == std::string_view::npos ? end : end - begin);
}

}  // namespace

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = trimmed(text.substr(0, end));
    if (!line.empty() && !startsWith(line, VERSION) && !startsWith(line, TARGET) &&
        !startsWith(line, ADDRESS_SIZE)) {
      lines.push_back(line);
    }
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
  }
  return lines;
}

int version(std::string_view text) {
  size_t at = text.find(VERSION);
  if (at == std::string_view::npos || target(text) < 0) {
    return 0;
  }
  const char* number = text.data() + at + VERSION.size();
  char* point;
  long major = strtol(number, &point, 10);
  return static_cast<int>(major) * 10 + (*point == '.' ? atoi(point + 1) : 0);
}

int target(std::string_view text) {
  return numberBehind(text, TARGET);
}

int requiredDriver(int version) {
  int major = version / 10;
  int minor = version % 10;
  if (major == 7) {
    return 11000 + minor * 10;
  }
  if (major == 8) {
    // CUDA 12.6 brought no version of its own.
    return 12000 + (minor > 5 ? minor + 1 : minor) * 10;
  }
  return major < 7 ? 0 : (major + 4) * 1000 + minor * 10;
}

int maxThreads(std::string_view text, const std::string& entry) {
  int stated = numberBehind(entryOf(text, entry), MAX_THREADS);
  return stated < 0 ? 1024 : stated;
}

int staticSharedBytes(std::string_view text, const std::string& entry) {
  std::string_view body = entryOf(text, entry);
  int sum = 0;
  for (std::string_view line : lines(text)) {
    size_t open = line.find('[');
    size_t name = line.rfind(' ', open);
    if (line.find(".shared .align") == std::string_view::npos || startsWith(line, ".extern") ||
        open == std::string_view::npos) {
      continue;
    }
    if (body.find(line.substr(name + 1, open - name - 1)) != std::string_view::npos) {
      sum += atoi(line.data() + open + 1);
    }
  }
  return sum;
}

std::vector<unsigned char> bytes(std::string_view text, const std::string& variable) {
  std::vector<unsigned char> bytes;
  size_t at = text.find(" " + variable + "[");
  size_t open = text.find('{', at);
  size_t close = text.find('}', at);
  if (at == std::string_view::npos || open >= close || close == std::string_view::npos) {
    return bytes;
  }
  std::string_view list = text.substr(open + 1, close - open - 1);
  while (!list.empty()) {
    size_t comma = list.find(',');
    bytes.push_back(static_cast<unsigned char>(atoi(std::string(list.substr(0, comma)).c_str())));
    list = comma == std::string_view::npos ? "" : list.substr(comma + 1);
  }
  // Zeros at the end are left out.
  bytes.resize(static_cast<size_t>(numberBehind(text.substr(at), "[")));
  return bytes;
}

}  // namespace emulator::ptx
