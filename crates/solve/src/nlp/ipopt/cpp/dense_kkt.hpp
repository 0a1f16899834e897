// Solution of IPOPT's symmetric KKT ("augmented") systems by a dense factorisation in Rust.
#ifndef STICKSLIP_DENSE_KKT_HPP
#define STICKSLIP_DENSE_KKT_HPP

#include <algorithm>
#include <vector>

#include "IpAugSystemSolver.hpp"
#include "IpGenTMatrix.hpp"
#include "IpScaledMatrix.hpp"
#include "IpSymScaledMatrix.hpp"
#include "IpSymTMatrix.hpp"
#include "IpTripletHelper.hpp"

#include "program.hpp"

extern "C" {

// Implemented in kkt.rs: a Bunch-Kaufman factorisation of the lower triangle, by columns.
struct stickslip_ldl;
stickslip_ldl* stickslip_ldl_new();
void stickslip_ldl_free(stickslip_ldl* ldl);
// Sets the order and the matrix to zero; returns the matrix.
double* stickslip_ldl_reset(stickslip_ldl* ldl, int order);
// Number of negative eigenvalues, or -1 if the matrix is singular.
int stickslip_ldl_factor(stickslip_ldl* ldl);
void stickslip_ldl_solve(const stickslip_ldl* ldl, double* right_hand_side);

} // extern "C"

namespace stickslip {

using namespace Ipopt;

// One sparse block of the KKT matrix, with its pattern remembered.
class Block {
   SmartPtr<const MatrixSpace> space_;
   std::vector<Index> rows_, columns_;
   std::vector<Number> values_;

   // The pattern of these types is a property of their space; that of sums and compounds is not.
   static bool has_fixed_pattern(const Matrix& matrix) {
      return dynamic_cast<const GenTMatrix*>(&matrix) || dynamic_cast<const SymTMatrix*>(&matrix)
             || dynamic_cast<const ScaledMatrix*>(&matrix) || dynamic_cast<const SymScaledMatrix*>(&matrix);
   }

public:
   void forget() {
      space_ = NULL;
   }

   // Adds factor * matrix to the lower triangle of `kkt`, shifted down by `row_offset` rows.
   void add_to(Number* kkt, Index order, const Matrix& matrix, Index row_offset, Number factor) {
      SmartPtr<const MatrixSpace> space = matrix.OwnerSpace();
      if( GetRawPtr(space_) != GetRawPtr(space) ) {
         const Index entries = TripletHelper::GetNumberEntries(matrix);
         rows_.resize(entries);
         columns_.resize(entries);
         values_.resize(entries);
         if( entries > 0 )
            TripletHelper::FillRowCol(entries, matrix, rows_.data(), columns_.data(), row_offset, 0);
         space_ = has_fixed_pattern(matrix) ? space : SmartPtr<const MatrixSpace>();
      }
      if( values_.empty() )
         return;
      TripletHelper::FillValues((Index) values_.size(), matrix, values_.data());
      for( size_t k = 0; k < values_.size(); k++ ) {
         const Index row = std::max(rows_[k], columns_[k]) - 1, column = std::min(rows_[k], columns_[k]) - 1;
         kkt[row + column * order] += factor * values_[k];
      }
   }
};

// Assembles and solves
//
//    [ W + D_x + delta_x                                         ] [ sol_x ]   [ rhs_x ]
//    [                    D_s + delta_s                          ] [ sol_s ] = [ rhs_s ]
//    [ J_c                               D_c - delta_c           ] [ sol_c ]   [ rhs_c ]
//    [ J_d                -I                        D_d - delta_d ] [ sol_d ]   [ rhs_d ]
//
// in dense storage, which for a few dozen rows is faster than any sparse factorisation. The
// factors are kept while the matrix stays the same, which IPOPT's tags tell.
class DenseKkt : public AugSystemSolver {
   SmartPtr<ProgramAdapter> program_; // is told how many entries the factor has
   stickslip_ldl* ldl_;
   Block hessian_, equalities_, inequalities_;
   std::vector<Number> work_;
   TaggedObject::Tag tags_[7];
   Number numbers_[5];
   bool is_factored_;
   Index negative_;

   static TaggedObject::Tag tag(const TaggedObject* object) {
      return object != NULL ? object->GetTag() : TaggedObject::Tag();
   }

