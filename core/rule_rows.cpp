#include "rule_rows.hpp"

#include <algorithm>
#include <bit>

namespace treewright {
namespace {

constexpr std::int64_t block_words = 32;  // of a rule at a time: they stay in the cache
constexpr std::int64_t rules_per_task = 16;
constexpr std::int64_t words_per_task = 64;

#if defined(__x86_64__)
const bool has_fast_counts =
    __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
#else
constexpr bool has_fast_counts = false;
#endif

std::int64_t in_parts(std::int64_t n, std::int64_t part) {
  return (n + part - 1) / part;
}

}  // namespace

RuleRows::RuleRows(const LabelledCells& rows, int n_threads)
    : rows_(rows),
      n_rows_(std::ssize(rows.classes)),
      n_words_(in_parts(n_rows_, word_bits)),
      pool_(n_threads),
      class_bits_(rows.n_classes * n_words_) {
  for (std::int64_t row = 0; row < n_rows_; ++row)
    class_bits_[rows.classes[row] * n_words_ + row / word_bits] |= Word{1}
                                                                   << row % word_bits;
}

void RuleRows::add(const Conditions& conditions) {
  const auto n_new = std::ssize(conditions.feature);
  const auto n_old = static_cast<std::int64_t>(bits_.size());
  bits_.resize(n_old + n_new * n_words_);
  n_empty_ += n_words_ ? 0 : n_new;
  // by feature the condition that asks for each single code: one pass finds the rows of
  // them all, however many categories there are
  std::vector<std::vector<std::int64_t>> of_code(rows_.n_features);
  std::vector<std::int64_t> others;
  for (std::int64_t which = 0; which < n_new; ++which) {
    const auto codes = conditions.codes(which);
    auto& own = of_code[conditions.feature[which]];
    const auto code = codes.size() == 1 ? static_cast<std::size_t>(codes[0]) : 0;
    if (codes.size() == 1 && own.size() <= code) own.resize(code + 1, -1);
    if (codes.size() == 1 && own[code] < 0)
      own[code] = which;
    else
      others.push_back(which);
  }
  Word* out = bits_.data() + n_old;
  pool_.run(rows_.n_features, [&](std::int64_t feature, int) {
    const auto& own = of_code[feature];
    if (own.empty()) return;
    const double* cells = rows_.cells.data() + feature * n_rows_;
    const auto n_codes = static_cast<double>(own.size());
    for (std::int64_t row = 0; row < n_rows_; ++row) {
      if (!(cells[row] >= 0 && cells[row] < n_codes)) continue;
      const std::int64_t which = own[static_cast<std::size_t>(cells[row])];
      if (which >= 0)
        out[which * n_words_ + row / word_bits] |= Word{1} << row % word_bits;
    }
  });
  pool_.run(std::ssize(others), [&](std::int64_t one, int) {
    meet(conditions, others[one], out + others[one] * n_words_);
  });
}

void RuleRows::meet(const Conditions& conditions, std::int64_t which, Word* out) const {
  const double* cells = rows_.cells.data() + conditions.feature[which] * n_rows_;
  const auto codes = conditions.codes(which);
  const auto write = [&](const auto& is_met) {
    for (std::int64_t word = 0; word < n_words_; ++word) {
      const std::int64_t first = word * word_bits;
      const std::int64_t n_here = std::min(word_bits, n_rows_ - first);
      Word bits = 0;
      for (std::int64_t k = 0; k < n_here; ++k)
        bits |= static_cast<Word>(is_met(cells[first + k])) << k;
      out[word] = bits;
    }
  };
  if (codes.empty()) {
    const double low = conditions.low[which], high = conditions.high[which];
    write([=](double x) { return (x > low) & (x <= high); });
  } else {
    // a code is its place in this table; NaN and values never seen are in none
    std::vector<std::uint8_t> inside(std::ranges::max(codes) + 1);
    for (const std::int32_t code : codes) inside[code] = 1;
    const auto n_inside = static_cast<double>(inside.size());
    write([&](double x) {
      return x >= 0 && x < n_inside && inside[static_cast<std::size_t>(x)];
    });
  }
}

// Conditions of one rule, and where their sums go: covered and wrong of the rule, then
// of the rows that fail each condition alone.
struct RuleRows::Dropping {
  std::span<const Word* const> bits;  // of each condition
  const Word* right;
  Word* after;   // a block for each condition and one more
  Word* before;  // a block
  Word* alone;   // a block
  std::int64_t* sums;
};

// The rows that fail one condition alone meet those before it and those after it.
template <class Weigh>
[[gnu::always_inline]] inline void RuleRows::drop_in_block(const Dropping& of,
                                                           std::int64_t first,
                                                           const Weigh& weigh) const {
  const auto n = std::ssize(of.bits);
  const std::int64_t n_here = std::min(block_words, n_words_ - first);
  const auto count = [&](const Word* words, std::int64_t* sums) {
    for (std::int64_t k = 0; k < n_here; ++k)
      if (const Word bits = words[k]) {
        sums[0] += weigh(bits, first + k);
        sums[1] += weigh(bits & ~of.right[first + k], first + k);
      }
  };
  for (std::int64_t k = 0; k < n_here; ++k)
    of.after[n * block_words + k] = of.before[k] = all_in(first + k);
  for (std::int64_t place = n - 1; place > 0; --place) {
    const Word* own = of.bits[place] + first;
    Word* after = of.after + place * block_words;
    for (std::int64_t k = 0; k < n_here; ++k)
      after[k] = after[block_words + k] & own[k];
  }
  for (std::int64_t place = 0; place < n; ++place) {
    const Word* own = of.bits[place] + first;
    const Word* after = of.after + (place + 1) * block_words;
    Word any_alone = 0, any_before = 0;
    for (std::int64_t k = 0; k < n_here; ++k) {
      any_alone |= of.alone[k] = of.before[k] & after[k] & ~own[k];
      any_before |= of.before[k] &= own[k];
    }
    if (any_alone) count(of.alone, of.sums + 2 * (place + 1));
    if (!any_before) return;
  }
  count(of.before, of.sums);
}

void RuleRows::drop_counted(const Dropping& of) const {
  for (std::int64_t first = 0; first < n_words_; first += block_words)
    drop_in_block(of, first,
                  [](Word bits, std::int64_t) { return std::popcount(bits); });
}

#if defined(__x86_64__)
[[gnu::target("avx2,popcnt")]] void RuleRows::drop_counted_fast(
    const Dropping& of) const {
  for (std::int64_t first = 0; first < n_words_; first += block_words)
    drop_in_block(of, first,
                  [](Word bits, std::int64_t) { return std::popcount(bits); });
}
#else
void RuleRows::drop_counted_fast(const Dropping& of) const { drop_counted(of); }
#endif

void RuleRows::drop_weighed(const Dropping& of) const {
  for (std::int64_t first = 0; first < n_words_; first += block_words)
    drop_in_block(of, first, [this](Word bits, std::int64_t word) {
      std::int64_t sum = 0;
      for (; bits; bits &= bits - 1)
        sum += rows_.weights[word * word_bits + std::countr_zero(bits)];
      return sum;
    });
}

// out: covered and wrong of the rule, then of the rule without each condition.
void RuleRows::drop_each(std::span<const std::int32_t> conditions,
                         std::int32_t of_class, Desk& desk, std::int64_t* out) const {
  const std::size_t n = conditions.size();
  std::fill(out, out + 2 * (n + 1), 0);
  desk.words.resize((n + 3) * block_words);
  desk.bits.clear();
  for (const std::int32_t one : conditions) desk.bits.push_back(bits_of(one));
  Word* before = desk.words.data() + (n + 1) * block_words;
  const Dropping of{desk.bits, class_bits(of_class), desk.words.data(),
                    before,    before + block_words, out};
  if (!rows_.weights.empty())
    drop_weighed(of);
  else if (has_fast_counts)
    drop_counted_fast(of);
  else
    drop_counted(of);
  for (std::size_t sum = 2; sum < 2 * (n + 1); ++sum) out[sum] += out[sum % 2];
}

Dropped RuleRows::without_each(const Rules& rules,
                               std::span<const std::int32_t> classes) {
  const std::int64_t n_rules = rules.size();
  const std::size_t n_places = rules.condition.size();
  Dropped found;
  found.covered.resize(n_rules);
  found.wrong.resize(n_rules);
  found.covered_without.resize(n_places);
  found.wrong_without.resize(n_places);
  pool_.run(in_parts(n_rules, rules_per_task), [&](std::int64_t task, int) {
    Desk desk;
    std::vector<std::int64_t> sums;
    const std::int64_t stop = std::min((task + 1) * rules_per_task, n_rules);
    for (std::int64_t rule = task * rules_per_task; rule < stop; ++rule) {
      const auto own = rules.of(rule);
      sums.resize(2 * (own.size() + 1));
      drop_each(own, classes[rule], desk, sums.data());
      found.covered[rule] = sums[0];
      found.wrong[rule] = sums[1];
      for (std::size_t place = 0; place < own.size(); ++place) {
        found.covered_without[rules.start[rule] + place] = sums[2 * place + 2];
        found.wrong_without[rules.start[rule] + place] = sums[2 * place + 3];
      }
    }
  });
  return found;
}

void RuleRows::count_classes(const Rules& rules, std::span<std::int64_t> weights,
                             std::span<std::int64_t> n_rows) {
  std::ranges::fill(weights, 0);
  pool_.run(rules.size(), [&](std::int64_t rule, int) {
    const auto own = covered(rules.of(rule));
    n_rows[rule] = std::ssize(own);
    for (const std::uint32_t row : own)
      weights[rule * rows_.n_classes + rows_.classes[row]] += weight(row);
  });
}

void RuleRows::first_two(const Rules& rules, std::span<std::int32_t> first,
                         std::span<std::int32_t> second) {
  std::ranges::fill(first, -1);
  std::ranges::fill(second, -1);
  const auto note = [](Word bits, std::int64_t word, std::int64_t rule, auto& out) {
    for (; bits; bits &= bits - 1)
      out[word * word_bits + std::countr_zero(bits)] = static_cast<std::int32_t>(rule);
  };
  pool_.run(in_parts(n_words_, words_per_task), [&](std::int64_t task, int) {
    const std::int64_t stop = std::min((task + 1) * words_per_task, n_words_);
    for (std::int64_t word = task * words_per_task; word < stop; ++word) {
      Word no_first = all_in(word), no_second = no_first;
      for (std::int64_t rule = 0; rule < rules.size() && no_second; ++rule) {
        Word bits = no_second;
        for (const std::int32_t condition : rules.of(rule))
          bits &= bits_of(condition)[word];
        note(bits & no_first, word, rule, first);
        note(bits & ~no_first, word, rule, second);
        no_second &= ~(bits & ~no_first);
        no_first &= ~bits;
      }
    }
  });
}

std::vector<std::uint32_t> RuleRows::covered(
    std::span<const std::int32_t> conditions) const {
  std::vector<std::uint32_t> rows;
  for (std::int64_t word = 0; word < n_words_; ++word) {
    Word bits = all_in(word);
    for (const std::int32_t condition : conditions) bits &= bits_of(condition)[word];
    for (; bits; bits &= bits - 1)
      rows.push_back(
          static_cast<std::uint32_t>(word * word_bits + std::countr_zero(bits)));
  }
  return rows;
}

}  // namespace treewright
