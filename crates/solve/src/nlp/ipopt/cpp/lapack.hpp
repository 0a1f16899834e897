// The dense routines that IPOPT declares in IpLapack.hpp and, built without LAPACK, leaves
// undefined. Only its quasi-Newton and inexact methods call them, for matrices of a few rows:
// these are the textbook algorithms, by columns, with LAPACK's conventions (one-based pivots, a
// positive `info` naming the row that failed).
#ifndef STICKSLIP_LAPACK_HPP
#define STICKSLIP_LAPACK_HPP

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "IpLapack.hpp"

namespace Ipopt {

// Cholesky factor A = L L^T of the lower triangle.
void IpLapackPotrf(Index n, Number* a, Index lda, Index& info) {
   info = 0;
   for( Index j = 0; j < n; j++ ) {
      for( Index i = j; i < n; i++ ) {
         Number sum = a[i + j * lda];
         for( Index k = 0; k < j; k++ )
            sum -= a[i + k * lda] * a[j + k * lda];
         if( i > j ) {
            a[i + j * lda] = sum / a[j + j * lda];
         }
         else if( sum > 0. ) {
            a[j + j * lda] = std::sqrt(sum);
         }
         else {
            info = j + 1;
            return;
         }
      }
   }
}

// Solution of A x = b for each column of b, with the factor of IpLapackPotrf.
void IpLapackPotrs(Index n, Index columns, const Number* a, Index lda, Number* b, Index ldb) {
   for( Number* x = b; x != b + columns * ldb; x += ldb ) {
      for( Index i = 0; i < n; i++ ) {
         for( Index k = 0; k < i; k++ )
            x[i] -= a[i + k * lda] * x[k];
         x[i] /= a[i + i * lda];
      }
      for( Index i = n; i-- > 0; ) {
         for( Index k = i + 1; k < n; k++ )
            x[i] -= a[k + i * lda] * x[k];
         x[i] /= a[i + i * lda];
      }
   }
}

// Eigenvalues in ascending order, and eigenvectors in the columns of `a` if asked for, by cyclic
// Jacobi rotations of the lower triangle mirrored.
void IpLapackSyev(bool compute_eigenvectors, Index n, Number* a, Index lda, Number* eigenvalues, Index& info) {
   std::vector<Number> s(n * n), vectors(n * n, 0.);
   for( Index j = 0; j < n; j++ ) {
      vectors[j + j * n] = 1.;
      for( Index i = j; i < n; i++ )
         s[i + j * n] = s[j + i * n] = a[i + j * lda];
   }
   info = 1;
   const int most_sweeps = 60; // convergence is quadratic: 5 to 10 are usual
   for( int sweep = 0; sweep < most_sweeps && info != 0; sweep++ ) {
      Number off_diagonal = 0., diagonal = 0.;
      for( Index j = 0; j < n; j++ ) {
         diagonal += s[j + j * n] * s[j + j * n];
         for( Index i = 0; i < j; i++ )
            off_diagonal += s[i + j * n] * s[i + j * n];
      }
      if( off_diagonal <= 1e-32 * diagonal )
         info = 0;
      for( Index p = 0; p < n && info != 0; p++ ) {
         for( Index q = p + 1; q < n; q++ ) {
            if( s[p + q * n] == 0. )
               continue;
            const Number theta = (s[q + q * n] - s[p + p * n]) / (2. * s[p + q * n]);
            const Number tangent = (theta >= 0. ? 1. : -1.) / (std::fabs(theta) + std::sqrt(theta * theta + 1.));
            const Number cosine = 1. / std::sqrt(tangent * tangent + 1.), sine = tangent * cosine;
            auto rotate = [=](Number& x, Number& y) {
               const Number rotated = cosine * x - sine * y;
               y = sine * x + cosine * y;
               x = rotated;
            };
            for( Index k = 0; k < n; k++ )
               rotate(s[k + p * n], s[k + q * n]);
            for( Index k = 0; k < n; k++ )
               rotate(s[p + k * n], s[q + k * n]);
            for( Index k = 0; k < n; k++ )
               rotate(vectors[k + p * n], vectors[k + q * n]);
         }
      }
   }
   std::vector<Index> order(n);
   std::iota(order.begin(), order.end(), 0);
   std::sort(order.begin(), order.end(), [&](Index i, Index j) { return s[i + i * n] < s[j + j * n]; });
   for( Index j = 0; j < n; j++ ) {
      eigenvalues[j] = s[order[j] + order[j] * n];
      for( Index i = 0; i < n && compute_eigenvectors; i++ )
         a[i + j * lda] = vectors[i + order[j] * n];
   }
}

// Factors P A = L U with row exchanges.
void IpLapackGetrf(Index n, Number* a, Index* pivots, Index lda, Index& info) {
   info = 0;
   for( Index k = 0; k < n; k++ ) {
      Index pivot = k;
      for( Index i = k + 1; i < n; i++ )
         if( std::fabs(a[i + k * lda]) > std::fabs(a[pivot + k * lda]) )
            pivot = i;
      pivots[k] = pivot + 1;
      if( a[pivot + k * lda] == 0. ) {
         if( info == 0 )
            info = k + 1;
         continue;
      }
      for( Index j = 0; j < n && pivot != k; j++ )
         std::swap(a[k + j * lda], a[pivot + j * lda]);
      for( Index i = k + 1; i < n; i++ ) {
         a[i + k * lda] /= a[k + k * lda];
         for( Index j = k + 1; j < n; j++ )
            a[i + j * lda] -= a[i + k * lda] * a[k + j * lda];
      }
   }
}

// Solution of A x = b for each column of b, with the factors of IpLapackGetrf.
void IpLapackGetrs(Index n, Index columns, const Number* a, Index lda, Index* pivots, Number* b, Index ldb) {
   for( Number* x = b; x != b + columns * ldb; x += ldb ) {
      for( Index k = 0; k < n; k++ )
         std::swap(x[k], x[pivots[k] - 1]);
      for( Index i = 0; i < n; i++ )
         for( Index k = 0; k < i; k++ )
            x[i] -= a[i + k * lda] * x[k];
      for( Index i = n; i-- > 0; ) {
         for( Index k = i + 1; k < n; k++ )
            x[i] -= a[i + k * lda] * x[k];
         x[i] /= a[i + i * lda];
      }
   }
}

} // namespace Ipopt

#endif
