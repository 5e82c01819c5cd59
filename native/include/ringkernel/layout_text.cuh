// What an image says of its messages to somebody whose records are others: their layouts as text,
// as the headers of the messages state them. Nobody reads it on the device.
#pragma once

#include <cstddef>
#include <type_traits>

namespace ringkernel {

/** The text of a message; none where its header does not have it. */
template <typename Message, typename = void>
struct LayoutText {
  static constexpr char TEXT[] = "";
};

template <typename Message>
struct LayoutText<Message, std::void_t<decltype(Message::LAYOUT)>> {
  static constexpr const auto& TEXT = Message::LAYOUT;
};

template <size_t REQUEST_BYTES, size_t RESPONSE_BYTES>
struct LayoutTexts {
  char request[REQUEST_BYTES];
  char response[RESPONSE_BYTES];
};

template <typename Request, typename Response>
constexpr auto layoutsOf() {
  LayoutTexts<sizeof(LayoutText<Request>::TEXT), sizeof(LayoutText<Response>::TEXT)> texts = {};
  for (size_t i = 0; i < sizeof(texts.request); i++) {
    texts.request[i] = LayoutText<Request>::TEXT[i];
  }
  for (size_t i = 0; i < sizeof(texts.response); i++) {
    texts.response[i] = LayoutText<Response>::TEXT[i];
  }
  return texts;
}

}  // namespace ringkernel
