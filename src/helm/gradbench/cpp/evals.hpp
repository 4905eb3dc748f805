// Makes a tool of all evals from an AD library that overloads operators.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "geometry.hpp"
#include "gradbench.hpp"
#include "optimization.hpp"
#include "problems.hpp"

namespace gradbench::problems {

template <class T>
std::vector<T> as_list(T value) { return {std::move(value)}; }
template <class T>
std::vector<T> as_list(std::vector<T> values) { return values; }

// Gradient of a function with one value.
template <class Library>
class Gradient {
public:
    template <class Function>
    Gradient(const Function& function, const Vector& x) : x_(x), recording_(function, x, 1) {}
    Vector operator()() { return recording_.jacobian(x_); }

private:
    Vector x_;
    typename Library::Recording recording_;
};

// One recording for all observations, or two where some cameras are not turned at all.
template <class Library>
class BundleAdjustmentJacobian {
public:
    explicit BundleAdjustmentJacobian(const BundleAdjustment& problem)
        : problem_(problem), by_weight_(BundleAdjustment::Weight(), {problem.weights[0]}, 1, true) {
        Vector x;
        for (std::size_t i = 0; i < problem.n && i < problem.p; ++i) {
            problem.gather(i, x);
            const auto function = BundleAdjustment::reprojection(x);
            auto& recording = recordings_[function.is_still];
            if (!recording) recording = std::make_unique<typename Library::Recording>(function, x, 2, true);
        }
    }
    SparseMatrix operator()() {
        constexpr std::size_t BY = BundleAdjustment::BY;
        const std::size_t p = problem_.p;
        SparseMatrix result;
        result.rows.reserve(3 * p + 1);
        result.cols.reserve((2 * BY + 1) * p);
        result.vals.reserve((2 * BY + 1) * p);
        result.rows.push_back(0);
        Vector x;
        for (std::size_t i = 0; i < p; ++i) {
            problem_.gather(i, x);
            const Vector block = recordings_[BundleAdjustment::reprojection(x).is_still]->jacobian(x);
            for (std::size_t row = 0; row < 2; ++row) {
                problem_.append_columns(i, result.cols);
                const auto start = block.begin() + static_cast<std::ptrdiff_t>(row * x.size());
                result.vals.insert(result.vals.end(), start, start + BY);
                result.rows.push_back(static_cast<int>(result.vals.size()));
            }
        }
        for (std::size_t i = 0; i < p; ++i) {
            result.cols.push_back(problem_.weight_column(i));
            result.vals.push_back(by_weight_.jacobian({problem_.weights[i]})[0]);
            result.rows.push_back(static_cast<int>(result.vals.size()));
        }
        return result;
    }

private:
    const BundleAdjustment& problem_;
    typename Library::Recording by_weight_;
    std::unique_ptr<typename Library::Recording> recordings_[2];
};

// Number by number: many errors, each along the same few directions.
template <class Library>
class HandJacobian {
public:
    explicit HandJacobian(const HandTracking& problem)
        : problem_(problem), recording_(problem, problem.x, problem(problem.x).size()) {}
    Vector operator()() { return recording_.along(problem_.x, problem_.seeds, problem_.num_directions); }

private:
    const HandTracking& problem_;
    typename Library::Recording recording_;
};

// The gradient over the diagonal of the Hessian: both are sums over the points of those of one distance, which is what is
// recorded. Its Hessian by the centroid is diagonal, so the product with a vector of ones is the diagonal.
template <class Library>
class ClusteringDirection {
public:
    explicit ClusteringDirection(const Clustering& problem)
        : problem_(problem), direction_(2 * problem.d, 0.0),
          recording_(Clustering::Distance{problem.d}, Vector(2 * problem.d, 1.0), 1, true) {
        std::fill_n(direction_.begin(), problem.d, 1.0);
    }
    Vector operator()() {
        const std::size_t d = problem_.d;
        Vector gradient(problem_.x.size(), 0.0), diagonal(problem_.x.size(), 0.0), first, second;
        problem_.for_each_pair([&](std::size_t nearest, const Vector& pair) {
            recording_.second_order(pair, direction_, first, second);
            for (std::size_t a = 0; a < d; ++a) {
                gradient[nearest * d + a] += first[a];
                diagonal[nearest * d + a] += second[a];
            }
        });
        for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] /= diagonal[i];
        return gradient;
    }

private:
    const Clustering& problem_;
    Vector direction_;
    typename Library::Recording recording_;
};

