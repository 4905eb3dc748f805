// ba, ht and kmeans for any type of number: functions with many values, of which each depends on few numbers.

#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "problems.hpp"

namespace gradbench::problems {

// A sparse matrix in compressed row form: row pointers, columns, values.
struct SparseMatrix {
    std::vector<int> rows, cols;
    Vector vals;
};

// Errors of p observations, of which number i is of point i mod m by camera i mod n.
struct BundleAdjustment {
    static constexpr std::size_t CAMERA = 11, POINT = 3, FEATURE = 2;
    static constexpr std::size_t BY = CAMERA + POINT + 1;  // what the errors of an observation are differentiated by

    std::size_t n, m, p;
    Vector cameras, points, weights, features;

    struct Errors {
        Vector reprojection, weight;
    };

    // The two reprojection errors of an observation: a function of its camera, point, weight and feature, in this order.
    struct Reprojection {
        bool is_still;  // the rotation vector is zero, and its length cannot be differentiated
        template <class T>
        std::vector<T> operator()(const std::vector<T>& x) const {
            using std::cos;
            using std::sin;
            using std::sqrt;
            const T *r = x.data(), *centre = r + 3, *principal = r + 7, *point = r + CAMERA;
            const std::array<T, 3> y{T(point[0] - centre[0]), T(point[1] - centre[1]), T(point[2] - centre[2])};
            std::array<T, 3> z;
            if (is_still) {
                for (int i = 0; i < 3; ++i) z[i] = y[i] + cross(r, y.data(), i);
            } else {
                const T angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
                const T sine = sin(angle), cosine = cos(angle);
                const std::array<T, 3> axis{T(r[0] / angle), T(r[1] / angle), T(r[2] / angle)};
                const T along = (axis[0] * y[0] + axis[1] * y[1] + axis[2] * y[2]) * (1.0 - cosine);
                for (int i = 0; i < 3; ++i) {
                    z[i] = y[i] * cosine + cross(axis.data(), y.data(), i) * sine + axis[i] * along;
                }
            }
            const T v0 = z[0] / z[2], v1 = z[1] / z[2], s = v0 * v0 + v1 * v1;
            const T scale = x[6] * (1.0 + s * (x[9] + s * x[10]));
            const T &weight = x[CAMERA + POINT], *feature = &weight + 1;
            return {T(weight * (scale * v0 + principal[0] - feature[0])),
                    T(weight * (scale * v1 + principal[1] - feature[1]))};
        }

    private:
        template <class T>
        static T cross(const T* a, const T* b, int i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            return a[j] * b[k] - a[k] * b[j];
        }
    };

    // The error of a weight.
    struct Weight {
        template <class T>
        T operator()(const std::vector<T>& x) const { return 1.0 - x[0] * x[0]; }
    };

    explicit BundleAdjustment(const json& input) : n(input.at("n")), m(input.at("m")), p(input.at("p")) {
        const Vector camera = flat(input.at("cam")), point = flat(input.at("x")), feature = flat(input.at("feat"));
        const std::size_t last = std::numeric_limits<int>::max();
        if (!n || !m || !p || camera.size() != CAMERA || point.size() != POINT || feature.size() != FEATURE) {
            throw std::invalid_argument("ba needs cameras of 11 numbers, points of 3 and features of 2, and some of each.");
        }
        if (n > last / 44 || m > last / 12 || p > last / 62) throw std::invalid_argument("ba is too large for this tool.");
        for (std::size_t i = 0; i < n; ++i) cameras.insert(cameras.end(), camera.begin(), camera.end());
        for (std::size_t i = 0; i < m; ++i) points.insert(points.end(), point.begin(), point.end());
        for (std::size_t i = 0; i < p; ++i) features.insert(features.end(), feature.begin(), feature.end());
        weights.assign(p, input.at("w").get<double>());
    }

    // Puts what observation i depends on into x.
    void gather(std::size_t i, Vector& x) const {
        x.assign(cameras.begin() + offset(CAMERA * (i % n)), cameras.begin() + offset(CAMERA * (i % n + 1)));
        x.insert(x.end(), points.begin() + offset(POINT * (i % m)), points.begin() + offset(POINT * (i % m + 1)));
        x.push_back(weights[i]);
        x.insert(x.end(), features.begin() + offset(FEATURE * i), features.begin() + offset(FEATURE * (i + 1)));
    }

    static Reprojection reprojection(const Vector& x) {
        return {x[0] == 0 && x[1] == 0 && x[2] == 0};
    }

