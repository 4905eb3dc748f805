// The AD tool Boost.Math: Taylor series in one variable, so that each call of a function gives one directional derivative.

#include <cstddef>

#include <boost/math/differentiation/autodiff.hpp>

#include "forward.hpp"

namespace {

struct Series {
    static constexpr std::size_t WIDTH = 1;
    using Number = boost::math::differentiation::autodiff_fvar<double, 1>;
    using Twice = void;

    static Number make(double value, const double* parts) {
        return Number(value) + parts[0] * boost::math::differentiation::make_fvar<double, 1>(0.0);
    }
    static double value(const Number& x) { return x.derivative(0); }
    static double part(const Number& x, std::size_t) { return x.derivative(1); }
};

}  // namespace

int main() {
    gradbench::Tool tool("boost");
    gradbench::problems::Evals<gradbench::problems::Forward<Series>> evals(tool);
    return tool.run();
}