// Gradient of a function whose course depends on where it is, so that it is recorded anew at every place.
template <class Library, class Function>
Vector gradient_in_mode(const Function& function, const Vector& x, char mode) {
    typename Library::Recording recording(function, x, 1, true);
    if (mode == 'r') return recording.jacobian(x);
    Vector identity(x.size() * x.size(), 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) identity[i * x.size() + i] = 1.0;
    return recording.along(x, identity, x.size());
}

template <class Library>
class Steering {
public:
    Steering(const Particle& problem, const std::string& modes)
        : problem_(problem), outer_(modes[0]), slope_(Particle::Potential(), {0.0, 8.0, problem.x[0]}, 2, modes[1]) {}
    double operator()() {
        const auto landing = [this](const auto& w) { return problem_.landing(w[0], slope_); };
        return minimize<double>(
            landing, [&](const Vector& w) { return gradient_in_mode<Library>(landing, w, outer_); }, problem_.x)[0];
    }

private:
    const Particle& problem_;
    char outer_;
    typename Library::InnerGradient slope_;
};

template <class Library>
class SaddlePoint {
public:
    SaddlePoint(const Saddle& problem, const std::string& modes)
        : problem_(problem), outer_(modes[0]), slope_(Saddle::Negative(), {0.0, 0.0, 0.0, 0.0}, 2, modes[1]) {}
    Vector operator()() {
        const auto highest = [this](const auto& x) { return problem_.highest(x, slope_); };
        Vector result = minimize<double>(
            highest, [&](const Vector& x) { return gradient_in_mode<Library>(highest, x, outer_); }, problem_.x);
        for (const double y : problem_.best_y(Vector(result), slope_)) result.push_back(y);
        return result;
    }

private:
    const Saddle& problem_;
    char outer_;
    typename Library::InnerGradient slope_;
};

// Declares all evals.
//
// Library: a class with the types
//     Recording        a function that was recorded once, to be differentiated where it takes the same course:
//         Recording(function, x, m, is_short)   records a function from vector to number or to vector of m numbers at x;
//                                               is_short: of few operations, thousands at most; false if left out
//         jacobian(x)                           by reverse mode, row by row, shape (m, n)
//         along(x, seeds, p)                    by forward mode along p directions: shapes (n, p) and (m, p)
//         second_order(x, v, first, second)     of a function with one value: its gradient, and its Hessian times v
//     InnerGradient    the gradient of a function by its first numbers, to be recorded in turn:
//         InnerGradient(function, x, count, mode)   mode: 'f' for forward, 'r' for reverse
//         gradient(x)                               of doubles or of the library's numbers
//     SECOND_ORDER     a constant: whether Recording has second_order; without it there is no kmeans
//     NESTS            a constant: whether there is InnerGradient; without it there is neither particle nor saddle
// and with Constant specialised for its numbers. The time to record before the first run is reported as "prepare".
template <class Library>
class Evals {
public:
    explicit Evals(Tool& tool) : tool_(tool) {
        add_gradient<Hello>("hello", "square", "double", [](const Hello&, const Vector& values) { return json(values[0]); });
        add_gradient<LeastSquares>("llsq", "primal", "gradient");
        add_gradient<LogSumExp>("lse", "primal", "gradient");
        add_gradient<Determinant>("det", "primal", "gradient");
        add_gradient<Network>("lstm", "objective", "jacobian");
        add_gradient<Mixture>("gmm", "objective", "jacobian", [](const Mixture& problem, const Vector& values) {
            return problem.gradient_json(values);
        });
        add_primal<Chain>("ode", "primal", [](Chain& problem) { return problem.values(problem.x); });
        add_derivative<Chain>("ode", "gradient", gradient_of<Chain>, unchanged<Chain>);

        tool_.function("ba", "objective", prepare<BundleAdjustment>,
                       [](BundleAdjustment& problem) { return problem.errors(); },
                       [](BundleAdjustment&, const BundleAdjustment::Errors& errors) {
                           return BundleAdjustment::errors_json(errors);
                       });
        add_derivative<BundleAdjustment>("ba", "jacobian", make<BundleAdjustmentJacobian<Library>, BundleAdjustment>,
                                         [](const BundleAdjustment&, const SparseMatrix& matrix) {
                                             return BundleAdjustment::jacobian_json(matrix);
                                         });
        add_primal<HandTracking>("ht", "objective", [](HandTracking& problem) { return problem(problem.x); });
        add_derivative<HandTracking>("ht", "jacobian", make<HandJacobian<Library>, HandTracking>,
                                     [](const HandTracking& problem, const Vector& values) {
                                         return problem.jacobian_json(values);
                                     });
        if constexpr (Library::SECOND_ORDER) add_clustering();
        if constexpr (Library::NESTS) add_descents();
    }

private:
    Tool& tool_;

