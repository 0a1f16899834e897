// IPOPT's log, handed to Rust, so that it stays in order with the program's own output.
#ifndef STICKSLIP_LOG_HPP
#define STICKSLIP_LOG_HPP

#include <cstdarg>
#include <cstdio>
#include <vector>

#include "IpJournalist.hpp"

// Implemented in log.rs.
extern "C" void stickslip_print(const char* text);

namespace stickslip {

class Log : public Ipopt::Journal {
public:
   Log() : Ipopt::Journal("stickslip", Ipopt::J_ITERSUMMARY) {}

protected:
   void PrintImpl(Ipopt::EJournalCategory, Ipopt::EJournalLevel, const char* text) {
      stickslip_print(text);
   }

   void PrintfImpl(Ipopt::EJournalCategory, Ipopt::EJournalLevel, const char* format, va_list arguments) {
      va_list again;
      va_copy(again, arguments);
      const int length = std::vsnprintf(NULL, 0, format, arguments);
      if( length > 0 ) {
         std::vector<char> text(length + 1);
         std::vsnprintf(text.data(), text.size(), format, again);
         stickslip_print(text.data());
      }
      va_end(again);
   }

   void FlushBufferImpl() {}
};

} // namespace stickslip

#endif
