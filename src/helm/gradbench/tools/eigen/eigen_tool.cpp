// The AD tool Eigen: AutoDiffScalar, a number with a vector of eight derivatives.

#include <cstddef>

#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>

#include "forward.hpp"

namespace {

struct Scalars {
    static constexpr std::size_t WIDTH = 8;
    using Parts = Eigen::Matrix<double, WIDTH, 1>;
    using Number = Eigen::AutoDiffScalar<Parts>;
    using Twice = void;

    static Number make(double value, const double* parts) { return Number(value, Eigen::Map<const Parts>(parts)); }
    static double value(const Number& x) { return x.value(); }
    static double part(const Number& x, std::size_t i) { return x.derivatives()[static_cast<Eigen::Index>(i)]; }
};

}  // namespace

int main() {
    gradbench::Tool tool("eigen");
    gradbench::problems::Evals<gradbench::problems::Forward<Scalars>> evals(tool);
    return tool.run();
}