    void add_clustering() {
        add_primal<Clustering>("kmeans", "cost", [](Clustering& problem) { return problem.cost(); });
        add_derivative<Clustering>("kmeans", "dir", make<ClusteringDirection<Library>, Clustering>,
                                   [](const Clustering& problem, const Vector& values) {
                                       std::size_t position = 0;
                                       return json(rows(values, position, problem.k, problem.d));
                                   });
    }

    void add_descents() {
        for (const std::string modes : {"rr", "ff", "fr", "rf"}) {
            add_derivative<Particle>(
                "particle", modes,
                [=](const Particle& problem) { return std::make_shared<Steering<Library>>(problem, modes); },
                [](const Particle&, double w) { return json(w); });
            add_derivative<Saddle>(
                "saddle", modes,
                [=](const Saddle& problem) { return std::make_shared<SaddlePoint<Library>>(problem, modes); },
                unchanged<Saddle>);
        }
    }

    template <class Problem>
    static Problem prepare(const json& input) { return Problem(input); }

    template <class Problem>
    static json unchanged(const Problem&, const Vector& values) { return values; }

    template <class Derivative, class Problem>
    static std::shared_ptr<Derivative> make(const Problem& problem) { return std::make_shared<Derivative>(problem); }

    template <class Problem>
    static std::shared_ptr<Gradient<Library>> gradient_of(const Problem& problem) {
        return std::make_shared<Gradient<Library>>(problem, problem.x);
    }

    template <class Problem, class Primal>
    void add_primal(const char* module, const char* function, Primal primal) {
        tool_.function(module, function, prepare<Problem>, primal);
    }

    template <class Problem>
    void add_gradient(const char* module, const char* function, const char* derivative) {
        add_gradient<Problem>(module, function, derivative, unchanged<Problem>);
    }

    template <class Problem, class Finish>
    void add_gradient(const char* module, const char* function, const char* derivative, Finish finish) {
        add_primal<Problem>(module, function, [](Problem& problem) { return problem(problem.x); });
        add_derivative<Problem>(module, derivative, gradient_of<Problem>, finish);
    }

    // make: problem -> shared pointer to what is called for the derivative; it may refer to the problem.
    template <class Problem, class Make, class Finish>
    void add_derivative(const char* module, const std::string& function, Make make, Finish finish) {
        using Derivative = decltype(make(std::declval<const Problem&>()));
        struct Prepared {
            std::shared_ptr<Problem> problem;
            Derivative derivative;
        };
        tool_.recorded(
            module, function,
            [](const json& input) { return Prepared{std::make_shared<Problem>(input), nullptr}; },
            [=](Prepared& prepared) { prepared.derivative = make(*prepared.problem); },
            [](Prepared& prepared) { return (*prepared.derivative)(); },
            [=](Prepared& prepared, const auto& value) { return finish(*prepared.problem, value); });
    }
};

}  // namespace gradbench::problems
