// The ring's protocol between this host half and the kernels: on a GPU, or with -DSIMT on none.
//
//   ring_test REPOSITORY [part of a test's name]     with the images of the repository
#include <cstdio>
#include <cstring>
#include <random>
#include <set>

#include "neighbours.hpp"
#include "session.hpp"
#ifdef SIMT
#include "simt_device.hpp"
#else
#include "cuda_device.hpp"
#endif

namespace {

using ringkernel::ResponseKind;

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
  require(reply.kind == ResponseKind::ANSWER, "the kind is an answer");
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
  for (uint32_t i = 0; i < 200 * device.effort(); i++) {
    Echo echo = Echo::of(i);
    expectEcho(session, session.send(&echo, sizeof(echo)), echo);
  }
}

void echoesManyAtOnce(Device& device) {
  for (Shape shape : {Shape{1, 1, 32, 2}, Shape{4, 4, 32, 16}, Shape{8, 2, 32, 64},
                      Shape{3, 1, 96, 8}, Shape{5, 2, 64, 16}}) {
    Session session(device, "echo", shape);
    session.start();
    uint32_t count = 300 * device.effort();
    stream(session, count, 7);
    session.stop();
    require(session.processed() == count, "every request is counted");
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
  for (Shape shape : {Shape{2, 2, 32, 4}, Shape{2, 1, 128, 4}}) {
    Session session(device, "blob", shape);
    session.start();
    std::mt19937 random(1);
    std::vector<uint32_t> sizes = {0,   1,   4,   11,  12,  13,   100,   323,   339,   340,
                                   341, 348, 349, 360, 372, 1000, 16384, 65536, 69999, CAPACITY};
    for (uint32_t i = 0; i < 20 * device.effort(); i++) {
      sizes.push_back(random() % (i % 4 == 0 ? CAPACITY : 500));
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
      require(reply.kind == ResponseKind::ANSWER, "the kind" + what);
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

void addsVectors(Device& device) {
  for (uint32_t threads : {32u, 256u}) {
    Session session(device, "vector_add", {2, 1, threads, 4});
    session.start();
    for (uint32_t size : {0u, 1u, 3u, 4u, 5u, 30u, 40u, 100u, 1000u, 4096u}) {
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
      require(reply.kind == ResponseKind::ANSWER, "vectors are added");
      for (uint32_t i = 0; i < size; i++) {
        float sum;
        memcpy(&sum, &response[16 + 4 * i], 4);
        require(sum == 1.5f * i, "the sum of element " + std::to_string(i));
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
    require(reply.kind == ResponseKind::ANSWER && back.sequence == i, "quick ones overtake");
  }
  require(!session.ring().isAnswered(busy) || device.effort() == 1, "the slow one is still slow");
  session.receive(busy, &back, sizeof(back));
  require(back.sequence == 0, "the slow one is answered as well");
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
    require(reply.kind == (i % 2 == 1 ? ResponseKind::WITHDRAWN : ResponseKind::ANSWER),
            "what was withdrawn is answered as such");
  }
  // Withdrawn while it runs: either way, but answered.
  for (uint32_t i = 0; i < 50 * device.effort(); i++) {
    Echo echo = Echo::of(i), back;
    uint64_t position = session.send(&echo, sizeof(echo));
    session.ring().withdraw(position);
    host::Reply reply = session.receive(position, &back, sizeof(back));
    require(reply.kind == ResponseKind::WITHDRAWN || reply.kind == ResponseKind::ANSWER,
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
    require(session.processed() == sent, "counts survive a relaunch");
  }
}

void relaunchesOnDemand(Device& device) {
  for (Shape shape : {Shape{2, 2, 32, 8, 0, 10, 0}, Shape{4, 2, 32, 8, 0, 0, 200'000},
                      Shape{4, 1, 64, 8, 0, 20, 200'000}}) {
    Session session(device, "echo", shape);
    session.start();
    for (uint32_t burst = 0; burst < 10; burst++) {
      stream(session, 30, 50 * burst, true);
      if (shape.idleBudgetNanos != 0) {
        session.awaitEnd();
      }
    }
    require(session.launches() > 1, "it was launched more than once");
    if (shape.idleBudgetNanos != 0) {
      require(session.processed() == 300, "every request is counted");
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
      require(reply.kind == ResponseKind::ANSWER && back.sequence == 3, "code 0 does not fail");
    } else {
      require(reply.kind == ResponseKind::HANDLER_FAILED && reply.detail == code,
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
  auto expect = [&](uint32_t offset, uint32_t length, uint32_t bytes, ResponseKind kind) {
    uint32_t fixed[] = {offset, length, offset, length};
    memcpy(request.data(), fixed, sizeof(fixed));
    uint64_t position = session.send(request.data(), bytes);
    host::Reply reply = session.receive(position, response.data(), response.size());
    require(reply.kind == kind, "offset " + std::to_string(offset) + ", length " +
                                    std::to_string(length) + ", " + std::to_string(bytes) + " B");
  };
  for (uint32_t round = 0; round < 3; round++) {
    expect(16, 10, 56, ResponseKind::ANSWER);
    expect(16, 11, 56, ResponseKind::INVALID_REQUEST);
    expect(20, 4, 56, ResponseKind::INVALID_REQUEST);
    expect(0, 4, 56, ResponseKind::INVALID_REQUEST);
    expect(64, 1, 56, ResponseKind::INVALID_REQUEST);
    expect(0xfffffff0, 8, 56, ResponseKind::INVALID_REQUEST);
    expect(16, 4097, 1000, ResponseKind::INVALID_REQUEST);
    expect(16, 0xffffffff, 1000, ResponseKind::INVALID_REQUEST);
    expect(16, 200, 1000, ResponseKind::ANSWER);
    expect(16, 0, 8, ResponseKind::INVALID_REQUEST);
    for (uint32_t length : {32785u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
      uint64_t position = session.ring().claim();
      session.ring().publishLength(position, length);
      host::Reply reply = session.receive(position, response.data(), response.size());
      require(reply.kind == ResponseKind::INVALID_REQUEST, "a header that lies is refused");
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

void findsNearestNeighbours(Device& device) {
  using namespace neighbours;
  for (auto [threads, dimensions] :
       {std::pair{32u, 6u}, std::pair{64u, 128u}, std::pair{96u, 50u}, std::pair{128u, 300u}}) {
    Session session(device, "nearest_neighbours", {2, 1, threads, 4});
    session.start();
    std::mt19937 random(dimensions);
    std::map<int32_t, Vector> oracle;
    std::vector<uint8_t> bytes(832);
    auto call = [&](Operation operation, int32_t k, const std::vector<int32_t>& ids,
                    const Vector& vectors) {
      std::vector<uint8_t> message = request(operation, k, ids, vectors);
      uint64_t position = session.send(message.data(), message.size());
      return parse(session.receive(position, bytes.data(), bytes.size()), bytes);
    };
    auto query = [&](uint32_t k) {
      Vector vector = randomVector(random, dimensions);
      require(call(QUERY, k, {}, vector).found == bruteForce(oracle, vector, k),
              "the nearest of " + std::to_string(oracle.size()) + ", k = " + std::to_string(k));
    };
    query(10);
    for (uint32_t step = 0; step < 30 + 2 * device.effort(); step++) {
      std::vector<int32_t> ids;
      Vector vectors;
      for (uint32_t i = 0; i < 1 + random() % 20; i++) {
        ids.push_back(static_cast<int32_t>(random() % 300) - 100);
        Vector vector = randomVector(random, dimensions);
        vectors.insert(vectors.end(), vector.begin(), vector.end());
        oracle[ids.back()] = vector;
      }
      Response added = call(ADD, 0, ids, vectors);
      require(added.outcome == DONE, "vectors are added");
      require(added.size == static_cast<int32_t>(oracle.size()), "the size after adding");
      for (uint32_t i = 0; i < 3; i++) {
        int32_t id = static_cast<int32_t>(random() % 300) - 100;
        bool known = oracle.erase(id) != 0;
        Response removed = call(REMOVE, 0, {id}, {});
        require(removed.outcome == (known ? DONE : UNKNOWN_ID), "what is known is removed");
        require(removed.size == static_cast<int32_t>(oracle.size()), "the size after removing");
      }
      query(1);
      query(step % 101);
    }
    require(call(QUERY, 3, {}, Vector(dimensions + 1)).reply.kind == ResponseKind::HANDLER_FAILED,
            "a query of another length fails");
    require(call(QUERY, 200, {}, Vector(dimensions)).reply.kind == ResponseKind::INVALID_RESPONSE,
            "more neighbours than a response holds are refused");
    require(call(CLEAR, 0, {}, {}).size == 0, "nothing is left");
    require(call(SIZE, 0, {}, {}).size == 0, "nothing is counted");
  }
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
};

constexpr Test TESTS[] = {{"echoes one by one", echoesOneByOne},
                          {"echoes many at once", echoesManyAtOnce},
                          {"carries messages of all sizes", carriesMessagesOfAllSizes},
                          {"adds vectors", addsVectors},
                          {"survives the wrap of tags", survivesTheWrapOfTags},
                          {"skips void positions", skipsVoidPositions},
                          {"passes over busy slots", passesOverBusySlots},
                          {"answers withdrawn requests", answersWithdrawnRequests},
                          {"resumes where it stopped", resumesWhereItStopped},
                          {"relaunches on demand", relaunchesOnDemand},
                          {"reports failures", reportsFailures},
                          {"refuses invalid requests", refusesInvalidRequests},
                          {"keeps the state of a handler", keepsTheStateOfAHandler},
                          {"finds nearest neighbours", findsNearestNeighbours},
                          {"stops soon", stopsSoon}};

}  // namespace

int main(int argc, char** argv) {
#ifdef SIMT
  SimtDevice device;
  std::string only = argc > 1 ? argv[1] : "";
#else
  std::string repository = argc > 1 ? argv[1] : ".";
  std::string only = argc > 2 ? argv[2] : "";
  std::map<std::string, std::vector<std::string>> paths;
  for (const char* name : {"echo", "blob", "vector_add", "slow", "failing", "counter"}) {
    paths[repository + "/ringkernel-cuda/src/test/resources/kernels/" + name + ".ptx"] = {name};
  }
  paths[repository + "/sample-app/src/main/resources/kernels/nearest_neighbours.ptx"] = {
      "nearest_neighbours"};
  CudaDevice device(paths);
#endif
  int failures = 0;
  for (const Test& test : TESTS) {
    if (std::string(test.name).find(only) == std::string::npos) {
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
    printf("%-32s %7.2f s  %s\n", test.name,
           std::chrono::duration<double>(host::Clock::now() - start).count(), outcome.c_str());
    fflush(stdout);
  }
  return failures == 0 ? 0 : 1;
}
