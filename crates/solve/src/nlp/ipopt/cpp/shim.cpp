// The C interface through which Rust drives IPOPT. Nothing that C++ throws leaves it.

#include "IpAlgBuilder.hpp"
#include "IpIpoptApplication.hpp"
#include "IpStdAugSystemSolver.hpp"
#include "IpTSymLinearSolver.hpp"
#include "IpTNLPAdapter.hpp"

#include "cached_options.hpp"
#include "dense_kkt.hpp"
#include "log.hpp"
#include "program.hpp"
#include "sparse_kkt.hpp"
// In this object file on purpose: IPOPT's archive is linked after this one and calls back into it,
// and a linker that reads archives once would not find a separate object.
#ifdef STICKSLIP_BUNDLED
#include "blas.hpp"
#include "lapack.hpp"
#endif

using namespace Ipopt;
using namespace stickslip;

// One IPOPT application and what it is to solve.
struct stickslip_ipopt {
   SmartPtr<IpoptApplication> application;
   SmartPtr<ProgramAdapter> program;
   SmartPtr<NLP> nlp; // set once the algorithm is built, by the first solve

   stickslip_ipopt() : program(new ProgramAdapter()) {
      SmartPtr<RegisteredOptions> registered = new RegisteredOptions();
      IpoptApplication::RegisterAllIpoptOptions(registered);
      SmartPtr<Journalist> journalist = new Journalist();
      application = new IpoptApplication(registered, new CachedOptions(registered, journalist), journalist);
      // IPOPT would otherwise read a file ipopt.opt in the working folder.
      application->Options()->SetStringValue("option_file_name", "");
      application->Options()->SetStringValue("linear_solver", "custom");
   }
};

namespace {

// A code beside those of IPOPT's ApplicationReturnStatus.
const int EXCEPTION = -1000;

// KKT matrices with more rows than this are factored by the sparse method. At the size of a few
// small matrices the dense one wins, by not having to look entries up.
const int MOST_DENSE_ROWS = 150;

SmartPtr<AugSystemSolver> new_kkt_solver(const SmartPtr<ProgramAdapter>& adapter) {
   const stickslip_program& program = *adapter->program;
   int rows = program.variables + program.constraints;
   for( int k = 0; k < program.constraints; k++ )
      rows += program.g_lower[k] < program.g_upper[k]; // the slack of an inequality
   if( rows <= MOST_DENSE_ROWS )
      return new DenseKkt(adapter);
   SmartPtr<SymLinearSolver> solver = new TSymLinearSolver(new SparseKkt(adapter), NULL);
   return new StdAugSystemSolver(*solver);
}

template<typename Function>
int guarded(int otherwise, Function function) {
   try {
      return function();
   }
   catch( ... ) {
      return otherwise;
   }
}

} // namespace

extern "C" {

const char* stickslip_ipopt_version() {
   return IPOPT_VERSION;
}

// NULL if it cannot be created.
stickslip_ipopt* stickslip_ipopt_new() {
   stickslip_ipopt* ipopt = NULL;
   guarded(0, [&] {
      ipopt = new stickslip_ipopt();
      return 0;
   });
   return ipopt;
}

void stickslip_ipopt_free(stickslip_ipopt* ipopt) {
   guarded(0, [&] {
      delete ipopt;
      return 0;
   });
}

// What kind of value the option takes: 0 number, 1 integer, 2 text, -1 there is no such option.
int stickslip_ipopt_option_kind(stickslip_ipopt* ipopt, const char* name) {
   return guarded(-1, [&] {
      SmartPtr<const RegisteredOption> option = ipopt->application->RegOptions()->GetOption(name);
      if( !IsValid(option) )
         return -1;
      return option->Type() == OT_Number ? 0 : option->Type() == OT_Integer ? 1 : option->Type() == OT_String ? 2 : -1;
   });
}

// The setters return zero if IPOPT refuses the value.
int stickslip_ipopt_set_number(stickslip_ipopt* ipopt, const char* name, double value) {
   return guarded(0, [&] { return (int) ipopt->application->Options()->SetNumericValue(name, value); });
}

int stickslip_ipopt_set_integer(stickslip_ipopt* ipopt, const char* name, int value) {
   return guarded(0, [&] { return (int) ipopt->application->Options()->SetIntegerValue(name, value); });
}

int stickslip_ipopt_set_text(stickslip_ipopt* ipopt, const char* name, const char* value) {
   return guarded(0, [&] { return (int) ipopt->application->Options()->SetStringValue(name, value); });
}

// Lets IPOPT print its log, or keeps it silent, which it is from the start.
void stickslip_ipopt_set_verbose(stickslip_ipopt* ipopt, int verbose) {
   guarded(0, [&] {
      SmartPtr<Journalist> journalist = ipopt->application->Jnlst();
      journalist->DeleteAllJournals();
      if( verbose != 0 )
         journalist->AddJournal(new Log());
      return 0;
   });
}

// Solves the program and returns IPOPT's ApplicationReturnStatus, or EXCEPTION. All programs given
// to one application must have the same structure.
int stickslip_ipopt_solve(stickslip_ipopt* ipopt, stickslip_program* program) {
   ipopt->program->program = program;
   const int status = guarded(EXCEPTION, [&]() -> int {
      if( IsValid(ipopt->nlp) )
         return ipopt->application->ReOptimizeNLP(ipopt->nlp);
      const ApplicationReturnStatus initialized = ipopt->application->Initialize();
      if( initialized != Solve_Succeeded )
         return initialized;
      SmartPtr<NLP> nlp = new TNLPAdapter(GetRawPtr(ipopt->program), ConstPtr(ipopt->application->Jnlst()));
      SmartPtr<AlgorithmBuilder> builder = new AlgorithmBuilder(new_kkt_solver(ipopt->program), "bundled factorisation");
      const ApplicationReturnStatus solved = ipopt->application->OptimizeNLP(nlp, builder);
      if( IsValid(ipopt->application->AlgorithmObject()) )
         ipopt->nlp = nlp;
      return solved;
   });
   ipopt->program->program = NULL;
   return status;
}

} // extern "C"
