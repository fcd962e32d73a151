#include <damrak/tables/arrow.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace damrak::tables {

namespace {

constexpr std::int64_t k_nullable = 2;  // ARROW_FLAG_NULLABLE

/// Texts one after the other, as a dictionary has them.
struct Texts {
    std::vector<std::int32_t> offsets{0};
    std::string bytes;

    void add(std::string_view text) {
        bytes += text;
        offsets.push_back(static_cast<std::int32_t>(bytes.size()));
    }
};

/// What a column lacks for Arrow.
struct Made {
    std::vector<std::uint32_t> keys;  ///< of letters
    std::optional<Texts> texts;       ///< the values of keys
    std::vector<std::uint8_t> bits;   ///< of booleans
};

constexpr std::uint32_t k_unseen = UINT32_MAX;

/// Keys in the order in which texts come first. `key_of` gives the place for the key of a value,
/// which holds k_unseen before.
template <class T>
Made keys_of(const Column& column, const auto& key_of, const auto& text_of) {
    Made made;
    made.texts.emplace();
    made.keys.reserve(column.rows());
    const auto values = column.values<T>();
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (column.is_null(row)) {
            made.keys.push_back(0);
            continue;
        }
        std::uint32_t& key = key_of(values[row]);
        if (key == k_unseen) {
            key = static_cast<std::uint32_t>(made.texts->offsets.size() - 1);
            made.texts->add(text_of(values[row]));
        }
        made.keys.push_back(key);
    }
    return made;
}

Made codes_of(const Column& column) {
    std::unordered_map<std::uint32_t, std::uint32_t> keys;
    return keys_of<Code>(
        column,
        [&](const Code& code) -> std::uint32_t& {
            return keys.try_emplace(std::bit_cast<std::uint32_t>(code), k_unseen).first->second;
        },
        [](const Code& code) { return code.text(); });
}

Made letters_of(const Column& column) {
    std::array<std::uint32_t, 256> keys;
    keys.fill(k_unseen);
    return keys_of<char>(
        column,
        [&](const char& letter) -> std::uint32_t& {
            return keys[static_cast<unsigned char>(letter)];
        },
        [](const char& letter) { return std::string_view{&letter, 1}; });
}

Made bits_of(const Column& column) {
    Made made;
    const auto values = column.values<std::uint8_t>();
    made.bits.assign((values.size() + 7) / 8, 0);
    for (std::size_t row = 0; row < values.size(); ++row)
        made.bits[row / 8] |= static_cast<std::uint8_t>((values[row] & 1U) << row % 8);
    return made;
}

Made made_of(const Column& column, const std::vector<std::string>& symbols) {
    switch (column.type()) {
        case Type::letter:
            return letters_of(column);
        case Type::code:
            return codes_of(column);
        case Type::boolean:
            return bits_of(column);
        case Type::symbol: {
            Made made;
            made.texts.emplace();
            for (const std::string& symbol : symbols) made.texts->add(symbol);
            return made;
        }
        default:
            return {};
    }
}

std::string format_of(Type type, const MemoryTable& table) {
    switch (type) {
        case Type::time:
            return table.has_date ? "tsn:" + table.zone : "ttn";
        case Type::uint64:
            return "L";
        case Type::uint32:
        case Type::symbol:
        case Type::letter:
        case Type::code:
            return "I";
        case Type::number:
        case Type::price:
            return "g";
        case Type::exact_price:
            return "l";
        case Type::boolean:
            return "b";
    }
    return {};
}

bool is_dictionary(Type type) {
    return type == Type::letter || type == Type::code || type == Type::symbol;
}

}  // namespace

struct ArrowTable::Layout {
    explicit Layout(std::shared_ptr<const MemoryTable> of) : table(std::move(of)) {
        for (const Column& column : table->rows) made.push_back(made_of(column, table->symbols));
    }

    [[nodiscard]] const void* values_of(std::size_t i) const {
        if (!made[i].keys.empty()) return made[i].keys.data();
        if (!made[i].bits.empty()) return made[i].bits.data();
        return table->rows[i].data();
    }

    std::shared_ptr<const MemoryTable> table;
    std::vector<Made> made;
};

