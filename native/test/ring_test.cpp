// The ring's protocol between this host half and the kernels: on a GPU, or with -DSIMT on none.
//
//   ring_test REPOSITORY [part of a test's name [effort]]     with the images of the repository
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <set>

#include "session.hpp"
#ifdef SIMT
#include <ringkernel/shape.cuh>

#include "clock.hpp"
#include "simt_device.hpp"
#else
#include "cuda_device.hpp"
#endif

namespace {

using ringkernel::MessageKind;

struct Echo {
  int64_t words[8];

  static Echo of(uint64_t seed) {
    Echo echo;
    for (int i = 0; i < 8; i++) {
      echo.words[i] = static_cast<int64_t>((seed * 8 + i + 1) * 0x9e3779b97f4a7c15);
    }
    return echo;
  }
};

struct Slow {
  int64_t producer;
  int64_t sequence;
  int64_t micros;
};

struct Failing {
  int64_t sequence;
  int32_t code;
  int32_t padding;
};

void require(bool condition, const std::string& what) {
  if (!condition) {
    throw std::runtime_error(what);
  }
}

void expectEcho(Session& session, uint64_t position, const Echo& sent, bool relaunching = false) {
  Echo back;
  host::Reply reply = session.receive(position, &back, sizeof(back), relaunching);
  require(reply.kind == MessageKind::DATA, "the kind is an answer");
  require(reply.length == sizeof(back), "the answer has its length");
  require(memcmp(&back, &sent, sizeof(back)) == 0, "the echo is what was sent");
}

/** Keeps the ring full for a number of requests, taking responses in order. */
void stream(Session& session, uint32_t count, uint32_t seed, bool relaunching = false) {
  std::vector<std::pair<uint64_t, Echo>> pending;
  size_t taken = 0;
  host::Deadline deadline(60);
  for (uint32_t i = 0; i < count;) {
    if (session.ring().canClaim()) {
      Echo echo = Echo::of(seed + i++);
      pending.emplace_back(session.send(&echo, sizeof(echo)), echo);
    } else {
      require(taken < pending.size(), "a full ring has requests in flight");
      expectEcho(session, pending[taken].first, pending[taken].second, relaunching);
      taken++;
    }
  }
  for (; taken < pending.size(); taken++) {
    expectEcho(session, pending[taken].first, pending[taken].second, relaunching);
  }
}

void echoesOneByOne(Device& device) {
  Session session(device, "echo", {});
  session.start();
  for (uint32_t i = 0; i < device.rounds(200 * device.effort()); i++) {
    Echo echo = Echo::of(i);
    expectEcho(session, session.send(&echo, sizeof(echo)), echo);
  }
}

void echoesManyAtOnce(Device& device) {
  for (Shape shape : {Shape{1, 1, 32, 2}, Shape{4, 4, 32, 16}, Shape{8, 2, 32, 64},
                      Shape{3, 1, 96, 8}, Shape{5, 2, 64, 16}}) {
    Session session(device, "echo", shape);
    session.start();
    uint32_t count = device.rounds(300 * device.effort());
    stream(session, count, 7);
    session.stop();
    require(session.processed() == count, "every request is counted");
    require(session.timed() == count, "every request is timed");
    require(session.failed() == 0, "none failed");
    require(session.heartbeat() > 0, "workers have shown that they live");
  }
}

void carriesMessagesOfAllSizes(Device& device) {
  struct Fixed {
    int64_t producer;
    int64_t sequence;
    uint32_t offset;
    uint32_t length;
  };
  constexpr uint32_t CAPACITY = 70000;
  Shape mixed = {2, 1, 128, 4};
  mixed.allThreadsFrom = 1000;
  for (const Shape& shape : {Shape{2, 2, 32, 4}, Shape{2, 1, 128, 4}, mixed}) {
    Session session(device, "blob", shape);
    session.start();
    std::mt19937 random(1);
    // With 32 B before it, a blob of 340 B ends a row of a slot, one of 724 B the next, and one of
    // 1108 B is the largest inside a slot.
    std::vector<uint32_t> sizes = {0,    1,    4,     11,    12,    13,      100,  323,
                                   339,  340,  341,   348,   349,   360,     723,  724,
                                   725,  736,  1000,  1107,  1108,  1109,    1120, 4096,
                                   8191, 8192, 16384, 65536, 69999, CAPACITY};
    for (uint32_t i = 0; i < 20 * device.effort(); i++) {
      sizes.push_back(random() % (i % 4 == 0 ? CAPACITY : 1300));
    }
    std::vector<uint8_t> request(32 + CAPACITY), response(32 + CAPACITY);
    for (uint32_t size : sizes) {
      uint32_t begin = 32;
      Fixed fixed = {size, 5, size == 0 ? 0 : begin, size};
      memcpy(request.data(), &fixed, sizeof(fixed));
      uint64_t checksum = 0;
      for (uint32_t i = 0; i < size; i++) {
        request[begin + i] = static_cast<uint8_t>(random());
        checksum += (i + 1ull) * request[begin + i];
      }
      uint64_t position = session.send(request.data(), size == 0 ? sizeof(fixed) : begin + size);
      host::Reply reply = session.receive(position, response.data(), response.size());
      std::string what = " of a blob of " + std::to_string(size) + " B";
      require(reply.kind == MessageKind::DATA, "the kind" + what);
      require(reply.length == 32 + size, "the length" + what);
      uint64_t sum;
      Fixed back;
      memcpy(&back, response.data(), 16);
      memcpy(&sum, response.data() + 16, sizeof(sum));
      memcpy(&back.offset, response.data() + 24, 8);
      require(back.producer == size && back.sequence == 5, "the numbers" + what);
      require(sum == checksum, "the checksum" + what);
      require(back.length == size && back.offset == (size == 0 ? 0 : 32), "the array" + what);
      require(memcmp(response.data() + 32, request.data() + begin, size) == 0, "the bytes" + what);
    }
  }
}

/** A request for the kernel "blob" that is so long, all in all. */
std::vector<uint8_t> blobOf(uint32_t length, std::mt19937& random) {
  std::vector<uint8_t> request(length);
  for (uint8_t& byte : request) {
    byte = static_cast<uint8_t>(random());
  }
  int64_t fixed[] = {length, 5, 32 | static_cast<int64_t>(length - 32) << 32, 0};
  memcpy(request.data(), fixed, sizeof(fixed));
  return request;
}

void requireBlob(Session& session, uint64_t position, const std::vector<uint8_t>& request) {
  std::vector<uint8_t> response(request.size());
  host::Reply reply = session.receive(position, response.data(), response.size());
  require(reply.kind == MessageKind::DATA && reply.length == request.size() &&
              memcmp(response.data() + 32, request.data() + 32, request.size() - 32) == 0,
          std::to_string(request.size()) + " B that arrive in parts");
}

void takesRequestsThatArriveInParts(Device& device) {
  for (const Shape& shape : {Shape{1, 1, 32, 2}, Shape{1, 1, 96, 2}}) {
    Session session(device, "blob", shape);
    session.start();
    std::mt19937 random(1);
    for (uint32_t length : {1141u, 1152u, 1153u, 16400u, 70032u}) {
      std::vector<uint8_t> request = blobOf(length, random);
      for (bool headerFirst : {false, true}) {
        uint64_t position = session.ring().claim();
        uint32_t from = 0;
        for (uint32_t to : {0u, 15u, 16u, 17u, 33u, length / 2, length - 1, length}) {
          if (headerFirst && from == 0 && to == 0) {
            // The slot still holds how far the request of the lap before has come.
            session.ring().publishLength(position, length);
          }
          require(!session.ring().isAnswered(position), "a part is no request");
          session.ring().publishUpTo(position, request.data(), from, to);
          if (!headerFirst && to == 15) {
            session.ring().publishLength(position, length);
          }
          from = to;
        }
        requireBlob(session, position, request);
      }
    }
  }
}

void givesUpRequestsWhoseNextPartDoesNotCome(Device& device) {
  for (const Shape& shape : {Shape{1, 1, 32, 2}, Shape{1, 1, 96, 2}}) {
    Session session(device, "blob", shape);
    session.start();
    std::mt19937 random(1);
    std::vector<uint8_t> request = blobOf(5000, random);
    for (uint32_t there : {0u, 32u, 4096u, 4999u}) {
      uint64_t position = session.ring().claim();
      session.ring().publishUpTo(position, request.data(), 0, there);
      session.ring().publishLength(position, request.size());
      session.ring().withdraw(position);
      require(session.receive(position, nullptr, 0).kind == MessageKind::WITHDRAWN,
              "a request whose host has failed is given back");
      requireBlob(session, session.send(request.data(), request.size()), request);
    }
  }
}

void leavesRequestsThatHaveNotArrivedToTheNextLaunch(Device& device) {
  for (const Shape& shape : {Shape{1, 1, 32, 2}, Shape{1, 1, 96, 2}}) {
    Session session(device, "blob", shape);
    session.start();
    std::mt19937 random(1);
    std::vector<uint8_t> request = blobOf(5000, random);
    for (uint32_t there : {0u, 32u, 4096u, 4999u}) {
      uint64_t position = session.ring().claim();
      session.ring().publishUpTo(position, request.data(), 0, there);
      session.ring().publishLength(position, request.size());
      session.stop();
      require(!session.ring().isAnswered(position), "a part is no request");
      session.start();
      session.ring().publishUpTo(position, request.data(), there, request.size());
      requireBlob(session, position, request);
    }
  }
}

void gathersItsThreadsForLargeRequestsAlone(Device& device) {
  Shape shape = {2, 1, 96, 4};
  for (uint32_t allThreadsFrom : {0u, 1141u}) {
    shape.allThreadsFrom = allThreadsFrom;
    Session session(device, "crew", shape);
    session.start();
    for (uint32_t length : {32u, 1140u, 1141u, 70032u, 33u, 1140u, 1141u}) {
      std::vector<uint8_t> request(length);
      uint32_t size = length - 32;
      uint32_t array[] = {size == 0 ? 0u : 32u, size};
      memcpy(&request[16], array, sizeof(array));
      uint64_t threads = 0;
      uint8_t back[32];
      host::Reply reply = session.receive(session.send(request.data(), length), back, sizeof(back));
      memcpy(&threads, back + 16, sizeof(threads));
      require(reply.kind == MessageKind::DATA, "a request is answered by whom it has gathered");
      require(threads == (length < allThreadsFrom ? 32 : 96),
              std::to_string(threads) + " threads handle " + std::to_string(length) + " B");
    }
  }
}

/** A frame of ticks as the host makes it. */
std::vector<uint8_t> ticks(uint32_t count, uint32_t seed) {
  struct Tick {
    int64_t producer, sequence;
    double price;
    int32_t code;
    int16_t size;
    int8_t flags, padding;
  };
  std::vector<uint8_t> frame(count == 0 ? 8 : 16 + count * sizeof(Tick));
  uint32_t fixed[] = {count == 0 ? 0u : 16u, count};
  memcpy(frame.data(), fixed, sizeof(fixed));
  for (uint32_t i = 0; i < count; i++) {
    Tick tick = {
        seed, i, i * 0.25, 0, static_cast<int16_t>(i * seed), static_cast<int8_t>(i - seed), 0};
    memcpy(frame.data() + 16 + i * sizeof(Tick), &tick, sizeof(Tick));
  }
  return frame;
}

void answersEachElementOfAFrame(Device& device) {
  struct Quote {
    int64_t producer, sequence;
    float price, padding;
    int64_t checksum;
  };
  Shape mixed = {1, 1, 96, 4};
  mixed.allThreadsFrom = 700;
  for (const Shape& shape : {Shape{2, 2, 32, 4}, Shape{1, 1, 96, 4}, mixed}) {
    Session session(device, "quoting", shape);
    session.start();
    std::vector<uint8_t> response(16 + 300 * sizeof(Quote));
    // 35 elements are the most inside a slot.
    for (uint32_t count : {300u, 0u, 1u, 31u, 32u, 33u, 35u, 36u, 97u, 299u, 2u}) {
      std::vector<uint8_t> request = ticks(count, count + 3);
      host::Reply reply = session.receive(session.send(request.data(), request.size()),
                                          response.data(), response.size());
      require(reply.kind == MessageKind::DATA && reply.length == request.size(),
              std::to_string(count) + " elements come back");
      require(memcmp(response.data(), request.data(), 8) == 0, "they lie where they are said to");
      for (uint32_t i = 0; i < count; i++) {
        Quote quote;
        memcpy(&quote, response.data() + 16 + i * sizeof(Quote), sizeof(Quote));
        int64_t seed = count + 3;
        int64_t checksum =
            seed * 31 + i * 17 + static_cast<int16_t>(i * seed) * 7 + static_cast<int8_t>(i - seed);
        require(quote.producer == seed && quote.sequence == i && quote.price == i * 0.25F &&
                    quote.padding == 0 && quote.checksum == checksum,
                "element " + std::to_string(i) + " of " + std::to_string(count));
      }
    }
    std::vector<uint8_t> request = ticks(200, 5);
    int32_t code = 7;
    memcpy(request.data() + 16 + 131 * 32 + 24, &code, sizeof(code));
    host::Reply reply = session.receive(session.send(request.data(), request.size()),
                                        response.data(), response.size());
    require(reply.kind == MessageKind::HANDLER_FAILED && reply.detail == 7,
            "an element fails its frame");
    request = ticks(200, 5);
    request[4]++;
    reply = session.receive(session.send(request.data(), request.size()), response.data(),
                            response.size());
    require(reply.kind == MessageKind::INVALID_REQUEST,
            "a frame has no more elements than it has bytes for");
  }
}

void tellsNothingOfEarlierResponses(Device& device) {
  Shape mixed = {1, 1, 96, 4};
  mixed.allThreadsFrom = 700;
  for (const Shape& shape : {Shape{1, 1, 32, 4}, Shape{1, 1, 96, 4}, mixed}) {
    Session session(device, "sparse", shape);
    session.start();
    for (uint32_t size : {340u, 339u, 70000u, 65537u, 341u, 724u, 725u, 1108u, 1109u, 12u}) {
      for (int64_t sequence : {0, 1}) {
        std::vector<uint8_t> request(32 + size, 0xff), response(32 + size);
        int64_t fixed[] = {1, sequence, 32 | static_cast<int64_t>(size) << 32, 0};
        memcpy(request.data(), fixed, sizeof(fixed));
        uint64_t position = session.send(request.data(), request.size());
        host::Reply reply = session.receive(position, response.data(), response.size());
        require(reply.length == 32 + size, "a sparse response has its length");
        for (uint32_t i = 0; i < size; i++) {
          require(response[32 + i] == (i % 2 == sequence ? 0xff : 0),
                  "byte " + std::to_string(i) + " of " + std::to_string(size));
        }
      }
    }
  }
}

/** An array of a response: of elements that begin with a number and differ by a step. */
template <typename T>
void requireElements(const std::vector<uint8_t>& response, uint32_t array, uint32_t size,
                     int64_t first, int64_t step, bool everyOther) {
  uint32_t at, length;
  memcpy(&at, &response[8 * array], 4);
  memcpy(&length, &response[8 * array + 4], 4);
  std::string what = std::to_string(array) + " of " + std::to_string(size) + " elements";
  require(length == size && (size == 0 || at % 16 == 0), "array " + what);
  for (uint32_t i = 0; i < size; i++) {
    T element;
    memcpy(&element, &response[at + i * sizeof(T)], sizeof(T));
    T expected = everyOther && i % 2 != 0 ? T() : static_cast<T>(first + step * i);
    require(element == expected, "element " + std::to_string(i) + " of array " + what);
  }
  // Nothing is left of an earlier response behind an array either.
  uint32_t end = at + size * sizeof(T);
  for (uint32_t i = end; i < ringkernel::aligned(end, 16) && i < response.size(); i++) {
    require(response[i] == 0, "what is behind array " + what);
  }
}

void fillsArraysBesideOthers(Device& device) {
  Shape mixed = {1, 1, 96, 4};
  mixed.allThreadsFrom = 700;
  for (const Shape& shape : {Shape{1, 1, 32, 4}, Shape{1, 1, 96, 4}, mixed}) {
    Session session(device, "arrays", shape);
    session.start();
    std::mt19937 random(7);
    std::vector<std::vector<uint32_t>> all = {
        {0, 0, 0, 0, 0, 0},    {3, 0, 0, 0, 0, 0},         {0, 273, 0, 0, 0, 0},
        {0, 274, 0, 0, 0, 0},  {0, 270, 5, 0, 0, 0},       {5000, 5000, 5000, 5000, 5000, 5000},
        {0, 4999, 1, 0, 0, 3}, {1, 300, 300, 300, 300, 3}, {0, 1000, 0, 0, 0, 1000},
        {0, 1001, 0, 7, 0, 9}, {300, 300, 300, 0, 0, 300}, {0, 5001, 0, 0, 0, 0}};
    for (uint32_t i = 0; i < 40; i++) {
      std::vector<uint32_t> sizes(6);
      for (uint32_t& size : sizes) {
        size = random() % 3 == 0 ? 0 : random() % (random() % 2 == 0 ? 300 : 5000);
      }
      all.push_back(sizes);
    }
    for (const std::vector<uint32_t>& sizes : all) {
      int32_t first = random() % 1000;
      uint32_t request[7] = {static_cast<uint32_t>(first)};
      memcpy(request + 1, sizes.data(), 24);
      std::vector<uint8_t> response(126'000, 0xff);
      uint64_t position = session.send(request, sizeof(request));
      host::Reply reply = session.receive(position, response.data(), response.size());
      if (sizes[1] > 5000) {
        require(reply.kind == MessageKind::INVALID_RESPONSE, "an array has its capacity");
        continue;
      }
      require(reply.kind == MessageKind::DATA, "arrays are filled");
      response.resize(reply.length);
      requireElements<int32_t>(response, 0, sizes[0], first, 1, true);
      requireElements<int32_t>(response, 1, sizes[1], first, 2, false);
      requireElements<int64_t>(response, 2, sizes[2], first, 3, false);
      requireElements<int8_t>(response, 3, sizes[3], first, 4, false);
      requireElements<int32_t>(response, 4, sizes[4], first, 1, true);
      requireElements<int32_t>(response, 5, sizes[5], first, 6, false);
    }
  }
}

void aRequestSeesWhatThoseBeforeItHaveWritten(Device& device) {
  Session session(device, "ledger", {4, 1, 64, 8});
  session.start();
  for (int64_t i = 0; i < 200; i++) {
    int64_t request[] = {1, i}, back[3];
    session.receive(session.send(request, sizeof(request)), back, sizeof(back));
    require(back[2] == i, "the state is that of the request before");
  }
}

void addsVectors(Device& device) {
  for (uint32_t threads : {32u, 256u}) {
    Session session(device, "vector_add", {2, 1, threads, 4});
    session.start();
    for (uint32_t size :
         {0u, 1u, 3u, 4u, 5u, 30u, 40u, 100u, 280u, 281u, 282u, 1000u, 4095u, 4096u}) {
      uint32_t second = ringkernel::aligned(16 + 4 * size, 16);
      std::vector<uint8_t> request(second + 4 * size), response(16 + 4 * size);
      uint32_t fixed[] = {size == 0 ? 0u : 16u, size, size == 0 ? 0 : second, size};
      memcpy(request.data(), fixed, sizeof(fixed));
      for (uint32_t i = 0; i < size; i++) {
        float a = i, b = 0.5f * i;
        memcpy(&request[16 + 4 * i], &a, 4);
        memcpy(&request[second + 4 * i], &b, 4);
      }
      uint64_t position = session.send(request.data(), size == 0 ? 16 : second + 4 * size);
      host::Reply reply = session.receive(position, response.data(), response.size());
      require(reply.kind == MessageKind::DATA, "vectors are added");
      for (uint32_t i = 0; i < size; i++) {
        float sum;
        memcpy(&sum, &response[16 + 4 * i], 4);
        require(sum == 1.5f * i, "the sum of element " + std::to_string(i));
      }
    }
  }
}

void combinesWhatThreadsHold(Device& device) {
  constexpr uint32_t SIZE = 100;
  struct {
    uint32_t fixed[4] = {16, SIZE, 416, SIZE};
    float a[SIZE], b[SIZE];
  } request;
  // Several workers to a block, each of one warp or more.
  for (Shape shape : {Shape{4, 4, 32, 4}, Shape{4, 4, 96, 4}, Shape{1, 1, 256, 4}}) {
    Session session(device, "combine", shape);
    session.start();
    std::vector<uint64_t> positions;
    for (uint32_t n = 0; n < 4; n++) {
      for (uint32_t i = 0; i < SIZE; i++) {
        request.a[i] = static_cast<float>((i + 30) % SIZE + n);
        request.b[i] = static_cast<float>(i % 3 + n % 2);
      }
      positions.push_back(session.send(&request, sizeof(request)));
    }
    for (uint32_t n = 0; n < 4; n++) {
      struct {
        uint32_t fixed[4];
        float results[8];
      } response;
      session.receive(positions[n], &response, sizeof(response));
      float warps = static_cast<float>((1 << shape.threadsPerWorker / 32) - 1);
      std::vector<float> expected = {4950.0f + SIZE * n, 0.0f + n, 99.0f + n, warps};
      std::vector<float> counts =
          n % 2 == 0 ? std::vector<float>{34, 33, 33, 0} : std::vector<float>{0, 34, 33, 33};
      expected.insert(expected.end(), counts.begin(), counts.end());
      for (uint32_t i = 0; i < 8; i++) {
        require(response.results[i] == expected[i], "result " + std::to_string(i));
      }
    }
  }
}

void survivesTheWrapOfTags(Device& device) {
  // Laps around the middle of the tags, where slots are cleared, and around their end.
  for (uint64_t lap : {(1ull << 30) - 3, (1ull << 31) - 3, (1ull << 32) - 3}) {
    Session session(device, "echo", {4, 4, 32, 8, lap * 8});
    session.start();
    stream(session, 8 * 8, 11);
  }
}

void skipsVoidPositions(Device& device) {
  Session session(device, "echo", {4, 2, 32, 8});
  session.start();
  std::mt19937 random(3);
  for (uint32_t i = 0; i < 150 * device.effort(); i++) {
    if (random() % 3 == 0) {
      session.ring().retract(session.ring().claim());
    } else {
      Echo echo = Echo::of(i);
      expectEcho(session, session.send(&echo, sizeof(echo)), echo);
    }
  }
}

void passesOverBusySlots(Device& device) {
  Session session(device, "slow", {3, 3, 32, 4});
  session.start();
  Slow slow = {1, 0, 50'000}, quick = {1, 1, 0}, back;
  uint64_t busy = session.send(&slow, sizeof(slow));
  for (uint32_t i = 0; i < 40; i++) {
    if (!session.ring().canClaim()) {
      session.ring().passOver();
      continue;
    }
    quick.sequence = i;
    host::Reply reply = session.receive(session.send(&quick, sizeof(quick)), &back, sizeof(back));
    require(reply.kind == MessageKind::DATA && back.sequence == i, "quick ones overtake");
  }
  require(!session.ring().isAnswered(busy) || device.effort() == 1, "the slow one is still slow");
  session.receive(busy, &back, sizeof(back));
  require(back.sequence == 0, "the slow one is answered as well");
}

/**
 * Positions 0 to 7 are, in this order: answered and not given back; unanswered; claimed and not
 * published; unanswered. The next lap has passed over those of the first three.
 */
void takesARingOver(Device& device) {
  for (const Shape& shape : {Shape{2, 2, 32, 8}, Shape{4, 2, 64, 8}, Shape{9, 3, 32, 8}}) {
    Session session(device, "echo", shape);
    session.start();
    Echo first = Echo::of(0);
    uint64_t answered = session.send(&first, sizeof(first));
    host::Deadline deadline(30);
    while (!session.ring().isAnswered(answered)) {
      deadline.check("the first response");
    }
    session.stop();
    uint64_t heartbeat = session.heartbeat();
    std::vector<uint64_t> unanswered;
    for (uint64_t position = 1; position < shape.slots; position++) {
      unanswered.push_back(session.ring().claim());
      if (position != 2) {
        Echo echo = Echo::of(position);
        session.ring().publish(position, &echo, sizeof(echo));
      }
    }
    for (int i = 0; i < 3; i++) {
      session.ring().passOver();
    }
    session.takeOver(unanswered);
    session.start();
    for (uint64_t position : unanswered) {
      if (position != 2) {
        expectEcho(session, position, Echo::of(position));
      }
    }
    Echo late = Echo::of(2);
    session.ring().publish(2, &late, sizeof(late));
    expectEcho(session, 2, late);
    expectEcho(session, answered, first);
    stream(session, device.rounds(100), 11);
    session.stop();
    require(session.processed() == shape.slots + device.rounds(100), "each is handled once");
    require(session.timed() == session.processed(), "what was counted before counts on");
    require(session.heartbeat() > heartbeat, "a heartbeat does not go back");
  }
}

void answersWithdrawnRequests(Device& device) {
  Session session(device, "echo", {2, 2, 32, 16});
  // Withdrawn before the kernel runs: certainly not begun.
  std::vector<uint64_t> positions;
  for (uint32_t i = 0; i < 16; i++) {
    Echo echo = Echo::of(i);
    positions.push_back(session.send(&echo, sizeof(echo)));
    if (i % 2 == 1) {
      session.ring().withdraw(positions.back());
    }
  }
  session.start();
  for (uint32_t i = 0; i < 16; i++) {
    Echo back;
    host::Reply reply = session.receive(positions[i], &back, sizeof(back));
    require(reply.kind == (i % 2 == 1 ? MessageKind::WITHDRAWN : MessageKind::DATA),
            "what was withdrawn is answered as such");
  }
  // Withdrawn while it runs: either way, but answered.
  for (uint32_t i = 0; i < 50 * device.effort(); i++) {
    Echo echo = Echo::of(i), back;
    uint64_t position = session.send(&echo, sizeof(echo));
    session.ring().withdraw(position);
    host::Reply reply = session.receive(position, &back, sizeof(back));
    require(reply.kind == MessageKind::WITHDRAWN || reply.kind == MessageKind::DATA,
            "a withdrawal that comes late does no harm");
  }
}

void resumesWhereItStopped(Device& device) {
  Session session(device, "echo", {4, 2, 32, 16});
  uint32_t sent = 0;
  for (uint32_t round = 0; round < 6; round++) {
    std::vector<std::pair<uint64_t, Echo>> queued;
    for (uint32_t i = 0; i < 5 + round; i++) {
      Echo echo = Echo::of(sent++);
      queued.emplace_back(session.send(&echo, sizeof(echo)), echo);
    }
    session.start();
    for (auto& [position, echo] : queued) {
      expectEcho(session, position, echo);
    }
    stream(session, 20, 1000 * round);
    sent += 20;
    session.stop();
    require(session.processed() == sent && session.timed() == sent, "counts survive a relaunch");
  }
}

void workersTellThatTheyCameUpAndHaveEnded(Device& device) {
  for (Shape shape : {Shape{6, 2, 32, 16}, Shape{3, 1, 96, 16}}) {
    Session session(device, "echo", shape);
    for (uint32_t round = 1; round <= 4; round++) {
      session.start();
      session.awaitWorkers(ringkernel::WorkerStatus::POLLING);
      stream(session, 20, round);
      session.tellToStop();
      session.awaitWorkers(ringkernel::WorkerStatus::OUT);
      require(session.processed() == 20 * round, "who is out has told of all requests");
      session.awaitEnd();
    }
  }
}

void relaunchesOnDemand(Device& device) {
  for (Shape shape : {Shape{2, 2, 32, 8, 0, 10, 0}, Shape{4, 2, 32, 8, 0, 0, 200'000},
                      Shape{4, 1, 64, 8, 0, 20, 200'000},
                      Shape{6, 3, 32, 8, 0, 0, ringkernel::ENDS_WHEN_IT_FINDS_NOTHING}}) {
    Session session(device, "echo", shape);
    session.start();
    uint32_t bursts = device.rounds(10);
    for (uint32_t burst = 0; burst < bursts; burst++) {
      stream(session, 30, 50 * burst, true);
      if (shape.idleBudgetNanos != 0) {
        session.awaitEnd();
      }
    }
    require(session.launches() > 1, "it was launched more than once");
    if (shape.idleBudgetNanos != 0) {
      require(session.processed() == 30 * bursts, "every request is counted");
    }
  }
}

void endsInTimeUnderLoad(Device& device) {
  for (Shape shape : {Shape{4, 4, 32, 16}, Shape{4, 1, 64, 16}}) {
    shape.idleBudgetNanos = 10'000'000'000;
    shape.timeLimitNanos = 20'000'000;
    Session session(device, "echo", shape);
    session.start();
    host::Deadline deadline(20);
    for (uint32_t seed = 0; session.launches() < 4; seed++) {
      stream(session, 40, seed, true);
      session.relaunchIfEnded();
      deadline.check("the limit in time");
    }
  }
}

void aSlowRequestHoldsUpNobodyAtALimit(Device& device) {
  for (Shape shape : {Shape{3, 3, 32, 16}, Shape{4, 2, 32, 16}}) {
    shape.iterationLimit = 4;
    shape.timeLimitNanos = 20'000'000'000;
    Session session(device, "slow", shape);
    Slow slow = {1, 0, 1'000'000}, quick = {1, 1, 0}, back;
    uint64_t busy = session.send(&slow, sizeof(slow));
    session.start();
    uint32_t others = 0;
    while (others < 20 && !session.ring().isAnswered(busy)) {
      if (!session.ring().canClaim()) {
        session.ring().passOver();
        continue;
      }
      session.receive(session.send(&quick, sizeof(quick)), &back, sizeof(back), true);
      others++;
    }
    require(others > 8, "more than the limit are answered while one is slow");
    session.receive(busy, &back, sizeof(back));
    // The last launch may wait for requests until its time is up.
    session.stop();
  }
}

void tellsAndObeysWhileItIsBusy(Device& device) {
  Session session(device, "slow", {1, 1, 32, 16});
  Slow slow = {1, 0, 20'000}, back;
  std::vector<uint64_t> positions;
  for (uint32_t i = 0; i < 16; i++) {
    positions.push_back(session.send(&slow, sizeof(slow)));
  }
  session.start();
  for (uint32_t i = 0; i < 3; i++) {
    session.receive(positions[i], &back, sizeof(back));
  }
  require(session.processed() >= 2, "it tells of what it has answered");
  session.stop();
  require(!session.ring().isAnswered(positions[15]), "it stops before it has answered all");
}

void fewWorkersPollWhileItIsIdle(Device& device) {
  // No more than cost nothing, and no more than there are slots.
  for (auto [shape, most] :
       {std::pair{Shape{48, 1, 32, 256}, 32u}, std::pair{Shape{16, 1, 32, 4}, 4u}}) {
    Session session(device, "echo", shape);
    session.start();
    session.awaitWorkers(ringkernel::WorkerStatus::POLLING);
    stream(session, device.rounds(300), 1);
    uint32_t pollers = device.pollers();
    require(pollers <= most, std::to_string(pollers) + " workers poll");
    // One after another, and more at once than poll.
    for (uint32_t i = 0; i < 20; i++) {
      Echo echo = Echo::of(i);
      expectEcho(session, session.send(&echo, sizeof(echo)), echo);
    }
    stream(session, device.rounds(512), 2);
  }
}

#ifdef SIMT
/** The command is one line, of which the bus reads one at a time. */
void fewBlocksLookForCommands(Device& device) {
  constexpr uint64_t NANOS_BETWEEN = 50'000;
  Session session(device, "echo", Shape{48, 1, 32, 256});
  session.start();
  session.awaitWorkers(ringkernel::WorkerStatus::POLLING);
  uint64_t begin = simt::nanoTime();
  uint64_t before = simt::wordReads();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  uint64_t reads = simt::wordReads() - before;
  uint64_t most = (simt::nanoTime() - begin) / NANOS_BETWEEN + 2;
  require(reads > 0, "nobody looks for a command");
  require(reads <= most,
          std::to_string(reads) + " looks for a command, in the time of " + std::to_string(most));
}
#endif

void endsWhenItFindsNothing(Device& device) {
  for (Shape shape :
       {Shape{1, 1, 32, 32}, Shape{4, 4, 32, 32}, Shape{8, 2, 32, 32}, Shape{4, 2, 64, 32}}) {
    shape.idleBudgetNanos = ringkernel::ENDS_WHEN_IT_FINDS_NOTHING;
    Session session(device, "echo", shape);
    uint64_t sent = 0;
    for (uint32_t burst : {0u, 1u, 5u, 32u, 1u, 0u, 17u}) {
      std::vector<std::pair<uint64_t, Echo>> queued;
      for (uint32_t i = 0; i < burst; i++) {
        if (burst == 5) {
          session.ring().retract(session.ring().claim());
        }
        Echo echo = Echo::of(sent++);
        queued.emplace_back(session.send(&echo, sizeof(echo)), echo);
      }
      session.start();
      session.awaitEnd();
      require(session.processed() == sent, "one launch answers all that was there, and ends");
      for (auto& [position, echo] : queued) {
        expectEcho(session, position, echo);
      }
    }
  }
}

void reportsFailures(Device& device) {
  Session session(device, "failing", {2, 2, 64, 8});
  session.start();
  for (int32_t code : {0, 1, -1, 0, 42, INT32_MAX, INT32_MIN, 0}) {
    Failing request = {3, code, 0}, back;
    host::Reply reply =
        session.receive(session.send(&request, sizeof(request)), &back, sizeof(back));
    if (code == 0) {
      require(reply.kind == MessageKind::DATA && back.sequence == 3, "code 0 does not fail");
    } else {
      require(reply.kind == MessageKind::HANDLER_FAILED && reply.detail == code,
              "the code is reported");
      require(reply.length == 0, "a failure has no message");
    }
  }
  session.stop();
  require(session.failed() == 5 && session.processed() == 8, "failures are counted");
}

void refusesInvalidRequests(Device& device) {
  Session session(device, "vector_add", {2, 2, 64, 8});
  session.start();
  std::vector<uint8_t> request(1024), response(1024);
  auto expect = [&](uint32_t offset, uint32_t length, uint32_t bytes, MessageKind kind) {
    uint32_t fixed[] = {offset, length, offset, length};
    memcpy(request.data(), fixed, sizeof(fixed));
    uint64_t position = session.send(request.data(), bytes);
    host::Reply reply = session.receive(position, response.data(), response.size());
    require(reply.kind == kind, "offset " + std::to_string(offset) + ", length " +
                                    std::to_string(length) + ", " + std::to_string(bytes) + " B");
  };
  for (uint32_t round = 0; round < 3; round++) {
    expect(16, 10, 56, MessageKind::DATA);
    expect(16, 11, 56, MessageKind::INVALID_REQUEST);
    expect(20, 4, 56, MessageKind::INVALID_REQUEST);
    expect(0, 4, 56, MessageKind::INVALID_REQUEST);
    expect(64, 1, 56, MessageKind::INVALID_REQUEST);
    expect(0xfffffff0, 8, 56, MessageKind::INVALID_REQUEST);
    expect(16, 4097, 1000, MessageKind::INVALID_REQUEST);
    expect(16, 0xffffffff, 1000, MessageKind::INVALID_REQUEST);
    expect(16, 200, 1000, MessageKind::DATA);
    expect(16, 0, 8, MessageKind::INVALID_REQUEST);
    for (uint32_t length : {32785u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
      uint64_t position = session.ring().claim();
      session.ring().publishLength(position, length);
      host::Reply reply = session.receive(position, response.data(), response.size());
      require(reply.kind == MessageKind::INVALID_REQUEST, "a header that lies is refused");
    }
  }
}

void keepsTheStateOfAHandler(Device& device) {
  Session session(device, "counter", {1, 1, 32, 8});
  int64_t expected = 0;
  for (uint32_t round = 0; round < 3; round++) {
    session.start();
    for (uint32_t i = 0; i < 20; i++) {
      int64_t request[] = {1, i}, back[3];
      session.receive(session.send(request, sizeof(request)), back, sizeof(back));
      require(back[1] == i && back[2] == expected++, "requests are numbered across launches");
    }
    session.stop();
  }
}

/** Sends so many requests, and tells where they are. */
std::vector<uint64_t> bring(Session& session, int64_t round, uint32_t count) {
  std::vector<uint64_t> positions;
  for (int64_t i = 0; i < count; i++) {
    int64_t request[] = {round, i};
    positions.push_back(session.send(request, sizeof(request)));
  }
  return positions;
}

void workersMeet(Device& device) {
  for (Shape shape : {Shape{1, 1, 32, 8}, Shape{6, 3, 32, 16}, Shape{4, 1, 96, 8}}) {
    Session session(device, "meeting", shape);
    session.start();
    for (int64_t round = 1; round <= 10; round++) {
      for (uint64_t position : bring(session, round, shape.workers)) {
        int64_t back[3];
        session.receive(position, back, sizeof(back));
        require(back[0] == round && back[2] == round * shape.workers,
                "each waits until all have brought theirs");
      }
    }
  }
}

void aMeetingGoesOnInTheNextLaunch(Device& device) {
  constexpr uint32_t WORKERS = 6;
  Session session(device, "meeting", {WORKERS, 3, 32, 16});
  for (int64_t round = 1; round <= 5; round++) {
    session.start();
    auto positions = bring(session, round, WORKERS - 1);
    session.stop();
    for (uint64_t position : positions) {
      require(!session.ring().isAnswered(position), "who waits for others is not answered");
    }
    session.start();
    positions.push_back(bring(session, round, 1)[0]);
    for (uint64_t position : positions) {
      int64_t back[3];
      session.receive(position, back, sizeof(back));
      require(back[2] == round * WORKERS, "who was left alone waits again");
    }
    session.stop();
  }
}

void workersThatWaitAssist(Device& device) {
  for (Shape shape : {Shape{4, 1, 64, 16}, Shape{6, 3, 32, 16}, Shape{40, 8, 32, 64}}) {
    Session session(device, "assisted", shape);
    for (uint32_t launch = 1; launch <= 3; launch++) {
      session.start();
      for (uint32_t i = 0; i < 5; i++) {
        // For as long as a busy machine may take until each worker has had its turn.
        int64_t request[] = {20'000, shape.workers - 1}, back[3];
        session.receive(session.send(request, sizeof(request)), back, sizeof(back));
        require(back[2] == shape.workers - 1, "all others come");
      }
      session.stop();
    }
  }
}

void aRequestIsAnsweredWithoutAssistants(Device& device) {
  Session session(device, "assisted", {1, 1, 32, 4});
  session.start();
  int64_t request[] = {100, 1}, back[3];
  session.receive(session.send(request, sizeof(request)), back, sizeof(back));
  require(back[0] == 100 && back[2] == 0, "there is none");
}

void stopsSoon(Device& device) {
  Session session(device, "echo", {8, 4, 32, 16});
  for (uint32_t i = 0; i < 5; i++) {
    session.start();
    auto before = host::Clock::now();
    session.stop();
    double millis = std::chrono::duration<double, std::milli>(host::Clock::now() - before).count();
    require(millis < (device.effort() == 1 ? 10'000 : 100), "a stop takes milliseconds");
  }
}

struct Test {
  const char* name;
  void (*run)(Device&);
  /** Whether its kernels are there as handlers that are linked with a worker as well. */
  bool isLinkedToo = true;
};

constexpr Test TESTS[] = {
    {"echoes one by one", echoesOneByOne},
    {"echoes many at once", echoesManyAtOnce},
    {"carries messages of all sizes", carriesMessagesOfAllSizes},
    {"takes requests that arrive in parts", takesRequestsThatArriveInParts},
    {"gives up requests whose next part does not come", givesUpRequestsWhoseNextPartDoesNotCome},
    {"leaves requests that have not arrived to the next launch",
     leavesRequestsThatHaveNotArrivedToTheNextLaunch},
    {"gathers its threads for large requests alone", gathersItsThreadsForLargeRequestsAlone},
    {"tells nothing of earlier responses", tellsNothingOfEarlierResponses},
    {"fills arrays beside others", fillsArraysBesideOthers},
    {"answers each element of a frame", answersEachElementOfAFrame},
    {"a request sees what those before it have written", aRequestSeesWhatThoseBeforeItHaveWritten},
    {"adds vectors", addsVectors},
    {"combines what threads hold", combinesWhatThreadsHold},
    {"survives the wrap of tags", survivesTheWrapOfTags},
    {"skips void positions", skipsVoidPositions},
    {"passes over busy slots", passesOverBusySlots},
    {"takes a ring over", takesARingOver},
    {"answers withdrawn requests", answersWithdrawnRequests},
    {"resumes where it stopped", resumesWhereItStopped},
    {"workers tell that they came up and have ended", workersTellThatTheyCameUpAndHaveEnded},
    {"relaunches on demand", relaunchesOnDemand},
    {"ends in time under load", endsInTimeUnderLoad},
    {"a slow request holds up nobody at a limit", aSlowRequestHoldsUpNobodyAtALimit},
    {"tells and obeys while it is busy", tellsAndObeysWhileItIsBusy},
    {"few workers poll while it is idle", fewWorkersPollWhileItIsIdle},
    {"ends when it finds nothing", endsWhenItFindsNothing},
    {"reports failures", reportsFailures},
    {"refuses invalid requests", refusesInvalidRequests},
    {"keeps the state of a handler", keepsTheStateOfAHandler},
    {"workers meet", workersMeet},
    {"a meeting goes on in the next launch", aMeetingGoesOnInTheNextLaunch},
    {"workers that wait assist", workersThatWaitAssist},
    {"a request is answered without assistants", aRequestIsAnsweredWithoutAssistants},

#ifdef SIMT
    {"few blocks look for commands", fewBlocksLookForCommands},
#endif
    {"stops soon", stopsSoon}};

}  // namespace

/** Runs the tests of a name on a device; returns how many have failed. */
int run(Device& device, const std::string& only, bool linked) {
  int failures = 0;
  for (const Test& test : TESTS) {
    std::string name = std::string(test.name) + (linked ? ", linked" : "");
    if (name.find(only) == std::string::npos || (linked && !test.isLinkedToo)) {
      continue;
    }
    auto start = host::Clock::now();
    std::string outcome = "ok";
    try {
      test.run(device);
    } catch (const std::exception& failure) {
      outcome = std::string("FAILED: ") + failure.what();
      failures++;
    }
    printf("%-44s %7.2f s  %s\n", name.c_str(),
           std::chrono::duration<double>(host::Clock::now() - start).count(), outcome.c_str());
    fflush(stdout);
  }
  return failures;
}

int main(int argc, char** argv) {
#ifdef SIMT
  SimtDevice device(false);
  std::string only = argc > 1 ? argv[1] : "";
#ifdef __SANITIZE_THREAD__
  // A linked handler is called through a pointer. The worker's threads, which may race, are the
  // same.
  return run(device, only, false) == 0 ? 0 : 1;
#endif
  SimtDevice linked(true);
#else
  std::string repository = argc > 1 ? argv[1] : ".";
  std::string only = argc > 2 ? argv[2] : "";
  std::string images = repository + "/ringkernel-cuda/src/test/resources/kernels/";
  std::string workers =
      repository + "/ringkernel-cuda/src/main/resources/io/ringkernel/cuda/kernels/";
  std::map<std::string, std::vector<std::string>> paths;
  std::vector<std::string> names = {"echo",    "blob",    "slow",   "failing", "counter",
                                    "meeting", "sparse",  "ledger", "crew",    "vector_add",
                                    "quoting", "combine", "arrays", "assisted"};
  for (const std::string& name : names) {
    paths[repository + "/native/target/inlined/kernels/" + name + ".ptx"] = {name};
  }
  uint32_t effort = argc > 3 ? std::stoul(argv[3]) : 50;
  CudaDevice device(paths, effort);
  CudaDevice linked({}, effort);
  for (const std::string& name : names) {
    std::string worker = name == "assisted" ? "assisted_worker.ptx" : "worker.ptx";
    linked.link(name, workers + worker, images + "handlers/" + name + ".ptx");
  }
#endif
  return run(device, only, false) + run(linked, only, true) == 0 ? 0 : 1;
}
