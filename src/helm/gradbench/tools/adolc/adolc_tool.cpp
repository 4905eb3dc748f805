// The AD tool ADOL-C: each function is recorded on a tape once, timed as "prepare", and differentiated from the tape.

#include <algorithm>
#include <cmath>
#include <vector>

#include <adolc/adolc.h>

#include "gradbench.hpp"

namespace {

using gradbench::json;
using Vector = std::vector<double>;

constexpr short TAPE = 1;
// Entries of the tape's buffers; what does not fit goes to files in the working directory.
constexpr unsigned BUFFER = 1u << 24;

// --- the functions, of doubles or of ADOL-C's numbers --------------------------------------------------------------

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
        T total = 0.0;
        for (int i = 0; i < n; ++i) {
            const double t = static_cast<double>(2 * i - (n - 1)) / (n - 1);
            T value = 0.0;
            for (auto j = x.size(); j-- > 0;) value = value * t + x[j];
            const T residual = static_cast<double>((t > 0) - (t < 0)) - value;
            total += residual * residual;
        }
        return 0.5 * total;
    }
};

double number(double x) { return x; }
double number(const adouble& x) { return x.value(); }

struct LogSumExp {
    Vector x;
    explicit LogSumExp(const json& input) : x(input.at("x").get<Vector>()) {
        if (x.empty()) throw std::invalid_argument("lse needs at least one number.");
    }
    template <class T>
    T operator()(const std::vector<T>& x) const {
        using std::exp;
        using std::log;
        double largest = number(x[0]);  // adding it and taking it away again leaves no derivative
        for (const T& value : x) largest = std::max(largest, number(value));
        T total = 0.0;
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
        T total = 0.0;
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

// --- recording and differentiating ---------------------------------------------------------------------------------

template <class Problem>
void record(Problem& problem) {
    trace_on(TAPE, 0, BUFFER, BUFFER, BUFFER, BUFFER);
    std::vector<adouble> x(problem.x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] <<= problem.x[i];
    double value;
    adouble result = problem(x);
    result >>= value;
    trace_off();
}

template <class Problem>
Vector differentiate(Problem& problem) {
    Vector result(problem.x.size());
    if (gradient(TAPE, static_cast<int>(result.size()), problem.x.data(), result.data()) < 0) {
        throw std::runtime_error("ADOL-C cannot differentiate at this point of the tape.");
    }
    return result;
}

template <class Problem>
Problem prepare(const json& input) { return Problem(input); }

template <class Problem>
void add(gradbench::Tool& tool, const char* module) {
    tool.function(module, "primal", prepare<Problem>, [](Problem& problem) { return problem(problem.x); });
    tool.recorded(module, "gradient", prepare<Problem>, record<Problem>, differentiate<Problem>);
}

}  // namespace

int main() {
    gradbench::Tool tool("adol-c");
    tool.function("hello", "square", prepare<Hello>, [](Hello& problem) { return problem(problem.x); });
    tool.recorded("hello", "double", prepare<Hello>, record<Hello>, [](Hello& p) { return differentiate(p)[0]; });
    add<LeastSquares>(tool, "llsq");
    add<LogSumExp>(tool, "lse");
    add<Determinant>(tool, "det");
    tool.function("ode", "primal", prepare<Chain>, [](Chain& problem) { return problem.values(problem.x); });
    tool.recorded("ode", "gradient", prepare<Chain>, record<Chain>, differentiate<Chain>);
    return tool.run();
}
