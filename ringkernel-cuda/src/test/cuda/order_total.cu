#include <ringkernel/ring_kernel.cuh>
#include "order_messages.cuh"

RING_KERNEL(order_total, Order, Total)
(Context ctx, const Order& in, Total& out) {
  int64_t amount = 0;
  for (uint32_t i = 0; i < in.lines.size(); i++) {
    const Order::Line line = in.lines[i];
    amount += int64_t{line.price} * line.quantity;
  }
  out.amount = in.side == Order::Side::SELL ? amount : -amount;
}
