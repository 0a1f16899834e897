// IPOPT's list of options with the values remembered that were read from it.
#ifndef STICKSLIP_CACHED_OPTIONS_HPP
#define STICKSLIP_CACHED_OPTIONS_HPP

#include <string>
#include <unordered_map>

#include "IpOptionsList.hpp"
#include "IpRegOptions.hpp"

namespace stickslip {

using namespace Ipopt;

// Every solve reads some two hundred options, each of them by several searches in ordered maps of
// strings and a conversion from text. That was an eighth of the time of a solve of five iterations,
// while the values only change when somebody sets one.
class CachedOptions : public OptionsList {
   template<typename T>
   struct Reading {
      T value;
      bool is_set; // what the getters return: whether the value is other than the default
   };

   template<typename T>
   using Readings = std::unordered_map<std::string, Reading<T>>;

   mutable Readings<Number> numbers_;
   mutable Readings<Index> integers_, choices_;
   mutable Readings<bool> switches_;
   mutable Readings<std::string> texts_;

   void forget() {
      numbers_.clear();
      integers_.clear();
      choices_.clear();
      switches_.clear();
      texts_.clear();
   }

   template<typename T, typename Getter>
   static bool read(Readings<T>& readings, const std::string& name, T& value, const std::string& prefix, Getter getter) {
      const std::string* key = &name;
      std::string joined;
      if( !prefix.empty() ) {
         joined = prefix + name;
         key = &joined;
      }
      const auto known = readings.find(*key);
      if( known != readings.end() ) {
         value = known->second.value;
         return known->second.is_set;
      }
      const bool is_set = getter(); // throws where there is no such option
      readings[*key] = Reading<T> { value, is_set };
      return is_set;
   }

public:
   CachedOptions(const SmartPtr<RegisteredOptions>& registered, const SmartPtr<Journalist>& journalist)
      : OptionsList(registered, journalist) {}

   bool SetStringValue(const std::string& name, const std::string& value, bool allow_clobber, bool dont_print) {
      forget();
      return OptionsList::SetStringValue(name, value, allow_clobber, dont_print);
   }

   bool SetNumericValue(const std::string& name, Number value, bool allow_clobber, bool dont_print) {
      forget();
      return OptionsList::SetNumericValue(name, value, allow_clobber, dont_print);
   }

   bool SetIntegerValue(const std::string& name, Index value, bool allow_clobber, bool dont_print) {
      forget();
      return OptionsList::SetIntegerValue(name, value, allow_clobber, dont_print);
   }

   bool UnsetValue(const std::string& name) {
      forget();
      return OptionsList::UnsetValue(name);
   }

   void clear() {
      forget();
      OptionsList::clear();
   }

   bool GetNumericValue(const std::string& name, Number& value, const std::string& prefix) const {
      return read(numbers_, name, value, prefix, [&] { return OptionsList::GetNumericValue(name, value, prefix); });
   }

   bool GetIntegerValue(const std::string& name, Index& value, const std::string& prefix) const {
      return read(integers_, name, value, prefix, [&] { return OptionsList::GetIntegerValue(name, value, prefix); });
   }

   bool GetEnumValue(const std::string& name, Index& value, const std::string& prefix) const {
      return read(choices_, name, value, prefix, [&] { return OptionsList::GetEnumValue(name, value, prefix); });
   }

   bool GetBoolValue(const std::string& name, bool& value, const std::string& prefix) const {
      return read(switches_, name, value, prefix, [&] { return OptionsList::GetBoolValue(name, value, prefix); });
   }

   bool GetStringValue(const std::string& name, std::string& value, const std::string& prefix) const {
      return read(texts_, name, value, prefix, [&] { return OptionsList::GetStringValue(name, value, prefix); });
   }
};

} // namespace stickslip

#endif
