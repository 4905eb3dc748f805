// particle and saddle for any type of number: descents whose functions hold derivatives, differentiated once more.

#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "problems.hpp"

namespace gradbench::problems {

// The value of a number as a constant. AD libraries specialise it for theirs.
template <class T>
struct Constant {
    static double of(const T& x) { return x; }
};

template <class T>
double length(const std::vector<T>& vector) {
    double total = 0.0;
    for (const T& x : vector) total += Constant<T>::of(x) * Constant<T>::of(x);
    return std::sqrt(total);
}

// Where the evals' descent on a function from `start` ends: at a short gradient or after a short step.
//
// What it decides by are values; what it computes can be recorded.
template <class T, class Value, class Gradient>
std::vector<T> minimize(const Value& value, const Gradient& gradient, std::vector<T> x) {
    constexpr double CLOSE = 1e-5;
    constexpr int STEPS_TO_GROW = 10, MAX_TRIALS = 100000;
    double step = 1e-5;
    int successes = 0;
    T best = value(x);
    std::vector<T> slope = gradient(x);
    for (int trial = 0; trial < MAX_TRIALS; ++trial) {
        if (length(slope) <= CLOSE) return x;
        if (successes == STEPS_TO_GROW) {
            step *= 2;
            successes = 0;
            continue;
        }
        std::vector<T> next(x), move(x);
        for (std::size_t i = 0; i < x.size(); ++i) {
            next[i] = x[i] - step * slope[i];
            move[i] = x[i] - next[i];
        }
        if (length(move) <= CLOSE) return x;
        const T found = value(next);
        if (Constant<T>::of(found) < Constant<T>::of(best)) {
            x = next;
            best = found;
            slope = gradient(x);
            ++successes;
        } else {
            step /= 2;
            successes = 0;
        }
    }
    throw std::runtime_error("The descent did not end within 100000 trial steps.");
}

// Steer a particle among charges, whose field is the gradient of their potential.
struct Particle {
    Vector x;  // the control

    // At a place: a function of its two coordinates and of the control, which moves a charge.
    struct Potential {
        template <class T>
        T operator()(const std::vector<T>& x) const {
            using std::sqrt;
            const T away = x[0] - 10.0, first = x[1] - (10.0 - x[2]);
            return 1.0 / sqrt(away * away + first * first) + 1.0 / sqrt(away * away + x[1] * x[1]);
        }
    };

    explicit Particle(const json& input) : x{input.at("w").get<double>()} {}

    // Square of the place where the particle crosses y = 0. slope: the gradient of the potential by the first two numbers.
    template <class T, class Slope>
    T landing(const T& w, Slope& slope) const {
        constexpr double DT = 0.1;
        constexpr int MAX_STEPS = 100000;
        std::vector<T> at{T(0.0), T(8.0), w};
        T vx(0.75), vy(0.0);
        for (int step = 0; step < MAX_STEPS; ++step) {
            const std::vector<T> force = slope.gradient(at);
            at[0] += DT * vx;
            at[1] += DT * vy;
            if (Constant<T>::of(at[1]) <= 0) {
                const T crossing = at[0] - at[1] / vy * vx;
                return crossing * crossing;
            }
            vx -= DT * force[0];
            vy -= DT * force[1];
        }
        throw std::runtime_error("The particle has not landed after 100000 steps.");
    }
};

// The saddle point of |x|^2 - |y|^2 in the plane, by minimising over x what is the maximum over y.
struct Saddle {
    Vector x;  // where all searches start

    // The negative, which is minimised over y: a function of y and x, in this order.
    struct Negative {
        template <class T>
        T operator()(const std::vector<T>& v) const { return v[0] * v[0] + v[1] * v[1] - (v[2] * v[2] + v[3] * v[3]); }
    };

    explicit Saddle(const json& input) : x(input.at("start").get<Vector>()) {
        if (x.size() != 2) throw std::invalid_argument("saddle needs a start of 2 numbers.");
    }

    // slope: the gradient of Negative by its first two numbers.
    template <class T, class Slope>
    std::vector<T> best_y(const std::vector<T>& x, Slope& slope) const {
        const auto both = [&](const std::vector<T>& y) { return std::vector<T>{y[0], y[1], x[0], x[1]}; };
        return minimize<T>([&](const std::vector<T>& y) { return Negative()(both(y)); },
                           [&](const std::vector<T>& y) { return slope.gradient(both(y)); },
                           std::vector<T>(this->x.begin(), this->x.end()));
    }

    template <class T, class Slope>
    T highest(const std::vector<T>& x, Slope& slope) const {
        const std::vector<T> y = best_y(x, slope);
        return -Negative()(std::vector<T>{y[0], y[1], x[0], x[1]});
    }
};

}  // namespace gradbench::problems
