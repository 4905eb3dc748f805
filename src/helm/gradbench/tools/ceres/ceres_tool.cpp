// The AD tool Ceres: its jets carry eight directions at once.

#include <cstddef>

#include <ceres/jet.h>

#include "forward.hpp"

namespace {

struct Jets {
    static constexpr std::size_t WIDTH = 8;
    using Number = ceres::Jet<double, WIDTH>;
    using Twice = void;  // a jet of jets cannot be made from a plain number, as the functions need it

    static Number make(double value, const double* parts) {
        Number result(value);
        for (std::size_t i = 0; i < WIDTH; ++i) result.v[static_cast<int>(i)] = parts[i];
        return result;
    }
    static double value(const Number& x) { return x.a; }
    static double part(const Number& x, std::size_t i) { return x.v[static_cast<int>(i)]; }
};

}  // namespace

int main() {
    gradbench::Tool tool("ceres");
    gradbench::problems::Evals<gradbench::problems::Forward<Jets>> evals(tool);
    return tool.run();
}
