// The AD tool CppAD: each function is recorded once, timed as "prepare", and differentiated by a reverse sweep.

#include <vector>

#include <cppad/cppad.hpp>

#include "gradbench.hpp"
#include "problems.hpp"

namespace {

using gradbench::problems::Vector;

template <class Problem>
class Recorded {
public:
    explicit Recorded(const Problem& problem) : x_(problem.x) {
        std::vector<CppAD::AD<double>> x(x_.begin(), x_.end()), y(1);
        CppAD::Independent(x);
        y[0] = problem(x);
        function_.Dependent(x, y);
    }
    Vector gradient() {
        function_.Forward(0, x_);
        return function_.Reverse(1, Vector{1.0});
    }

private:
    Vector x_;
    CppAD::ADFun<double> function_;
};

}  // namespace

int main() {
    gradbench::Tool tool("cppad");
    gradbench::problems::Gradients<Recorded> gradients(tool);
    return tool.run();
}