   // Adds diagonal + shift to `length` diagonal entries of `kkt`, from row `offset` on.
   void add_diagonal(Number* kkt, Index order, Index offset, Index length, const Vector* diagonal, Number shift) {
      Number* entry = kkt + offset * (order + 1);
      if( diagonal != NULL )
         TripletHelper::FillValuesFromVector(length, *diagonal, work_.data());
      for( Index k = 0; k < length; k++, entry += order + 1 )
         *entry += diagonal != NULL ? work_[k] + shift : shift;
   }

public:
   DenseKkt(const SmartPtr<ProgramAdapter>& program) : program_(program), ldl_(stickslip_ldl_new()), is_factored_(false), negative_(0) {}

   ~DenseKkt() {
      stickslip_ldl_free(ldl_);
   }

   // Runs before every solve: the spaces of the matrices may be new ones at old addresses.
   bool InitializeImpl(const OptionsList&, const std::string&) {
      hessian_.forget();
      equalities_.forget();
      inequalities_.forget();
      is_factored_ = false;
      return true;
   }

   ESymSolverStatus Solve(const SymMatrix* W, Number W_factor, const Vector* D_x, Number delta_x, const Vector* D_s,
                          Number delta_s, const Matrix* J_c, const Vector* D_c, Number delta_c, const Matrix* J_d,
                          const Vector* D_d, Number delta_d, const Vector& rhs_x, const Vector& rhs_s,
                          const Vector& rhs_c, const Vector& rhs_d, Vector& sol_x, Vector& sol_s, Vector& sol_c,
                          Vector& sol_d, bool check_inertia, Index expected_negative) {
      const Index n_x = rhs_x.Dim(), n_s = rhs_s.Dim(), n_c = rhs_c.Dim(), n_d = rhs_d.Dim();
      const Index s = n_x, c = s + n_s, d = c + n_c, order = d + n_d;
      const TaggedObject::Tag tags[7] = { tag(W), tag(D_x), tag(D_s), tag(J_c), tag(D_c), tag(J_d), tag(D_d) };
      const Number numbers[5] = { W_factor, delta_x, delta_s, delta_c, delta_d };
      work_.resize(order);
      if( !is_factored_ || !std::equal(tags, tags + 7, tags_) || !std::equal(numbers, numbers + 5, numbers_) ) {
         is_factored_ = false;
         Number* kkt = stickslip_ldl_reset(ldl_, order);
         if( W != NULL && W_factor != 0. )
            hessian_.add_to(kkt, order, *W, 0, W_factor);
         equalities_.add_to(kkt, order, *J_c, c, 1.);
         inequalities_.add_to(kkt, order, *J_d, d, 1.);
         for( Index k = 0; k < n_d; k++ )
            kkt[(d + k) + (s + k) * order] = -1.;
         add_diagonal(kkt, order, 0, n_x, D_x, delta_x);
         add_diagonal(kkt, order, s, n_s, D_s, delta_s);
         add_diagonal(kkt, order, c, n_c, D_c, -delta_c);
         add_diagonal(kkt, order, d, n_d, D_d, -delta_d);
         negative_ = stickslip_ldl_factor(ldl_);
         if( negative_ < 0 )
            return SYMSOLVER_SINGULAR;
         program_->program->factor_entries = (long long) order * (order + 1) / 2;
         is_factored_ = true;
         std::copy(tags, tags + 7, tags_);
         std::copy(numbers, numbers + 5, numbers_);
      }
      if( check_inertia && negative_ != expected_negative )
         return SYMSOLVER_WRONG_INERTIA;
      Number* work = work_.data();
      TripletHelper::FillValuesFromVector(n_x, rhs_x, work);
      TripletHelper::FillValuesFromVector(n_s, rhs_s, work + s);
      TripletHelper::FillValuesFromVector(n_c, rhs_c, work + c);
      TripletHelper::FillValuesFromVector(n_d, rhs_d, work + d);
      stickslip_ldl_solve(ldl_, work);
      TripletHelper::PutValuesInVector(n_x, work, sol_x);
      TripletHelper::PutValuesInVector(n_s, work + s, sol_s);
      TripletHelper::PutValuesInVector(n_c, work + c, sol_c);
      TripletHelper::PutValuesInVector(n_d, work + d, sol_d);
      return SYMSOLVER_SUCCESS;
   }

   Index NumberOfNegEVals() const {
      return negative_;
   }

   bool ProvidesInertia() const {
      return true;
   }

   // Bunch-Kaufman pivoting has no tolerance that could be tightened.
   bool IncreaseQuality() {
      return false;
   }
};

} // namespace stickslip

#endif
