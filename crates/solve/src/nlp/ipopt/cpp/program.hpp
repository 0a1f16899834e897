// A nonlinear program as the Rust side hands it over, and its face towards IPOPT.
#ifndef STICKSLIP_PROGRAM_HPP
#define STICKSLIP_PROGRAM_HPP

#include <algorithm>

#include "IpTNLP.hpp"

extern "C" {

// Mirrors `Program` in ffi.rs, field by field. All pointers are valid during one solve. The
// evaluations return zero where a value is not finite or the program panicked.
struct stickslip_program {
   int variables, constraints, jacobian_entries, hessian_entries;
   const int *jacobian_rows, *jacobian_columns, *hessian_rows, *hessian_columns;
   const double *x_lower, *x_upper, *g_lower, *g_upper;
   // Start on entry, solution on return.
   double *x, *y, *z_lower, *z_upper;
   int iterations;
   long long factor_entries; // of the last factor of the KKT matrix
   void* context;
   int (*objective)(void* context, const double* x, double* value);
   int (*gradient)(void* context, const double* x, double* values);
   int (*values)(void* context, const double* x, double* values);
   int (*jacobian)(void* context, const double* x, double* values);
   int (*hessian)(void* context, const double* x, double sigma, const double* y, double* values);
   int (*keep_going)(void* context);
};

} // extern "C"

namespace stickslip {

using Ipopt::Index;
using Ipopt::Number;

// IPOPT's view of the program of the current solve. It lives as long as the application, and
// `program` is set during a solve only.
class ProgramAdapter : public Ipopt::TNLP {
public:
   stickslip_program* program;

   ProgramAdapter() : program(NULL) {}

   bool get_nlp_info(Index& n, Index& m, Index& jacobian_entries, Index& hessian_entries, IndexStyleEnum& style) {
      n = program->variables;
      m = program->constraints;
      jacobian_entries = program->jacobian_entries;
      hessian_entries = program->hessian_entries;
      style = C_STYLE;
      return true;
   }

   bool get_bounds_info(Index n, Number* x_lower, Number* x_upper, Index m, Number* g_lower, Number* g_upper) {
      std::copy(program->x_lower, program->x_lower + n, x_lower);
      std::copy(program->x_upper, program->x_upper + n, x_upper);
      std::copy(program->g_lower, program->g_lower + m, g_lower);
      std::copy(program->g_upper, program->g_upper + m, g_upper);
      return true;
   }

   bool get_starting_point(Index n, bool wants_x, Number* x, bool wants_z, Number* z_lower, Number* z_upper, Index m,
                           bool wants_y, Number* y) {
      if( wants_x )
         std::copy(program->x, program->x + n, x);
      if( wants_z ) {
         std::copy(program->z_lower, program->z_lower + n, z_lower);
         std::copy(program->z_upper, program->z_upper + n, z_upper);
      }
      if( wants_y )
         std::copy(program->y, program->y + m, y);
      return true;
   }

   bool eval_f(Index, const Number* x, bool, Number& value) {
      return program->objective(program->context, x, &value) != 0;
   }

   bool eval_grad_f(Index, const Number* x, bool, Number* values) {
      return program->gradient(program->context, x, values) != 0;
   }

   bool eval_g(Index, const Number* x, bool, Index, Number* values) {
      return program->values(program->context, x, values) != 0;
   }

   bool eval_jac_g(Index, const Number* x, bool, Index, Index entries, Index* rows, Index* columns, Number* values) {
      if( values != NULL )
         return program->jacobian(program->context, x, values) != 0;
      std::copy(program->jacobian_rows, program->jacobian_rows + entries, rows);
      std::copy(program->jacobian_columns, program->jacobian_columns + entries, columns);
      return true;
   }

   bool eval_h(Index, const Number* x, bool, Number sigma, Index, const Number* y, bool, Index entries, Index* rows,
               Index* columns, Number* values) {
      if( values != NULL )
         return program->hessian(program->context, x, sigma, y, values) != 0;
      std::copy(program->hessian_rows, program->hessian_rows + entries, rows);
      std::copy(program->hessian_columns, program->hessian_columns + entries, columns);
      return true;
   }

   bool intermediate_callback(Ipopt::AlgorithmMode, Index iteration, Number, Number, Number, Number, Number, Number,
                              Number, Number, Index, const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) {
      program->iterations = iteration;
      return program->keep_going(program->context) != 0;
   }

   void finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number* z_lower, const Number* z_upper,
                          Index m, const Number*, const Number* y, Number, const Ipopt::IpoptData*,
                          Ipopt::IpoptCalculatedQuantities*) {
      std::copy(x, x + n, program->x);
      std::copy(z_lower, z_lower + n, program->z_lower);
      std::copy(z_upper, z_upper + n, program->z_upper);
      std::copy(y, y + m, program->y);
   }
};

} // namespace stickslip

#endif
