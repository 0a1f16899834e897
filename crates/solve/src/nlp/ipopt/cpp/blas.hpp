// The functions that IPOPT declares in IpBlas.hpp.
//
// IPOPT's own definitions are the whole of its file IpBlas.cpp, and nothing but wrappers of `ddot_`,
// `dgemm_` and the like. Since the linker takes an object out of an archive only for a symbol that
// nobody has defined yet, that file stays out of every program that has these: a program with a BLAS
// of its own keeps it to itself, and IPOPT never calls it.
#ifndef STICKSLIP_BLAS_HPP
#define STICKSLIP_BLAS_HPP

#include "IpBlas.hpp"

extern "C" {

// Implemented in blas.rs, with the conventions of the reference BLAS.
double stickslip_ddot(const int* n, const double* x, const int* x_stride, const double* y, const int* y_stride);
double stickslip_dnrm2(const int* n, const double* x, const int* x_stride);
double stickslip_dasum(const int* n, const double* x, const int* x_stride);
int stickslip_idamax(const int* n, const double* x, const int* x_stride);
void stickslip_dcopy(const int* n, const double* x, const int* x_stride, double* y, const int* y_stride);
void stickslip_daxpy(const int* n, const double* alpha, const double* x, const int* x_stride, double* y,
                     const int* y_stride);
void stickslip_dscal(const int* n, const double* alpha, double* x, const int* x_stride);
void stickslip_dgemv(const char* operation, const int* m, const int* n, const double* alpha, const double* a,
                     const int* a_leading, const double* x, const int* x_stride, const double* beta, double* y,
                     const int* y_stride);
void stickslip_dsymv(const char* triangle, const int* n, const double* alpha, const double* a, const int* a_leading,
                     const double* x, const int* x_stride, const double* beta, double* y, const int* y_stride);
void stickslip_dgemm(const char* a_operation, const char* b_operation, const int* m, const int* n, const int* k,
                     const double* alpha, const double* a, const int* a_leading, const double* b,
                     const int* b_leading, const double* beta, double* c, const int* c_leading);
void stickslip_dsyrk(const char* triangle, const char* operation, const int* n, const int* k, const double* alpha,
                     const double* a, const int* a_leading, const double* beta, double* c, const int* c_leading);
void stickslip_dtrsm(const char* side, const char* triangle, const char* operation, const char* diagonal,
                     const int* m, const int* n, const double* alpha, const double* a, const int* a_leading,
                     double* b, const int* b_leading);

} // extern "C"

namespace Ipopt {

// A stride of 0 repeats the first number, here and below.
Number IpBlasDot(Index size, const Number* x, Index incX, const Number* y, Index incY) {
   return stickslip_ddot(&size, x, &incX, y, &incY);
}

Number IpBlasNrm2(Index size, const Number* x, Index incX) {
   return stickslip_dnrm2(&size, x, &incX);
}

Number IpBlasAsum(Index size, const Number* x, Index incX) {
   return stickslip_dasum(&size, x, &incX);
}

Index IpBlasIamax(Index size, const Number* x, Index incX) {
   return stickslip_idamax(&size, x, &incX);
}

void IpBlasCopy(Index size, const Number* x, Index incX, Number* y, Index incY) {
   stickslip_dcopy(&size, x, &incX, y, &incY);
}

void IpBlasAxpy(Index size, Number alpha, const Number* x, Index incX, Number* y, Index incY) {
   stickslip_daxpy(&size, &alpha, x, &incX, y, &incY);
}

void IpBlasScal(Index size, Number alpha, Number* x, Index incX) {
   stickslip_dscal(&size, &alpha, x, &incX);
}

// As in IPOPT's own, the numbers of rows and columns change places.
void IpBlasGemv(bool trans, Index nRows, Index nCols, Number alpha, const Number* A, Index ldA, const Number* x,
                Index incX, Number beta, Number* y, Index incY) {
   stickslip_dgemv(trans ? "T" : "N", &nCols, &nRows, &alpha, A, &ldA, x, &incX, &beta, y, &incY);
}

void IpBlasSymv(Index n, Number alpha, const Number* A, Index ldA, const Number* x, Index incX, Number beta,
                Number* y, Index incY) {
   stickslip_dsymv("L", &n, &alpha, A, &ldA, x, &incX, &beta, y, &incY);
}

void IpBlasGemm(bool transa, bool transb, Index m, Index n, Index k, Number alpha, const Number* A, Index ldA,
                const Number* B, Index ldB, Number beta, Number* C, Index ldC) {
   stickslip_dgemm(transa ? "T" : "N", transb ? "T" : "N", &m, &n, &k, &alpha, A, &ldA, B, &ldB, &beta, C, &ldC);
}

void IpBlasSyrk(bool trans, Index ndim, Index nrank, Number alpha, const Number* A, Index ldA, Number beta,
                Number* C, Index ldC) {
   stickslip_dsyrk("L", trans ? "T" : "N", &ndim, &nrank, &alpha, A, &ldA, &beta, C, &ldC);
}

void IpBlasTrsm(bool trans, Index ndim, Index nrhs, Number alpha, const Number* A, Index ldA, Number* B, Index ldB) {
   stickslip_dtrsm("L", "L", trans ? "T" : "N", "N", &ndim, &nrhs, &alpha, A, &ldA, B, &ldB);
}

} // namespace Ipopt

#endif
