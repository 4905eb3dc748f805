// The AD tool ADOL-C: each function is recorded on a tape once, timed as "prepare", and differentiated from the tape.
//
// particle and saddle nest derivatives, and a tape cannot record the sweeps over another. ADOL-C's way is an external function:
// on the outer tape the inner gradient is one operation, whose derivatives are Hessian-vector products from the inner tape.

#include <memory>
#include <set>
#include <stdexcept>
#include <vector>

#include <adolc/adolc.h>
#include <adolc/edfclasses.h>

#include "evals.hpp"

namespace gradbench::problems {

template <>
struct Constant<adouble> {
    static double of(const adouble& x) { return x.value(); }
};

}  // namespace gradbench::problems

namespace {

using gradbench::problems::Vector;

// Entries of a tape's buffers; what does not fit goes to files in the working directory. Large ones are mapped and unmapped at
// every sweep, which takes longer than the sweeps over a short tape: 28 against 5 microseconds for an observation of ba.
constexpr unsigned LARGE_BUFFER = 1u << 24, SMALL_BUFFER = 1u << 16;

void check(int code) {
    if (code < 0) throw std::runtime_error("ADOL-C cannot differentiate at this point of the tape.");
}

// Rows of a matrix in one piece, as ADOL-C wants them.
std::vector<double*> rows_of(Vector& matrix, std::size_t width) {
    std::vector<double*> rows;
    for (std::size_t i = 0; i < matrix.size(); i += width) rows.push_back(&matrix[i]);
    return rows;
}

// A tape and its number, which is free for others afterwards.
class Tape {
public:
    Tape() {
        while (!used_.insert(tag_).second) ++tag_;
    }
    Tape(const Tape&) = delete;
    Tape& operator=(const Tape&) = delete;
    ~Tape() { used_.erase(tag_); }

    // Records a function from vector to number or to vector.
    template <class Function>
    void record(const Function& function, const Vector& x, unsigned buffer) {
        trace_on(tag_, 0, buffer, buffer, buffer, buffer);
        std::vector<adouble> numbers(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) numbers[i] <<= x[i];
        double ignored;
        for (adouble& value : gradbench::problems::as_list(function(numbers))) value >>= ignored;
        trace_off();
    }
    operator short() const { return tag_; }

private:
    inline static std::set<short> used_;
    short tag_ = 1;
};

class Recording {
public:
    template <class Function>
    Recording(const Function& function, const Vector& x, std::size_t m, bool is_short = false) : m_(static_cast<int>(m)) {
        tape_.record(function, x, is_short ? SMALL_BUFFER : LARGE_BUFFER);
    }

    Vector jacobian(const Vector& x) {
        const int n = static_cast<int>(x.size());
        Vector result(x.size() * static_cast<std::size_t>(m_)), y(static_cast<std::size_t>(m_));
        check(zos_forward(tape_, m_, n, 1, x.data(), y.data()));
        Vector identity(y.size() * y.size(), 0.0);
        for (std::size_t i = 0; i < y.size(); ++i) identity[i * y.size() + i] = 1.0;
        if (m_ == 1) {
            check(fos_reverse(tape_, 1, n, identity.data(), result.data()));
        } else {
            auto weights = rows_of(identity, y.size()), rows = rows_of(result, x.size());
            check(fov_reverse(tape_, m_, n, m_, weights.data(), rows.data()));
        }
        return result;
    }
    Vector along(const Vector& x, const Vector& seeds, std::size_t p) {
        Vector directions(seeds), result(static_cast<std::size_t>(m_) * p), y(static_cast<std::size_t>(m_));
        auto of_x = rows_of(directions, p), of_y = rows_of(result, p);
        check(fov_forward(tape_, m_, static_cast<int>(x.size()), static_cast<int>(p), x.data(), of_x.data(), y.data(),
                          of_y.data()));
        return result;
    }
    void second_order(const Vector& x, const Vector& v, Vector& first, Vector& second) {
        const int n = static_cast<int>(x.size());
        double y, slope, weight = 1.0;
        Vector direction(v), both(2 * x.size());
        check(fos_forward(tape_, 1, n, 2, x.data(), direction.data(), &y, &slope));
        auto rows = rows_of(both, 2);
        check(hos_reverse(tape_, 1, n, 1, &weight, rows.data()));
        first.resize(x.size());
        second.resize(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            first[i] = both[2 * i];
            second[i] = both[2 * i + 1];
        }
    }

private:
    Tape tape_;
    int m_;
};

class InnerGradient : private EDFobject {
public:
    template <class Function>
    InnerGradient(const Function& function, const Vector& x, std::size_t count, char mode)
        : count_(static_cast<int>(count)), mode_(mode) {
        tape_.record(function, x, SMALL_BUFFER);
    }