    Errors errors() const {
        Errors result;
        result.reprojection.reserve(2 * p);
        result.weight.reserve(p);
        Vector x, weight(1);
        for (std::size_t i = 0; i < p; ++i) {
            gather(i, x);
            for (const double error : reprojection(x)(x)) result.reprojection.push_back(error);
            weight[0] = weights[i];
            result.weight.push_back(Weight()(weight));
        }
        return result;
    }

    // The columns that the two rows of observation i share.
    void append_columns(std::size_t i, std::vector<int>& columns) const {
        for (std::size_t a = 0; a < CAMERA; ++a) columns.push_back(static_cast<int>(CAMERA * (i % n) + a));
        for (std::size_t a = 0; a < POINT; ++a) columns.push_back(static_cast<int>(CAMERA * n + POINT * (i % m) + a));
        columns.push_back(weight_column(i));
    }
    int weight_column(std::size_t i) const { return static_cast<int>(CAMERA * n + POINT * m + i); }

    static json errors_json(const Errors& errors) {
        return {{"reproj_error", {{"elements", {errors.reprojection[0], errors.reprojection[1]}},
                                  {"repeated", errors.weight.size()}}},
                {"w_err", {{"element", errors.weight[0]}, {"repeated", errors.weight.size()}}}};
    }
    // Of each list the first thirty entries and the last one.
    static json jacobian_json(const SparseMatrix& matrix) {
        return {{"rows", told(matrix.rows)}, {"cols", told(matrix.cols)}, {"vals", told(matrix.vals)}};
    }

private:
    static std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }
    template <class T>
    static std::vector<T> told(const std::vector<T>& list) {
        std::vector<T> result(list.begin(), list.begin() + offset(std::min<std::size_t>(30, list.size())));
        result.push_back(list.back());
        return result;
    }
};

// Errors of points on a posed hand; by theta, and by the shares of their corners where they lie on triangles.
struct HandTracking {
    static constexpr std::size_t THETA = 26, FINGERS = 5;

    Vector x;  // theta, then two shares for each point
    Vector seeds;  // directions to differentiate along, one a column
    std::size_t num_directions;

    explicit HandTracking(const json& input) : x(flat(input.at("theta"))) {
        const json &data = input.at("data"), &model = data.at("model");
        parents_ = model.at("parents").get<std::vector<int>>();
        relatives_ = flat(model.at("base_relatives"));
        inverses_ = flat(model.at("inverse_base_absolutes"));
        positions_ = flat(model.at("base_positions"));
        points_ = flat(data.at("points"));
        is_mirrored_ = model.at("is_mirrored").get<bool>();
        const json& corners = data.at("correspondences");
        const std::size_t bones = parents_.size(), vertices = positions_.size() / 4, points = corners.size();
        read_weights(model.at("weights"), bones);
        const Vector shares = flat(input.at("us"));
        if (points_.size() != 3 * points || (!shares.empty() && shares.size() != 2 * points)) {
            throw std::invalid_argument("ht needs three coordinates for each correspondence, and two shares or none.");
        }
        for (const json& corner : corners) {
            const json& place = shares.empty() ? corner : model.at("triangles").at(corner.get<std::size_t>());
            for (const double vertex : flat(place)) {
                if (!(vertex >= 0 && vertex < static_cast<double>(vertices))) {
                    throw std::invalid_argument("ht: a point belongs to a vertex that the model does not have.");
                }
                corners_.push_back(static_cast<std::size_t>(vertex));
            }
        }
        if (x.size() != THETA || bones < 1 + 4 * FINGERS) {
            throw std::invalid_argument("ht needs 26 parameters and at least 21 bones.");
        }
        if (relatives_.size() != 16 * bones || inverses_.size() != 16 * bones || positions_.size() != 4 * vertices ||
            starts_.size() != vertices + 1 || corners_.size() != (shares.empty() ? 1 : 3) * points) {
            throw std::invalid_argument("ht's arrays do not have the sizes that belong together.");
        }
        for (std::size_t bone = 0; bone < bones; ++bone) {
            if (parents_[bone] < -1 || parents_[bone] >= static_cast<int>(bone)) {
                throw std::invalid_argument("ht: a bone comes before its parent.");
            }
        }
        has_shares_ = !shares.empty();
        x.insert(x.end(), shares.begin(), shares.end());
        num_directions = THETA + (has_shares_ ? 2 : 0);
        seeds.assign(x.size() * num_directions, 0.0);
        for (std::size_t i = 0; i < x.size(); ++i) {
            // A point depends on its own shares alone, so those of all points move at once; they are the first columns.
            const std::size_t column = i < THETA ? i + num_directions - THETA : (i - THETA) % 2;
            seeds[i * num_directions + column] = 1.0;
        }
    }