namespace {

using Layout = std::shared_ptr<const ArrowTable::Layout>;

/// A schema, and what its pointers need. Children release themselves only where a consumer moved
/// them out; otherwise their parent does.
struct SchemaNode {
    std::string format;
    std::string name;
    std::vector<ArrowSchema> children;
    std::vector<ArrowSchema*> addresses;
    std::optional<ArrowSchema> dictionary;
};

template <class Node, class Arrow>
void release_node(Arrow* one) {
    auto* const node = static_cast<Node*>(one->private_data);
    for (Arrow& child : node->children)
        if (child.release != nullptr) child.release(&child);
    if (node->dictionary && node->dictionary->release != nullptr)
        node->dictionary->release(&*node->dictionary);
    one->release = nullptr;
    delete node;
}

template <class Node, class Arrow>
void tie(Arrow* out, std::unique_ptr<Node> node) {
    for (Arrow& child : node->children) node->addresses.push_back(&child);
    out->n_children = static_cast<std::int64_t>(node->children.size());
    out->children = node->addresses.empty() ? nullptr : node->addresses.data();
    out->dictionary = node->dictionary ? &*node->dictionary : nullptr;
    out->release = release_node<Node, Arrow>;
    out->private_data = node.release();
}

ArrowSchema schema_of(std::string format, std::string name, std::int64_t flags,
                      std::vector<ArrowSchema> children, bool has_dictionary) {
    auto node = std::make_unique<SchemaNode>();
    node->format = std::move(format);
    node->name = std::move(name);
    node->children = std::move(children);
    if (has_dictionary) node->dictionary = schema_of("u", "", 0, {}, false);
    ArrowSchema schema{};
    schema.format = node->format.c_str();
    schema.name = node->name.c_str();
    schema.flags = flags;
    tie(&schema, std::move(node));
    return schema;
}

struct ArrayNode {
    Layout layout;
    std::array<const void*, 3> buffers{};
    std::vector<ArrowArray> children;
    std::vector<ArrowArray*> addresses;
    std::optional<ArrowArray> dictionary;
};

ArrowArray array_of(std::unique_ptr<ArrayNode> node, std::size_t length, std::size_t nulls,
                    std::int64_t buffers) {
    ArrowArray array{};
    array.length = static_cast<std::int64_t>(length);
    array.null_count = static_cast<std::int64_t>(nulls);
    array.n_buffers = buffers;
    array.buffers = node->buffers.data();
    tie(&array, std::move(node));
    return array;
}

ArrowArray texts_of(const Layout& layout, const Texts& texts) {
    auto node = std::make_unique<ArrayNode>();
    node->layout = layout;
    node->buffers = {nullptr, texts.offsets.data(), texts.bytes.data()};
    return array_of(std::move(node), texts.offsets.size() - 1, 0, 3);
}

ArrowArray column_of(const Layout& layout, std::size_t i) {
    const Column& column = layout->table->rows[i];
    auto node = std::make_unique<ArrayNode>();
    node->layout = layout;
    node->buffers[0] = column.validity().empty() ? nullptr : column.validity().data();
    node->buffers[1] = layout->values_of(i);
    if (layout->made[i].texts) node->dictionary = texts_of(layout, *layout->made[i].texts);
    return array_of(std::move(node), column.rows(), column.nulls(), 2);
}

ArrowArray batch_of(const Layout& layout) {
    auto node = std::make_unique<ArrayNode>();
    node->layout = layout;
    for (std::size_t i = 0; i < layout->table->rows.size(); ++i)
        node->children.push_back(column_of(layout, i));
    return array_of(std::move(node), layout->table->size(), 0, 1);
}

struct Stream {
    Layout layout;
    bool is_done = false;
};

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    const auto& layout = static_cast<Stream*>(stream->private_data)->layout;
    try {
        std::vector<ArrowSchema> children;
        for (const ColumnInfo& column : layout->table->columns)
            children.push_back(schema_of(format_of(column.type, *layout->table), column.name,
                                         column.can_be_null ? k_nullable : 0, {},
                                         is_dictionary(column.type)));
        *out = schema_of("+s", "", 0, std::move(children), false);
    } catch (const std::bad_alloc&) {
        return ENOMEM;
    }
    return 0;
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    auto* const state = static_cast<Stream*>(stream->private_data);
    *out = {};
    if (std::exchange(state->is_done, true)) return 0;
    try {
        *out = batch_of(state->layout);
    } catch (const std::bad_alloc&) {
        return ENOMEM;
    }
    return 0;
}

const char* get_last_error(ArrowArrayStream* /*stream*/) { return "not enough memory"; }

void release_stream(ArrowArrayStream* stream) {
    delete static_cast<Stream*>(stream->private_data);
    stream->release = nullptr;
}

}  // namespace

ArrowTable::ArrowTable(std::shared_ptr<const MemoryTable> table)
    : layout_(std::make_shared<const Layout>(std::move(table))) {}

void ArrowTable::make_stream(ArrowArrayStream* out) const {
    *out = {.get_schema = get_schema,
            .get_next = get_next,
            .get_last_error = get_last_error,
            .release = release_stream,
            .private_data = new Stream{layout_}};
}

void ArrowTable::make_schema(ArrowSchema* out) const {
    ArrowArrayStream stream;
    make_stream(&stream);
    const int failed = get_schema(&stream, out);
    stream.release(&stream);
    if (failed != 0) throw std::bad_alloc{};
}

}  // namespace damrak::tables