    Vector gradient(const Vector& x) {
        Vector result(static_cast<std::size_t>(count_));
        evaluate(static_cast<int>(x.size()), x.data(), result.data());
        return result;
    }
    std::vector<adouble> gradient(const std::vector<adouble>& x) {
        ensureContiguousLocations(x.size() + static_cast<std::size_t>(count_));  // what an external function needs
        std::vector<adouble> arguments(x.size()), result(static_cast<std::size_t>(count_));
        for (std::size_t i = 0; i < x.size(); ++i) arguments[i] = x[i];
        call(static_cast<int>(x.size()), arguments.data(), count_, result.data());
        return result;
    }

private:
    Tape tape_;
    int count_;
    char mode_;

    int evaluate(int n, const double* x, double* result) {
        if (mode_ == 'r') {
            Vector all(static_cast<std::size_t>(n));
            check(::gradient(tape_, n, x, all.data()));
            std::copy_n(all.begin(), count_, result);
            return 0;
        }
        double y;
        Vector direction(static_cast<std::size_t>(n), 0.0);
        for (int i = 0; i < count_; ++i) {
            direction[static_cast<std::size_t>(i)] = 1.0;
            check(::fos_forward(tape_, 1, n, 0, x, direction.data(), &y, &result[i]));
            direction[static_cast<std::size_t>(i)] = 0.0;
        }
        return 0;
    }

    // The derivative of the gradient along a direction.
    void differentiate(int n, double* x, double* direction, double* result) {
        Vector all(static_cast<std::size_t>(n));
        check(hess_vec(tape_, n, x, direction, all.data()));
        std::copy_n(all.begin(), count_, result);
    }

    int function(int n, double* x, int, double* y) override { return evaluate(n, x, y); }
    int zos_forward(int n, double* x, int, double* y) override { return evaluate(n, x, y); }
    int fos_forward(int n, double* x, double* direction, int, double* y, double* result) override {
        evaluate(n, x, y);
        differentiate(n, x, direction, result);
        return 0;
    }
    int fov_forward(int n, double* x, int p, double** directions, int m, double* y, double** results) override {
        evaluate(n, x, y);
        Vector direction(static_cast<std::size_t>(n)), result(static_cast<std::size_t>(m));
        for (int j = 0; j < p; ++j) {
            for (int i = 0; i < n; ++i) direction[static_cast<std::size_t>(i)] = directions[i][j];
            differentiate(n, x, direction.data(), result.data());
            for (int i = 0; i < m; ++i) results[i][j] = result[static_cast<std::size_t>(i)];
        }
        return 0;
    }
    int fos_reverse(int m, double* weights, int n, double* result, double* x, double*) override {
        Vector direction(static_cast<std::size_t>(n), 0.0);
        std::copy_n(weights, m, direction.begin());
        check(hess_vec(tape_, n, x, direction.data(), result));
        return 0;
    }
    int fov_reverse(int, int, double**, int, double**, double*, double*) override {
        throw std::logic_error("only functions with one value are differentiated around an inner gradient");
    }
};

struct Library {
    static constexpr bool SECOND_ORDER = true, NESTS = true;
    using Recording = ::Recording;
    using InnerGradient = ::InnerGradient;
};

}  // namespace

int main() {
    gradbench::Tool tool("adol-c");
    gradbench::problems::Evals<Library> evals(tool);
    return tool.run();
}
