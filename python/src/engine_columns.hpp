// Orders in columns, as they lie in memory: NumPy arrays and others with a buffer, and Arrow streams.
// A column has exactly the type that it must have; none is converted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nanobind/nanobind.h>

#include <damrak/tables/arrow.hpp>

namespace damrak::python {

enum class Kind : std::uint8_t { uint8, uint16, uint32, uint64, int64, float64 };
constexpr auto k_kind_names =
    std::to_array<std::string_view>({"uint8", "uint16", "uint32", "uint64", "int64", "float64"});

/// What a column may be, in the order of `Field`.
struct Spec {
    std::string_view name;
    Kind kind;
    bool is_price = false;  ///< or int64, in billionths
};
enum Field : std::size_t {
    f_time,
    f_command,
    f_instrument,
    f_participant,
    f_side,
    f_type,
    f_tif,
    f_self_trade,
    f_flags,
    f_quantity,
    f_price,
    f_order,
    f_new_order,
    f_client_id,
    f_stop,
    f_display,
    f_minimum,
    f_expire,
    f_offset,
    f_peg,
    f_link,
    k_fields
};
constexpr std::array<Spec, k_fields> k_specs{{{"time", Kind::int64},
                                              {"command", Kind::uint8},
                                              {"instrument", Kind::uint32},
                                              {"participant", Kind::uint32},
                                              {"side", Kind::uint8},
                                              {"type", Kind::uint8},
                                              {"tif", Kind::uint8},
                                              {"self_trade", Kind::uint8},
                                              {"flags", Kind::uint16},
                                              {"quantity", Kind::int64},
                                              {"price", Kind::float64, true},
                                              {"order", Kind::uint64},
                                              {"new_order", Kind::uint64},
                                              {"client_id", Kind::uint64},
                                              {"stop", Kind::float64, true},
                                              {"display", Kind::int64},
                                              {"minimum", Kind::int64},
                                              {"expire", Kind::int64},
                                              {"offset", Kind::float64, true},
                                              {"peg", Kind::uint8},
                                              {"link", Kind::uint8}}};

/// Values of a column, somewhere in memory.
struct Values {
    const std::byte* data = nullptr;  ///< null: the column is not there
    std::ptrdiff_t stride = 0;
    Kind kind{};

    template <class T>
    [[nodiscard]] T at(std::size_t row) const {
        T value;
        std::memcpy(&value, data + static_cast<std::ptrdiff_t>(row) * stride, sizeof value);
        return value;
    }
};

/// Rows that lie together: an array, or a batch of an Arrow stream.
struct Block {
    std::array<Values, k_fields> columns{};
    std::size_t rows = 0;
};

/// The buffers of Python objects, for as long as they are read.
class Buffers {
  public:
    explicit Buffers(const nanobind::dict& columns);
    ~Buffers() { release(); }
    Buffers(const Buffers&) = delete;
    Buffers& operator=(const Buffers&) = delete;

    [[nodiscard]] const Block& block() const { return block_; }

  private:
    void add(const std::string& name, nanobind::handle values, bool& is_first);
    void release();

    std::vector<Py_buffer> views_;
    Block block_;
};

/// The batches of an Arrow stream.
class Batches {
  public:
    explicit Batches(nanobind::handle capsule);
    Batches(const Batches&) = delete;
    Batches& operator=(const Batches&) = delete;

    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }

  private:
    void add(const tables::ArrowArray& array, const std::vector<std::size_t>& fields,
             const std::vector<Kind>& kinds);

    struct Released {
        void operator()(tables::ArrowArray* array) const {
            if (array->release != nullptr) array->release(array);
            delete array;
        }
    };
    std::vector<std::unique_ptr<tables::ArrowArray, Released>> arrays_;
    std::vector<Block> blocks_;
};

}  // namespace damrak::python
