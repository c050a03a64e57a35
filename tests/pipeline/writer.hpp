// Writes what is handed to it beside its owner, in turn: in a thread, or now and then in the calling one. It holds any
// number of things; who hands them in waits because there are no more.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "pipeline/fake_streams.hpp"

namespace polhode::test {

template <class Item>
class Writer {
 public:
  Writer(Schedule& schedule, std::function<void(Item&)> write) : schedule_(schedule), write_(std::move(write)) {
    if (schedule_.threads) thread_ = std::thread([this] { write_all(); });
  }
  Writer(const Writer&) = delete;
  /// Drops what has not been written.
  ~Writer() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      queue_.clear();
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// Throws what writing threw, now or before.
  void add(Item item) {
    {
      const std::lock_guard lock(mutex_);
      if (failure_) std::rethrow_exception(failure_);
      queue_.push_back(std::move(item));
    }
    changed_.notify_all();
    if (!schedule_.threads) write_until(schedule_.draw(2));
  }
  /// Once all is written.
  void finish() {
    if (!schedule_.threads) return write_until(0);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || (queue_.empty() && !writing_); });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void write_until(std::size_t left) {
    while (queue_.size() > left) {
      Item item = std::move(queue_.front());
      queue_.pop_front();
      write_(item);
    }
  }
  void write_all() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return ended_ || !queue_.empty(); });
      if (ended_) return;
      std::optional<Item> item = std::move(queue_.front());
      queue_.pop_front();
      writing_ = true;
      lock.unlock();
      std::exception_ptr failure;
      try {
        write_(*item);
      } catch (...) {
        failure = std::current_exception();
      }
      item.reset();
      lock.lock();
      writing_ = false;
      if (failure) {
        failure_ = failure;
        queue_.clear();  // its owner may be waiting for what is in there
      }
      changed_.notify_all();
    }
  }

  Schedule& schedule_;
  std::function<void(Item&)> write_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> queue_;
  std::exception_ptr failure_;
  bool writing_ = false, ended_ = false;
  std::thread thread_;
};

}  // namespace polhode::test
