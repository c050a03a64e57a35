// A fixed number of objects that are lent and given back, from any thread.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "contract.hpp"

namespace polhode {

template <class T, std::size_t size>
class Pool {
  struct GiveBack {
    Pool* pool;
    void operator()(T* object) const noexcept { pool->give_back(object); }
  };

 public:
  /// Pointer to an object on loan. Its destructor gives the object back, and must run before that of the pool.
  using Lent = std::unique_ptr<T, GiveBack>;

  explicit Pool(auto make) : Pool(make, std::make_index_sequence<size>{}) {}
  Pool(const Pool&) = delete;
  ~Pool() { POLHODE_EXPECT(free_.size() == size); }

  /// Lends an object; waits until one is free.
  Lent take() {
    std::unique_lock lock(mutex_);
    given_back_.wait(lock, [&] { return !free_.empty(); });
    T* const object = free_.back();
    free_.pop_back();
    return Lent(object, GiveBack{this});
  }

 private:
  template <std::size_t... k>
  Pool(auto& make, std::index_sequence<k...>) : objects_{(static_cast<void>(k), make())...}, free_{&objects_[k]...} {}

  void give_back(T* object) {
    const std::lock_guard lock(mutex_);
    free_.push_back(object);
    given_back_.notify_one();
  }

  std::array<T, size> objects_;
  std::mutex mutex_;
  std::condition_variable given_back_;
  std::vector<T*> free_;  ///< free objects: all of them at first, so that give_back() allocates nothing
};

}  // namespace polhode
