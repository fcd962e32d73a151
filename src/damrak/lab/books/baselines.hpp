// The two books that single factors are tried from, named after the rungs of the ladder that they
// are like. A variant derives from one and exchanges one policy.
#pragma once

#include <damrak/lab/books/allocation.hpp>
#include <damrak/lab/books/book.hpp>
#include <damrak/lab/books/dispatch.hpp>
#include <damrak/lab/books/ids.hpp>
#include <damrak/lab/books/layouts.hpp>
#include <damrak/lab/books/level_arrays.hpp>
#include <damrak/lab/books/levels.hpp>
#include <damrak/lab/books/outputs.hpp>
#include <damrak/lab/books/ownership.hpp>
#include <damrak/lab/books/queues.hpp>

namespace damrak::lab {

/// Integer prices that number levels in an array, orders linked through themselves; all else as a
/// first version has it.
struct RungTwo {
    using Ownership = SharedOwnership;
    using Allocation = NewDelete;
    using Layout = NaturalLayout;
    using Queue = IntrusiveQueue;
    using Levels = PriceArray;
    using Ids = StandardIds;
    using Output = ReturnedVector;
    using Dispatch = Branches;
};

/// What the product's book does: numbered slots, layers of bitmaps, a table of live ids, and output
/// as a template parameter.
struct RungNine {
    using Ownership = IndexOwnership;
    using Allocation = Slab;
    using Layout = NaturalLayout;
    using Queue = IntrusiveQueue;
    using Levels = PriceArrayLayers;
    using Ids = OurIds;
    using Output = DirectOutput;
    using Dispatch = Branches;
};

}  // namespace damrak::lab
