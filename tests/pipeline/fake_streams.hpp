// Streams and events as those of CUDA, whose work is run at random in any order that they allow: by a thread for each
// stream, for a sanitizer to look at, or by the calling thread, which is repeatable and goes to every extreme.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace polhode::test {

struct DeviceFailure : std::runtime_error {
  DeviceFailure() : std::runtime_error("the fake device has failed") {}
};
struct Deadlock : std::logic_error {
  Deadlock() : std::logic_error("what is waited for will not happen") {}
};

/// Whether an event has happened, as it was recorded once. (std::atomic::wait would do, if it did not first yield to
/// whatever else runs on the machine.)
class Happening {
 public:
  bool has_happened() const {
    const std::lock_guard lock(mutex_);
    return happened_;
  }
  void happen() {
    const std::lock_guard lock(mutex_);
    happened_ = true;
    changed_.notify_all();
  }
  void wait() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return happened_; });
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool happened_ = false;
};

class FakeStream;

/// How work is run, and when it fails.
class Schedule {
 public:
  Schedule(unsigned seed, bool threads)
      : threads(threads), random_(seed), eagerness_(std::uniform_int_distribution<>(0, 4)(random_)) {}

  const bool threads;  ///< one for each stream
  /// How many calls succeed, and how many pieces of work; negative: all.
  std::atomic<int> calls_left = -1, work_left = -1;

  /// Takes one of these, if one is left. Relaxed, since only streams and events are to order anything.
  static bool take(std::atomic<int>& left) {
    int now = left.load(std::memory_order_relaxed);
    while (now > 0 && !left.compare_exchange_weak(now, now - 1, std::memory_order_relaxed)) {
    }
    return now != 0;
  }

  unsigned draw(unsigned below) { return std::uniform_int_distribution<unsigned>(0, below - 1)(random_); }

  void add(FakeStream* stream) { streams_.push_back(stream); }
  void remove(FakeStream* stream) { std::erase(streams_, stream); }
  /// In the calling thread: a random amount of what may be run.
  void run_some();
  void run_until(const auto& condition) {
    while (!condition()) {
      if (!run_one()) throw Deadlock();
    }
  }

 private:
  bool run_one();

  std::mt19937 random_;
  unsigned eagerness_;  ///< 0: nothing is run before it has to be; 4: everything is run at once
  std::vector<FakeStream*> streams_;
};

class FakeEvent {
 public:
  explicit FakeEvent(Schedule& schedule) : schedule_(&schedule) {}
  void record(FakeStream& stream);
  /// Without a stream: what waits for it from here on does so until it happens.
  void set() { latest_ = std::make_shared<Happening>(); }
  void happen() { latest_->happen(); }
  void wait() const {
    if (!latest_) return;
    if (schedule_->threads) {
      latest_->wait();
    } else {
      schedule_->run_until([&] { return latest_->has_happened(); });
    }
    if (schedule_->work_left.load(std::memory_order_relaxed) == 0) throw DeviceFailure();
  }

 private:
  friend FakeStream;
  Schedule* schedule_;
  std::shared_ptr<Happening> latest_;
};

class FakeStream {
 public:
  FakeStream(Schedule& schedule, unsigned seed) : schedule_(schedule), random_(seed) {
    if (schedule_.threads) {
      thread_ = std::thread([this] { run_all(); });
    } else {
      schedule_.add(this);
    }
  }
  FakeStream(const FakeStream&) = delete;
  ~FakeStream() {
    if (schedule_.threads) {
      add({.last = true});
      thread_.join();
    } else {
      schedule_.run_until([&] { return queue_.empty(); });
      schedule_.remove(this);
    }
  }

  void queue(std::function<void()> work) {
    if (!Schedule::take(schedule_.calls_left)) throw DeviceFailure();
    add({.work = std::move(work)});
  }
  void wait(const FakeEvent& event) {
    if (event.latest_) add({.after = event.latest_});
  }

  bool can_run() const { return !queue_.empty() && is_ready(queue_.front()); }
  void run() {
    const Item item = std::move(queue_.front());
    queue_.pop_front();
    run(item);
  }

 private:
  friend FakeEvent;
  struct Item {
    std::shared_ptr<Happening> after{};
    std::function<void()> work{};
    std::shared_ptr<Happening> event{};
    bool last = false;
  };

  static bool is_ready(const Item& item) { return !item.after || item.after->has_happened(); }
  void add(Item item) {
    if (!schedule_.threads) {
      queue_.push_back(std::move(item));
      schedule_.run_some();
      return;
    }
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(item));
    queued_.notify_one();
  }
  /// A device that has failed does no more work, but its events happen: whoever waits is told.
  void run(const Item& item) {
    if (item.work && Schedule::take(schedule_.work_left)) item.work();
    if (item.event) item.event->happen();
  }
  void run_all() {
    for (bool last = false; !last;) {
      std::unique_lock lock(mutex_);
      queued_.wait(lock, [&] { return !queue_.empty(); });
      const Item item = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      if (item.after) item.after->wait();
      if (random_() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % 64));
      run(item);
      last = item.last;
    }
  }

  Schedule& schedule_;
  std::minstd_rand random_;
  std::mutex mutex_;
  std::condition_variable queued_;
  std::deque<Item> queue_;
  std::thread thread_;
};

inline void FakeEvent::record(FakeStream& stream) {
  latest_ = std::make_shared<Happening>();
  stream.add({.event = latest_});
}

inline bool Schedule::run_one() {
  std::vector<FakeStream*> able;
  std::ranges::copy_if(streams_, std::back_inserter(able), &FakeStream::can_run);
  if (able.empty()) return false;
  able[draw(static_cast<unsigned>(able.size()))]->run();
  return true;
}

inline void Schedule::run_some() {
  while (draw(4) < eagerness_ && run_one()) {
  }
}

}  // namespace polhode::test
