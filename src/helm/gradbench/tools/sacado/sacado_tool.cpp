// The AD tool Sacado: forward mode along eight directions at once, nested for second derivatives.

#include <cstddef>

#define OMPI_SKIP_MPICXX 1  // MPI comes with the headers and is not used
#include <Sacado_No_Kokkos.hpp>

#include "forward.hpp"

namespace {

struct Fads {
    static constexpr std::size_t WIDTH = 8;
    using Number = Sacado::Fad::SFad<double, WIDTH>;
    using Twice = Sacado::Fad::SFad<Number, WIDTH>;

    template <class Result, class Value>
    static Result number(const Value& value, const double* parts) {
        Result result(static_cast<int>(WIDTH), value);
        for (std::size_t i = 0; i < WIDTH; ++i) result.fastAccessDx(static_cast<int>(i)) = parts[i];
        return result;
    }
    static Number make(double value, const double* parts) { return number<Number>(value, parts); }
    static Twice make_twice(const Number& value, const double* parts) { return number<Twice>(value, parts); }
    static double value(const Number& x) { return x.val(); }
    static double part(const Number& x, std::size_t i) { return x.fastAccessDx(static_cast<int>(i)); }
    static Number part_twice(const Twice& x, std::size_t i) { return x.fastAccessDx(static_cast<int>(i)); }
};

}  // namespace

int main() {
    gradbench::Tool tool("sacado");
    gradbench::problems::Evals<gradbench::problems::Forward<Fads>> evals(tool);
    return tool.run();
}
