// The functions of the evals, for any type of number: what AD libraries that overload operators have in common. Those with one
// value are here; geometry.hpp and optimization.hpp have the others, and evals.hpp makes a tool of them all.
//
// Each problem is made of the input of a message, holds the numbers to differentiate by as `x`, and is called with a vector of
// doubles or of the library's numbers.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "gradbench.hpp"

namespace gradbench::problems {

using Vector = std::vector<double>;

struct Hello {
    Vector x;
    explicit Hello(const json& input) : x{input.get<double>()} {}
    template <class T>
    T operator()(const std::vector<T>& x) const { return x[0] * x[0]; }
};

struct LeastSquares {
    Vector x;
    int n;
    explicit LeastSquares(const json& input) : x(input.at("x").get<Vector>()), n(input.at("n").get<int>()) {
        if (n < 2) throw std::invalid_argument("llsq needs at least 2 points.");
    }
    template <class T>
    T operator()(const std::vector<T>& x) const {
        T total(0.0);
        for (int i = 0; i < n; ++i) {
            const double t = static_cast<double>(2 * i - (n - 1)) / (n - 1);
            T value(0.0);
            for (auto j = x.size(); j-- > 0;) value = value * t + x[j];
            const T residual = static_cast<double>((t > 0) - (t < 0)) - value;
            total += residual * residual;
        }
        return 0.5 * total;
    }
};

struct LogSumExp {
    Vector x;
    double largest;  // adding it and taking it away again leaves no derivative
    explicit LogSumExp(const json& input) : x(input.at("x").get<Vector>()) {
        if (x.empty()) throw std::invalid_argument("lse needs at least one number.");
        largest = *std::max_element(x.begin(), x.end());
    }
    template <class T>
    T operator()(const std::vector<T>& x) const {
        using std::exp;
        using std::log;
        T total(0.0);
        for (const T& value : x) total += exp(value - largest);
        return log(total) + largest;
    }
};

struct Determinant {
    Vector x;
    int ell;
    explicit Determinant(const json& input) : x(input.at("A").get<Vector>()), ell(input.at("ell").get<int>()) {
        if (ell < 1 || x.size() != static_cast<std::size_t>(ell) * ell) {
            throw std::invalid_argument("det needs ell * ell numbers and ell at least 1.");
        }
    }
    template <class T>
    T operator()(const std::vector<T>& a) const {
        std::vector<int> columns(ell);
        for (int i = 0; i < ell; ++i) columns[i] = i;
        return minor(a, 0, columns);
    }

private:
    template <class T>
    T minor(const std::vector<T>& a, int row, const std::vector<int>& columns) const {
        if (columns.size() == 1) return a[row * ell + columns[0]];
        T total(0.0);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            std::vector<int> rest(columns);
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            const T product = a[row * ell + columns[i]] * minor(a, row + 1, rest);
            if (i % 2) total -= product; else total += product;
        }
        return total;
    }
};

struct Chain {
    Vector x;
    int steps;
    explicit Chain(const json& input) : x(input.at("x").get<Vector>()), steps(input.at("s").get<int>()) {
        if (x.empty() || steps < 1) throw std::invalid_argument("ode needs at least one rate and one step.");
    }
    template <class T>
    std::vector<T> values(const std::vector<T>& x) const {
        const auto n = x.size();
        const double h = 2.0 / steps;
        std::vector<T> y(n, T(0.0)), k1(n), k2(n), k3(n), k4(n), at(n);
        const auto slope = [&](const std::vector<T>& y, std::vector<T>& out) {
            out[0] = x[0];
            for (std::size_t i = 1; i < n; ++i) out[i] = x[i] * y[i - 1];
        };
        const auto move = [&](double step, const std::vector<T>& k) {
            for (std::size_t i = 0; i < n; ++i) at[i] = y[i] + step * k[i];
        };
        for (int step = 0; step < steps; ++step) {
            slope(y, k1);
            move(h / 2, k1);
            slope(at, k2);
            move(h / 2, k2);
            slope(at, k3);
            move(h, k3);
            slope(at, k4);
            for (std::size_t i = 0; i < n; ++i) y[i] = y[i] + h / 6 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
        return y;
    }
    template <class T>
    T operator()(const std::vector<T>& x) const { return values(x).back(); }
};

inline void append(Vector& target, const json& value) {
    if (value.is_array()) {
        for (const auto& item : value) append(target, item);
    } else {
        target.push_back(value.get<double>());
    }
}

inline Vector flat(const json& value) {
    Vector result;
    append(result, value);
    return result;
}

// Rows of equal length; no columns make empty rows.
inline std::vector<Vector> rows(const Vector& values, std::size_t& position, std::size_t count, std::size_t width) {
    std::vector<Vector> result;
    for (std::size_t i = 0; i < count; ++i, position += width) {
        result.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(position),
                            values.begin() + static_cast<std::ptrdiff_t>(position + width));
    }
    return result;
}

