// Solution of IPOPT's symmetric KKT systems by a sparse factorisation in Rust.
#ifndef STICKSLIP_SPARSE_KKT_HPP
#define STICKSLIP_SPARSE_KKT_HPP

#include "IpSparseSymLinearSolverInterface.hpp"

#include "program.hpp"

extern "C" {

// Implemented in sparse_kkt.rs: a multifrontal factorisation with its inertia.
struct stickslip_sparse_ldl;
// The pattern is the upper triangle by rows, counted from 0. NULL if it is not one.
stickslip_sparse_ldl* stickslip_sparse_ldl_new(int order, const int* starts, const int* columns);
void stickslip_sparse_ldl_free(stickslip_sparse_ldl* ldl);
// Where the values of the entries are to be written.
double* stickslip_sparse_ldl_values(stickslip_sparse_ldl* ldl);
// Number of negative eigenvalues, or -1 if the matrix is singular.
int stickslip_sparse_ldl_factor(stickslip_sparse_ldl* ldl);
// Entries of the factor, its diagonal included.
long long stickslip_sparse_ldl_entries(const stickslip_sparse_ldl* ldl);
void stickslip_sparse_ldl_solve(stickslip_sparse_ldl* ldl, double* right_hand_side);
// Asks for larger pivots from the next factorisation on; zero if they are as large as they get.
int stickslip_sparse_ldl_increase_quality(stickslip_sparse_ldl* ldl);

} // extern "C"

namespace stickslip {

using namespace Ipopt;

class SparseKkt : public SparseSymLinearSolverInterface {
   SmartPtr<ProgramAdapter> program_; // is told how many entries the factor has
   stickslip_sparse_ldl* ldl_;
   Index order_, negative_;
   bool is_outdated_; // the factors are of less quality than was asked for since

public:
   SparseKkt(const SmartPtr<ProgramAdapter>& program) : program_(program), ldl_(NULL), order_(0), negative_(0), is_outdated_(false) {}

   ~SparseKkt() {
      if( ldl_ != NULL )
         stickslip_sparse_ldl_free(ldl_);
   }

   bool InitializeImpl(const OptionsList&, const std::string&) {
      return true;
   }

   ESymSolverStatus InitializeStructure(Index dim, Index, const Index* ia, const Index* ja) {
      if( ldl_ != NULL )
         stickslip_sparse_ldl_free(ldl_);
      order_ = dim;
      ldl_ = stickslip_sparse_ldl_new(dim, ia, ja);
      return ldl_ != NULL ? SYMSOLVER_SUCCESS : SYMSOLVER_FATAL_ERROR;
   }

   Number* GetValuesArrayPtr() {
      return stickslip_sparse_ldl_values(ldl_);
   }

   ESymSolverStatus MultiSolve(bool is_new, const Index*, const Index*, Index right_hand_sides, Number* values,
                               bool check_inertia, Index expected_negative) {
      if( is_new || is_outdated_ ) {
         is_outdated_ = false;
         negative_ = stickslip_sparse_ldl_factor(ldl_);
         if( negative_ < 0 )
            return SYMSOLVER_SINGULAR;
         program_->program->factor_entries = stickslip_sparse_ldl_entries(ldl_);
      }
      if( check_inertia && negative_ != expected_negative )
         return SYMSOLVER_WRONG_INERTIA;
      for( Index k = 0; k < right_hand_sides; k++ )
         stickslip_sparse_ldl_solve(ldl_, values + k * order_);
      return SYMSOLVER_SUCCESS;
   }

   Index NumberOfNegEVals() const {
      return negative_;
   }

   bool ProvidesInertia() const {
      return true;
   }

   bool IncreaseQuality() {
      is_outdated_ = stickslip_sparse_ldl_increase_quality(ldl_) != 0;
      return is_outdated_;
   }

   EMatrixFormat MatrixFormat() const {
      return CSR_Format_0_Offset;
   }
};

} // namespace stickslip

#endif
