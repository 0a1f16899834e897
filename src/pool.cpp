// Recycling of small blocks of memory for IPOPT, in the command-line program only: the library leaves
// the global operators to the program that links it.
//
// IPOPT makes and drops some five hundred small objects in an iteration, and keeps a few hundred of
// a kind alive, more than the per-thread caches of the C library hold: a third of a solve of a
// program of ten variables went into malloc and free. These replacements of the global `operator
// new` and `operator delete` (which C++ provides for, and which no Rust code uses) keep freed
// blocks of up to 1 KiB in one list per size and thread.
//
// Every block comes from malloc and its size is asked of the C library, so that a block may be
// made by one pair of operators and freed by the other: nothing breaks where a shared library has
// bound to those of the C++ library.
#include <cstddef>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace stickslip {

class Pool {
   struct Block {
      Block* next;
   };

   static const std::size_t GRAIN = 16, CLASSES = 64;

   // Blocks of the list i hold at least i * GRAIN bytes.
   Block* free_[CLASSES + 1];
   bool is_closed_;

public:
   constexpr Pool() : free_(), is_closed_(false) {}

   // Runs at the end of its thread; what is freed later goes to the C library.
   ~Pool() {
      is_closed_ = true;
      for( std::size_t i = 0; i <= CLASSES; i++ ) {
         while( Block* block = free_[i] ) {
            free_[i] = block->next;
            std::free(block);
         }
      }
   }

   void* allocate(std::size_t size) {
      const std::size_t i = size == 0 ? 1 : (size + GRAIN - 1) / GRAIN;
      if( i > CLASSES )
         return allocate_new(size);
      Block* block = free_[i];
      if( block == NULL )
         return allocate_new(i * GRAIN);
      free_[i] = block->next;
      return block;
   }

   void release(void* memory) {
      if( memory == NULL )
         return;
      const std::size_t i = malloc_usable_size(memory) / GRAIN;
      if( i > CLASSES || i == 0 || is_closed_ ) {
         std::free(memory);
         return;
      }
      Block* block = static_cast<Block*>(memory);
      block->next = free_[i];
      free_[i] = block;
   }

private:
   static void* allocate_new(std::size_t size) {
      for( ;; ) {
         if( void* memory = std::malloc(size) )
            return memory;
         const std::new_handler handler = std::get_new_handler();
         if( handler == NULL )
            throw std::bad_alloc();
         handler();
      }
   }
};

static thread_local Pool pool;

} // namespace stickslip

void* operator new(std::size_t size) {
   return stickslip::pool.allocate(size);
}

void* operator new[](std::size_t size) {
   return stickslip::pool.allocate(size);
}

void operator delete(void* memory) noexcept {
   stickslip::pool.release(memory);
}

void operator delete[](void* memory) noexcept {
   stickslip::pool.release(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
   stickslip::pool.release(memory);
}

void operator delete[](void* memory, std::size_t) noexcept {
   stickslip::pool.release(memory);
}

