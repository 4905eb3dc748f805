// Makes a library for evals.hpp of a number type that carries derivatives along a few directions: forward mode.
//
// Nothing is recorded: a function is called anew for every group of directions. There is no reverse mode, so particle and
// saddle, whose functions are about both modes, are left out.

#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <vector>

#include "evals.hpp"

namespace gradbench::problems {

// Traits: a class with
//     Number                      the type of numbers
//     WIDTH                       how many directions it carries
//     make(value, parts)          a number with its derivatives along these directions
//     part(number, i)             the derivative along one of them
//     Twice                       a type of the same kind whose values are Numbers, for second derivatives; void if there is none
//     make_twice(number, parts)   a number of this type from one of the first with its derivatives, given as doubles
//     part_twice(number, i)       the derivative along one direction: a Number
template <class Traits>
class Forward {
    using Number = typename Traits::Number;
    using Twice = typename Traits::Twice;
    using Second = std::conditional_t<std::is_void_v<Twice>, double, Twice>;
    static constexpr std::size_t WIDTH = Traits::WIDTH;

public:
    static constexpr bool SECOND_ORDER = !std::is_void_v<Twice>, NESTS = false;

    class Recording {
    public:
        template <class Function>
        Recording(const Function& function, const Vector&, std::size_t m, bool = false)
            : m_(m), function_([function](const std::vector<Number>& x) { return as_list(function(x)); }) {
            if constexpr (SECOND_ORDER) {
                // A function of many values has no use for it, and may not take numbers of this type.
                if constexpr (!std::is_same_v<decltype(function(std::vector<double>())), std::vector<double>>) {
                    twice_ = [function](const std::vector<Second>& x) { return function(x); };
                }
            }
        }

        Vector jacobian(const Vector& x) const {
            return derivatives(x, x.size(), [](std::size_t i, std::size_t direction) { return i == direction ? 1.0 : 0.0; });
        }
        Vector along(const Vector& x, const Vector& seeds, std::size_t p) const {
            return derivatives(x, p, [&](std::size_t i, std::size_t direction) { return seeds[i * p + direction]; });
        }
        void second_order(const Vector& x, const Vector& v, Vector& first, Vector& second) const {
            if constexpr (SECOND_ORDER) {
                first.assign(x.size(), 0.0);
                second.assign(x.size(), 0.0);
                double along_v[WIDTH] = {}, parts[WIDTH];
                std::vector<Second> numbers(x.size());
                for (std::size_t start = 0; start < x.size(); start += WIDTH) {
                    for (std::size_t i = 0; i < x.size(); ++i) {
                        along_v[0] = v[i];
                        for (std::size_t j = 0; j < WIDTH; ++j) parts[j] = i == start + j ? 1.0 : 0.0;
                        numbers[i] = Traits::make_twice(Traits::make(x[i], along_v), parts);
                    }
                    const Second value = twice_(numbers);
                    for (std::size_t j = 0; j < std::min(WIDTH, x.size() - start); ++j) {
                        const Number slope = Traits::part_twice(value, j);
                        first[start + j] = Traits::value(slope);
                        second[start + j] = Traits::part(slope, 0);
                    }
                }
            }
        }

    private:
        std::size_t m_;
        std::function<std::vector<Number>(const std::vector<Number>&)> function_;
        std::function<Second(const std::vector<Second>&)> twice_;

        template <class Seed>
        Vector derivatives(const Vector& x, std::size_t p, const Seed& seed) const {
            Vector result(m_ * p);
            double parts[WIDTH];
            std::vector<Number> numbers(x.size());
            for (std::size_t start = 0; start < p; start += WIDTH) {
                const std::size_t count = std::min(WIDTH, p - start);
                for (std::size_t i = 0; i < x.size(); ++i) {
                    for (std::size_t j = 0; j < WIDTH; ++j) parts[j] = j < count ? seed(i, start + j) : 0.0;
                    numbers[i] = Traits::make(x[i], parts);
                }
                const std::vector<Number> values = function_(numbers);
                for (std::size_t row = 0; row < m_; ++row) {
                    for (std::size_t j = 0; j < count; ++j) result[row * p + start + j] = Traits::part(values[row], j);
                }
            }
            return result;
        }
    };
};

}  // namespace gradbench::problems