    template <class T>
    std::vector<T> operator()(const std::vector<T>& x) const {
        std::vector<T> vertices = posed(x), result;
        place(x, vertices);
        result.reserve(points_.size());
        const T* shares = x.data() + THETA;
        for (std::size_t i = 0; i < points_.size() / 3; ++i) {
            if (!has_shares_) {
                const T* vertex = &vertices[3 * corners_[i]];
                for (int a = 0; a < 3; ++a) result.push_back(points_[3 * i + a] - vertex[a]);
                continue;
            }
            const T &u0 = shares[2 * i], &u1 = shares[2 * i + 1], u2 = 1.0 - u0 - u1;
            const T *first = &vertices[3 * corners_[3 * i]], *second = &vertices[3 * corners_[3 * i + 1]];
            const T* third = &vertices[3 * corners_[3 * i + 2]];
            for (int a = 0; a < 3; ++a) {
                result.push_back(points_[3 * i + a] - (u0 * first[a] + u1 * second[a] + u2 * third[a]));
            }
        }
        return result;
    }

    json jacobian_json(const Vector& values) const {
        std::size_t position = 0;
        return rows(values, position, points_.size(), num_directions);
    }

private:
    // The first three rows of a transformation.
    template <class T>
    using Transformation = std::array<T, 12>;

    std::vector<int> parents_;
    Vector relatives_, inverses_, positions_, points_;
    std::vector<std::size_t> corners_;
    bool is_mirrored_, has_shares_;
    // Of vertex v: bones_[i] has the weight weights_[i], for i from starts_[v] to starts_[v + 1]. The others have none.
    std::vector<std::size_t> starts_{0}, bones_;
    Vector weights_;

    void read_weights(const json& table, std::size_t bones) {
        for (const json& row : table) {
            const Vector weights = row.get<Vector>();
            if (weights.size() != bones) throw std::invalid_argument("ht: a vertex does not have a weight for each bone.");
            for (std::size_t bone = 0; bone < bones; ++bone) {
                if (weights[bone] != 0) {
                    bones_.push_back(bone);
                    weights_.push_back(weights[bone]);
                }
            }
            starts_.push_back(bones_.size());
        }
    }

    // The vertices before the hand is turned and moved as a whole.
    template <class T>
    std::vector<T> posed(const std::vector<T>& x) const {
        std::vector<Transformation<T>> absolutes, moves;
        for (std::size_t bone = 0; bone < parents_.size(); ++bone) {
            const Transformation<T> relative = turned(bone, x);
            absolutes.push_back(
                parents_[bone] < 0 ? relative : product(absolutes[static_cast<std::size_t>(parents_[bone])], relative));
            moves.push_back(product(absolutes.back(), &inverses_[16 * bone]));
        }
        std::vector<T> result;
        result.reserve(3 * (starts_.size() - 1));
        for (std::size_t vertex = 0; vertex + 1 < starts_.size(); ++vertex) {
            const double* position = &positions_[4 * vertex];
            for (int a = 0; a < 3; ++a) {
                T sum(0.0);
                for (std::size_t i = starts_[vertex]; i < starts_[vertex + 1]; ++i) {
                    const T* row = &moves[bones_[i]][static_cast<std::size_t>(4 * a)];
                    for (int b = 0; b < 4; ++b) sum += row[b] * (weights_[i] * position[b]);
                }
                result.push_back(sum);
            }
        }
        return result;
    }

    // A bone's transformation relative to its parent, with its joint bent: R_z R_x of the angles that theta has for it.
    template <class T>
    Transformation<T> turned(std::size_t bone, const std::vector<T>& x) const {
        using std::cos;
        using std::sin;
        Transformation<T> result;
        for (std::size_t i = 0; i < 12; ++i) result[i] = T(relatives_[16 * bone + i]);
        const std::size_t joint = (bone + 3) % 4;  // 0 is the rigid bone of a finger
        if (bone == 0 || bone > 4 * FINGERS || joint == 0) return result;
        const std::size_t first = 6 + 4 * ((bone - 1) / 4);
        const T& angle_x = x[joint == 1 ? first : first + joint];
        if (joint == 1) turn(result, 0, 1, T(cos(x[first + 1])), T(sin(x[first + 1])));
        turn(result, 1, 2, T(cos(angle_x)), T(sin(angle_x)));
        return result;
    }

