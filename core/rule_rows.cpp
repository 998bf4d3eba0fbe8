#include "rule_rows.hpp"

#include <algorithm>
#include <bit>

namespace treewright {
namespace {

constexpr std::int64_t word_bits = 64;
constexpr std::int64_t block_words = 32;   // of a rule at a time: they stay in the cache
constexpr std::int64_t rules_per_task = 16;
constexpr std::int64_t words_per_task = 64;

std::int64_t in_parts(std::int64_t n, std::int64_t part) { return (n + part - 1) / part; }

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
  pool_.run(n_new, [&](std::int64_t which, int) {
    meet(conditions, which, bits_.data() + n_old + which * n_words_);
  });
}

void RuleRows::meet(const Conditions& conditions, std::int64_t which, Word* out) const {
  const double* cell = rows_.cells.data() + conditions.feature[which];
  const auto set_start = conditions.set_start[which];
  const auto codes = conditions.set_codes.subspan(
      set_start, conditions.set_start[which + 1] - set_start);
  // a code is its place in this table; NaN and values never seen are in none
  std::vector<std::uint8_t> inside;
  if (!codes.empty()) inside.resize(std::ranges::max(codes) + 1);
  for (const std::int32_t code : codes) inside[code] = 1;
  const auto n_inside = static_cast<double>(inside.size());
  const double low = conditions.low[which], high = conditions.high[which];
  for (std::int64_t row = 0; row < n_rows_; ++row, cell += rows_.n_features) {
    const double x = *cell;
    const bool met = codes.empty()
                         ? x > low && x <= high
                         : x >= 0 && x < n_inside && inside[static_cast<std::size_t>(x)];
    out[row / word_bits] |= Word{met} << row % word_bits;
  }
}

RuleRows::Word RuleRows::all_in(std::int64_t word) const {
  const std::int64_t n_left = n_rows_ - word * word_bits;
  return n_left >= word_bits ? ~Word{0} : (Word{1} << n_left) - 1;
}

std::int64_t RuleRows::weight_of(Word bits, std::int64_t word) const {
  if (rows_.weights.empty()) return std::popcount(bits);
  std::int64_t sum = 0;
  for (; bits; bits &= bits - 1)
    sum += rows_.weights[word * word_bits + std::countr_zero(bits)];
  return sum;
}

// out: covered and wrong of the rule, then of the rule without each condition. What is
// left without one is the AND of those before it and of those after it.
void RuleRows::drop_each(std::span<const std::int32_t> conditions,
                         std::int32_t of_class, std::vector<Word>& desk,
                         std::int64_t* out) const {
  const auto n = std::ssize(conditions);
  std::fill(out, out + 2 * (n + 1), 0);
  desk.resize((n + 2) * block_words);
  Word* before = desk.data() + (n + 1) * block_words;
  const auto count = [&](Word bits, std::int64_t word, std::int64_t* sums) {
    if (!bits) return;
    sums[0] += weight_of(bits, word);
    sums[1] += weight_of(bits & ~class_bits(of_class)[word], word);
  };
  for (std::int64_t first = 0; first < n_words_; first += block_words) {
    const std::int64_t n_here = std::min(block_words, n_words_ - first);
    for (std::int64_t k = 0; k < n_here; ++k)
      desk[n * block_words + k] = before[k] = all_in(first + k);
    for (std::int64_t place = n - 1; place > 0; --place) {
      const Word* own = bits_of(conditions[place]) + first;
      Word* after = desk.data() + place * block_words;
      for (std::int64_t k = 0; k < n_here; ++k) after[k] = after[block_words + k] & own[k];
    }
    for (std::int64_t place = 0; place < n; ++place) {
      const Word* own = bits_of(conditions[place]) + first;
      const Word* after = desk.data() + (place + 1) * block_words;
      for (std::int64_t k = 0; k < n_here; ++k) {
        count(before[k] & after[k], first + k, out + 2 * (place + 1));
        before[k] &= own[k];
      }
    }
    for (std::int64_t k = 0; k < n_here; ++k) count(before[k], first + k, out);
  }
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
    std::vector<Word> desk;
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

std::vector<std::int64_t> RuleRows::class_weights(const Rules& rules) {
  std::vector<std::int64_t> weights(rules.size() * rows_.n_classes);
  pool_.run(rules.size(), [&](std::int64_t rule, int) {
    for (const std::uint32_t row : covered(rules.of(rule)))
      weights[rule * rows_.n_classes + rows_.classes[row]] += weight(row);
  });
  return weights;
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
