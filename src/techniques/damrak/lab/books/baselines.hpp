// The two baselines for experiments on single factors, named after similar rungs of the ladder. A
// variant derives from one and replaces one policy.
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

/// Integer prices that index an array of levels, intrusive queues; everything else as in a first
/// version.
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

/// The design of the product's book: slot numbers, layered bitmaps, a table of live ids, and output
/// to a template parameter.
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
