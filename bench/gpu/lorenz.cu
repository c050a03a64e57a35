// The ensemble of Lorenz systems that solvers on GPUs are compared by (README.md): RK4 steps of fixed length from
// (1, 0, 0), each trajectory with its own rho. Written as the program's steps are: one template over the scalar, a
// thread for each trajectory on a GPU, a pack of them on a CPU, the same bits on both. Called from Python
// (lorenz_library.py); nvcc compiles it for a GPU, a C++ compiler for a CPU.
//
//     x' = sigma (y - x),   y' = x (rho - z) - y,   z' = x y - beta z;   sigma = 10, beta = 8/3
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "polhode/math/vec.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#include "polhode/scalar/pack.hpp"
#endif

namespace polhode::inline POLHODE_ISA {
namespace {

template <class T>
struct Lorenz {
  T rho;

  POLHODE_HD Vec<T, 3> flow(const Vec<T, 3>& u) const {
    const T sigma(Real<T>(10)), beta(Real<T>(8) / Real<T>(3));
    return {sigma * (u[1] - u[0]), fma(u[0], rho - u[2], -u[1]), fma(u[0], u[1], -(beta * u[2]))};
  }
  POLHODE_HD Vec<T, 3> step(const Vec<T, 3>& u, const T& h, const T& half, const T& sixth) const {
    const Vec<T, 3> a = flow(u), b = flow(fma(half, a, u)), c = flow(fma(half, b, u)), d = flow(fma(h, c, u));
    return fma(sixth, fma(T(Real<T>(2)), b + c, a + d), u);
  }
  POLHODE_HD Vec<T, 3> integrate(std::int64_t steps, Real<T> h) const {
    Vec<T, 3> u{T(Real<T>(1)), T(Real<T>(0)), T(Real<T>(0))};
    const T length(h), half(h / Real<T>(2)), sixth(h / Real<T>(6));
    for (std::int64_t k = 0; k < steps; ++k) u = step(u, length, half, sixth);
    return u;
  }
};

/// rho[n], states[3][n].
template <class R>
struct Ensemble {
  R *rho, *states;
  std::int64_t n;
};

#if defined(__CUDACC__)
template <class R>
__global__ void __launch_bounds__(128) run_ensemble(Ensemble<R> e, std::int64_t steps, R h) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= e.n) return;
  const Vec<R, 3> u = Lorenz<R>{e.rho[i]}.integrate(steps, h);
  for (int k = 0; k < 3; ++k) e.states[k * e.n + i] = u[k];
}

template <class R>
bool loop(const Ensemble<R>& e, std::int64_t steps, R h) {
  run_ensemble<<<static_cast<unsigned>((e.n + 127) / 128), 128>>>(e, steps, h);
  return cudaGetLastError() == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
}
/// From a pool that keeps what is freed, as the peers have one.
bool allocate(void** memory, std::size_t bytes) {
  cudaMemPool_t pool;
  std::uint64_t everything = UINT64_MAX;
  return cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess &&
         cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &everything) == cudaSuccess &&
         cudaMallocAsync(memory, bytes, nullptr) == cudaSuccess;
}
void release(void* memory) { cudaFreeAsync(memory, nullptr); }
bool copy(void* to, const void* from, std::size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDefault) == cudaSuccess;
}
#else
template <class T, class R>
void advance(const Ensemble<R>& e, std::int64_t i, std::int64_t steps, R h) {
  const Vec<T, 3> u = Lorenz<T>{load_lanes<T>(e.rho + i)}.integrate(steps, h);
  for (int k = 0; k < 3; ++k) store_lanes(u[k], e.states + k * e.n + i);
}
template <class R>
bool loop(const Ensemble<R>& e, std::int64_t steps, R h) {
  std::int64_t i = 0;
#if defined(__AVX2__) && defined(__FMA__)
  using Lanes = Pack<R, 4>;
  for (; i + lanes_of<Lanes> <= e.n; i += lanes_of<Lanes>) advance<Lanes>(e, i, steps, h);
#endif
  for (; i < e.n; ++i) advance<R>(e, i, steps, h);
  return true;
}
bool allocate(void** memory, std::size_t bytes) { return (*memory = std::malloc(bytes)) != nullptr; }
void release(void* memory) { std::free(memory); }
bool copy(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  return true;
}
#endif

template <class R>
void* place(const R* rho, std::int64_t n) {
  void* memory = nullptr;
  if (!allocate(&memory, 4 * n * sizeof(R))) return nullptr;
  if (copy(memory, rho, n * sizeof(R))) return memory;
  release(memory);
  return nullptr;
}
template <class R>
Ensemble<R> ensemble_at(void* placed, std::int64_t n) {
  R* const numbers = static_cast<R*>(placed);
  return {numbers, numbers + n, n};
}
template <class R>
int fetch(void* placed, std::int64_t n, R* states) {
  return copy(states, ensemble_at<R>(placed, n).states, 3 * n * sizeof(R));
}

}  // namespace
}  // namespace polhode::inline POLHODE_ISA

// Memory of the device with rho[n] and room for states; null, and 0 below, where the device fails.
extern "C" void* lorenz_place_double(const double* rho, std::int64_t n) { return polhode::place(rho, n); }
extern "C" void* lorenz_place_single(const float* rho, std::int64_t n) { return polhode::place(rho, n); }
extern "C" int lorenz_loop_double(void* placed, std::int64_t n, std::int64_t steps, double h) {
  return polhode::loop(polhode::ensemble_at<double>(placed, n), steps, h);
}
extern "C" int lorenz_loop_single(void* placed, std::int64_t n, std::int64_t steps, float h) {
  return polhode::loop(polhode::ensemble_at<float>(placed, n), steps, h);
}
extern "C" int lorenz_fetch_double(void* placed, std::int64_t n, double* states) {
  return polhode::fetch(placed, n, states);
}
extern "C" int lorenz_fetch_single(void* placed, std::int64_t n, float* states) {
  return polhode::fetch(placed, n, states);
}
extern "C" void lorenz_release(void* placed) { polhode::release(placed); }