struct Mixture {
    Vector x;  // alpha, mu, q, l
    std::size_t d, k, n;
    Vector points;
    double gamma;
    int m;
    explicit Mixture(const json& input)
        : d(input.at("d")), k(input.at("k")), n(input.at("n")), points(flat(input.at("x"))), gamma(input.at("gamma")),
          m(input.at("m")) {
        for (const char* name : {"alpha", "mu", "q", "l"}) append(x, input.at(name));
        if (!k || !d || points.size() != n * d || x.size() != k * (1 + 2 * d + d * (d - 1) / 2)) {
            throw std::invalid_argument("gmm's arrays do not have the sizes that d, k and n say.");
        }
    }
    template <class T>
    T operator()(const std::vector<T>& parameters) const {
        using std::exp;
        const T* alpha = parameters.data();
        const T* mu = alpha + k;
        const T* q = mu + k * d;
        const T* l = q + k * d;
        const std::size_t half = d * (d - 1) / 2;
        std::vector<T> diagonal(k * d), sums(k), terms(k), c(d), z(d);
        T prior(0.0);
        for (std::size_t j = 0; j < k; ++j) {
            sums[j] = alpha[j];
            for (std::size_t a = 0; a < d; ++a) {
                const T& entry = q[j * d + a];
                diagonal[j * d + a] = exp(entry);
                sums[j] += entry;
                prior -= 0.5 * gamma * gamma * diagonal[j * d + a] * diagonal[j * d + a] - static_cast<double>(m) * entry;
            }
            for (std::size_t a = 0; a < half; ++a) prior -= 0.5 * gamma * gamma * l[j * half + a] * l[j * half + a];
        }
        T total(0.0);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < k; ++j) {
                for (std::size_t a = 0; a < d; ++a) {
                    c[a] = points[i * d + a] - mu[j * d + a];
                    z[a] = diagonal[j * d + a] * c[a];
                }
                const T* entry = l + j * half;  // column by column
                for (std::size_t b = 0; b < d; ++b) {
                    for (std::size_t a = b + 1; a < d; ++a) z[a] += *entry++ * c[b];
                }
                T square(0.0);
                for (std::size_t a = 0; a < d; ++a) square += z[a] * z[a];
                terms[j] = sums[j] - 0.5 * square;
            }
            total += log_sum_exp(terms.data());
        }
        return total - static_cast<double>(n) * log_sum_exp(alpha) + prior + constant();
    }
    json gradient_json(const Vector& values) const {
        std::size_t position = k;
        json result = {{"alpha", Vector(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(k))}};
        result["mu"] = rows(values, position, k, d);
        result["q"] = rows(values, position, k, d);
        result["l"] = rows(values, position, k, d * (d - 1) / 2);
        return result;
    }

private:
    template <class T>
    T log_sum_exp(const T* values) const {
        using std::exp;
        using std::log;
        T largest = values[0];
        for (std::size_t j = 1; j < k; ++j) {
            if (values[j] > largest) largest = values[j];
        }
        T total(0.0);
        for (std::size_t j = 0; j < k; ++j) total += exp(values[j] - largest);
        return log(total) + largest;
    }
    double constant() const {
        const double dd = static_cast<double>(d), degrees = dd + m + 1, pi = std::acos(-1.0);
        double log_gamma = dd * (dd - 1) / 4 * std::log(pi);
        for (std::size_t j = 1; j <= d; ++j) log_gamma += std::lgamma(0.5 * degrees + (1.0 - static_cast<double>(j)) / 2);
        return static_cast<double>(k) * (degrees * dd * (std::log(gamma) - 0.5 * std::log(2.0)) - log_gamma) -
               0.5 * static_cast<double>(n) * dd * std::log(2 * pi);
    }
};

struct Network {
    Vector x;  // main_params, extra_params
    std::size_t layers, b, steps;
    Vector state, sequence;
    explicit Network(const json& input) : state(flat(input.at("state"))), sequence(flat(input.at("sequence"))) {
        layers = input.at("main_params").size() / 2;
        b = input.at("sequence").at(0).size();
        steps = input.at("sequence").size() - 1;
        append(x, input.at("main_params"));
        append(x, input.at("extra_params"));
        if (!layers || !steps || !b || x.size() != 8 * layers * b + 3 * b || state.size() != 2 * layers * b) {
            throw std::invalid_argument("lstm's tables do not have the sizes that belong together.");
        }
    }
    template <class T>
    T operator()(const std::vector<T>& parameters) const {
        using std::exp;
        using std::log;
        using std::tanh;
        const T* extra = parameters.data() + 8 * layers * b;
        std::vector<T> h(layers * b), s(layers * b), in(b), y(b);
        for (std::size_t layer = 0; layer < layers; ++layer) {
            for (std::size_t i = 0; i < b; ++i) {
                h[layer * b + i] = T(state[2 * layer * b + i]);
                s[layer * b + i] = T(state[(2 * layer + 1) * b + i]);
            }
        }
        const auto sigmoid = [](const T& z) -> T { return 1.0 / (1.0 + exp(-z)); };
        T total(0.0);
        for (std::size_t t = 0; t < steps; ++t) {
            for (std::size_t i = 0; i < b; ++i) in[i] = sequence[t * b + i] * extra[i];
            for (std::size_t layer = 0; layer < layers; ++layer) {
                const T* weight = parameters.data() + 8 * layer * b;
                const T* bias = weight + 4 * b;
                for (std::size_t i = 0; i < b; ++i) {
                    T& old = h[layer * b + i];
                    T& cell = s[layer * b + i];
                    const T forget = sigmoid(in[i] * weight[i] + bias[i]);
                    const T gain = sigmoid(old * weight[b + i] + bias[b + i]);
                    const T out = sigmoid(in[i] * weight[2 * b + i] + bias[2 * b + i]);
                    const T change = tanh(old * weight[3 * b + i] + bias[3 * b + i]);
                    cell = cell * forget + gain * change;
                    old = out * tanh(cell);
                    in[i] = old;
                }
            }
            T sum(2.0);
            for (std::size_t i = 0; i < b; ++i) {
                y[i] = in[i] * extra[b + i] + extra[2 * b + i];
                sum += exp(y[i]);
            }
            const T norm = log(sum);
            for (std::size_t i = 0; i < b; ++i) total += sequence[(t + 1) * b + i] * (y[i] - norm);
        }
        return -total / static_cast<double>(b * steps);
    }
};

}  // namespace gradbench::problems
