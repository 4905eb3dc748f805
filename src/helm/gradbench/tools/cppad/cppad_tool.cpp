// The AD tool CppAD: each function is recorded once, timed as "prepare", and differentiated by sweeps over the recording.
//
// particle and saddle nest derivatives: the gradient of the inner function is evaluated in CppAD's own numbers (base2ad), so
// that the outer function's recording holds its sweeps.

#include <vector>

#include <cppad/cppad.hpp>

#include "evals.hpp"

using Number = CppAD::AD<double>;

namespace gradbench::problems {

template <>
struct Constant<Number> {
    static double of(const Number& x) { return CppAD::Value(CppAD::Var2Par(x)); }
};

}  // namespace gradbench::problems

namespace {

using gradbench::problems::Vector;

template <class Function>
CppAD::ADFun<double> record(const Function& function, const Vector& x) {
    std::vector<Number> numbers(x.begin(), x.end());
    CppAD::Independent(numbers);
    const std::vector<Number> values = gradbench::problems::as_list(function(numbers));
    return CppAD::ADFun<double>(numbers, values);
}

class Recording {
public:
    template <class Function>
    Recording(const Function& function, const Vector& x, std::size_t m, bool = false)
        : function_(record(function, x)), weights_(m, 0.0) {}

    Vector jacobian(const Vector& x) {
        function_.Forward(0, x);
        Vector result;
        for (double& weight : weights_) {
            weight = 1.0;
            const Vector row = function_.Reverse(1, weights_);
            weight = 0.0;
            if (weights_.size() == 1) return row;
            result.insert(result.end(), row.begin(), row.end());
        }
        return result;
    }
    Vector along(const Vector& x, const Vector& seeds, std::size_t p) {
        function_.Forward(0, x);
        return function_.Forward(1, p, seeds);
    }
    void second_order(const Vector& x, const Vector& v, Vector& first, Vector& second) {
        function_.Forward(0, x);
        function_.Forward(1, v);
        const Vector both = function_.Reverse(2, Vector{1.0});
        first.resize(x.size());
        second.resize(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            first[i] = both[2 * i];
            second[i] = both[2 * i + 1];
        }
    }

private:
    CppAD::ADFun<double> function_;
    Vector weights_;
};

class InnerGradient {
public:
    template <class Function>
    InnerGradient(const Function& function, const Vector& x, std::size_t count, char mode)
        : function_(record(function, x)), nested_(function_.base2ad()), count_(count), mode_(mode) {}

    Vector gradient(const Vector& x) { return evaluate(function_, x); }
    std::vector<Number> gradient(const std::vector<Number>& x) { return evaluate(nested_, x); }

private:
    CppAD::ADFun<double> function_;
    CppAD::ADFun<Number, double> nested_;
    std::size_t count_;
    char mode_;

    template <class Function, class T>
    std::vector<T> evaluate(Function& function, const std::vector<T>& x) const {
        function.Forward(0, x);
        std::vector<T> result;
        if (mode_ == 'r') {
            result = function.Reverse(1, std::vector<T>{T(1.0)});
            result.resize(count_);
            return result;
        }
        std::vector<T> direction(x.size(), T(0.0));
        for (std::size_t i = 0; i < count_; ++i) {
            direction[i] = 1.0;
            result.push_back(function.Forward(1, direction)[0]);
            direction[i] = 0.0;
        }
        return result;
    }
};

struct Library {
    static constexpr bool SECOND_ORDER = true, NESTS = true;
    using Recording = ::Recording;
    using InnerGradient = ::InnerGradient;
};

}  // namespace

int main() {
    CppAD::thread_alloc::hold_memory(true);  // sweeps over large recordings would map and unmap their memory each time
    gradbench::Tool tool("cppad");
    gradbench::problems::Evals<Library> evals(tool);
    return tool.run();
}