    // Turns columns i and j of a transformation: the product with a rotation.
    template <class T>
    static void turn(Transformation<T>& matrix, std::size_t i, std::size_t j, const T& c, const T& s) {
        for (std::size_t row = 0; row < 12; row += 4) {
            const T old = matrix[row + i];
            matrix[row + i] = old * c + matrix[row + j] * s;
            matrix[row + j] = matrix[row + j] * c - old * s;
        }
    }

    // `right` has at least the first three rows of a transformation.
    template <class T, class Right>
    static Transformation<T> product(const Transformation<T>& left, const Right& right) {
        Transformation<T> result;
        for (std::size_t row = 0; row < 12; row += 4) {
            for (std::size_t column = 0; column < 4; ++column) {
                T sum = left[row] * right[column] + left[row + 1] * right[4 + column] + left[row + 2] * right[8 + column];
                if (column == 3) sum += left[row + 3];
                result[row + column] = sum;
            }
        }
        return result;
    }

    // Turns and moves the whole hand.
    template <class T>
    void place(const std::vector<T>& x, std::vector<T>& vertices) const {
        using std::cos;
        using std::sin;
        using std::sqrt;
        const T squared = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        const bool is_still = squared < 1e-4 * 1e-4;
        std::array<T, 9> rotation;
        if (!is_still) {
            const T angle = sqrt(squared), s = sin(angle), c = cos(angle), rest = 1.0 - c;
            const std::array<T, 3> axis{T(x[0] / angle), T(x[1] / angle), T(x[2] / angle)};
            for (std::size_t i = 0; i < 3; ++i) {
                const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
                rotation[3 * i + i] = c + rest * axis[i] * axis[i];
                rotation[3 * i + j] = rest * axis[i] * axis[j] - s * axis[k];
                rotation[3 * i + k] = rest * axis[i] * axis[k] + s * axis[j];
            }
        }
        for (std::size_t start = 0; start < vertices.size(); start += 3) {
            T* vertex = &vertices[start];
            if (is_mirrored_) vertex[0] = -vertex[0];
            if (!is_still) {
                const std::array<T, 3> old{vertex[0], vertex[1], vertex[2]};
                for (std::size_t i = 0; i < 3; ++i) {
                    vertex[i] = rotation[3 * i] * old[0] + rotation[3 * i + 1] * old[1] + rotation[3 * i + 2] * old[2];
                }
            }
            for (std::size_t i = 0; i < 3; ++i) vertex[i] += x[3 + i];
        }
    }
};

// Sum of the squared distances of n points to the nearest of k centroids.
struct Clustering {
    std::size_t k, d;
    Vector points, x;  // x: the centroids

    // Of a centroid and a point, in this order.
    struct Distance {
        std::size_t d;
        template <class T>
        T operator()(const std::vector<T>& x) const {
            T total(0.0);
            for (std::size_t a = 0; a < d; ++a) {
                const T difference = x[a] - x[d + a];
                total += difference * difference;
            }
            return total;
        }
    };

    explicit Clustering(const json& input)
        : k(input.at("centroids").size()), d(k ? input.at("centroids").at(0).size() : 0),
          points(flat(input.at("points"))), x(flat(input.at("centroids"))) {
        if (!d || x.size() != k * d || points.size() != input.at("points").size() * d || points.empty()) {
            throw std::invalid_argument("kmeans needs points and centroids of the same dimension.");
        }
    }

    // Calls act(centroid, pair): for each point the nearest centroid, of equally near ones the first, and both their numbers.
    template <class Act>
    void for_each_pair(const Act& act) const {
        Vector columns(x.size()), distances(k), pair(2 * d);
        for (std::size_t j = 0; j < k; ++j) {
            for (std::size_t a = 0; a < d; ++a) columns[a * k + j] = x[j * d + a];
        }
        for (const double* point = points.data(); point != points.data() + points.size(); point += d) {
            std::fill(distances.begin(), distances.end(), 0.0);
            for (std::size_t a = 0; a < d; ++a) {  // all centroids at once: the compiler makes vectors of them
                const double* column = &columns[a * k];
                for (std::size_t j = 0; j < k; ++j) {
                    const double difference = point[a] - column[j];
                    distances[j] += difference * difference;
                }
            }
            const auto nearest =
                static_cast<std::size_t>(std::min_element(distances.begin(), distances.end()) - distances.begin());
            std::copy_n(&x[nearest * d], d, pair.begin());
            std::copy_n(point, d, pair.begin() + static_cast<std::ptrdiff_t>(d));
            act(nearest, pair);
        }
    }

    double cost() const {
        double total = 0.0;
        for_each_pair([&](std::size_t, const Vector& pair) { total += Distance{d}(pair); });
        return total;
    }
};

}  // namespace gradbench::problems
