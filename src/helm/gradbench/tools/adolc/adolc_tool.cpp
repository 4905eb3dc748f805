// The AD tool ADOL-C: each function is recorded on a tape once, timed as "prepare", and differentiated from the tape.

#include <stdexcept>
#include <vector>

#include <adolc/adolc.h>

#include "gradbench.hpp"
#include "problems.hpp"

namespace {

using gradbench::problems::Vector;

constexpr short TAPE = 1;
// Entries of the tape's buffers; what does not fit goes to files in the working directory.
constexpr unsigned BUFFER = 1u << 24;

template <class Problem>
class Tape {
public:
    explicit Tape(const Problem& problem) : x_(problem.x) {
        trace_on(TAPE, 0, BUFFER, BUFFER, BUFFER, BUFFER);
        std::vector<adouble> x(x_.size());
        for (std::size_t i = 0; i < x.size(); ++i) x[i] <<= x_[i];
        double value;
        adouble result = problem(x);
        result >>= value;
        trace_off();
    }
    Vector gradient() const {
        Vector result(x_.size());
        if (::gradient(TAPE, static_cast<int>(result.size()), x_.data(), result.data()) < 0) {
            throw std::runtime_error("ADOL-C cannot differentiate at this point of the tape.");
        }
        return result;
    }

private:
    Vector x_;
};

}  // namespace

int main() {
    gradbench::Tool tool("adol-c");
    gradbench::problems::Gradients<Tape> gradients(tool);
    return tool.run();
}
