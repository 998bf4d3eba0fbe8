#include "rule_subset.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace treewright {
namespace {

constexpr std::int64_t most_logs = 1 << 23;
constexpr double tolerance = 1e-9;  // two lengths closer than this part are equal

bool is_less(double bits, double best) {
  return bits < best - tolerance * (1 + std::abs(best));
}

// A subset in which single rules are turned on and off.
class Turning {
 public:
  explicit Turning(const SubsetTask& task)
      : task_(task),
        inside_(task.rule_bits.size()),
        right_(task.cover.right),
        wrong_(task.cover.wrong),
        n_rules_of_row_(task.rows.n_rows()),
        members_(task.rows.n_rows()),
        exceptions_(exception_bits(0, 0)) {}

  std::span<const std::uint8_t> inside() const { return inside_; }

  // Turns the empty subset into another one at once.
  void start_with(std::span<const std::uint8_t> inside) {
    std::ranges::copy(inside, inside_.begin());
    n_inside_ = std::ssize(inside) - std::ranges::count(inside, 0);
    if (n_inside_ == 0) return;
    for (std::size_t rule = 0; rule < inside.size(); ++rule)
      if (inside[rule])
        for (const std::uint32_t row : task_.cover.rows[rule]) {
          ++n_rules_of_row_[row];
          members_[row] ^= static_cast<std::uint32_t>(rule);
        }
    for (std::int64_t row = 0; row < task_.rows.n_rows(); ++row)
      if (n_rules_of_row_[row] > 0)
        (is_right(row) ? covered_right_ : covered_wrong_) += task_.rows.weight(row);
    for (std::size_t rule = 0; rule < inside.size(); ++rule) {
      right_[rule] = wrong_[rule] = 0;
      const std::uint32_t alone = inside[rule] ? 1 : 0;
      for (const std::uint32_t row : task_.cover.rows[rule])
        if (n_rules_of_row_[row] == alone) amount(row, rule) += task_.rows.weight(row);
    }
    sum_up();
  }

  double bits() const { return theory_bits(n_inside_, sum_) + exceptions_; }

  // The bits if a rule were turned.
  double bits_turned(std::size_t rule) const {
    const double own = task_.rule_bits[rule];
    const std::int64_t sign = inside_[rule] ? -1 : 1;
    const double theory =
        theory_bits(n_inside_ + sign, inside_[rule] ? sum_ - own : sum_ + own);
    if (!right_[rule] && !wrong_[rule]) return theory + exceptions_;
    return theory + exception_bits(covered_right_ + sign * right_[rule],
                                   covered_wrong_ + sign * wrong_[rule]);
  }

  void turn(std::size_t rule) {
    const bool leaves = inside_[rule];
    const std::int64_t sign = leaves ? -1 : 1;
    covered_right_ += sign * right_[rule];
    covered_wrong_ += sign * wrong_[rule];
    n_inside_ += sign;
    inside_[rule] = !leaves;
    for (const std::uint32_t row : task_.cover.rows[rule]) {
      const std::int64_t weight = task_.rows.weight(row);
      const std::uint32_t before = n_rules_of_row_[row];
      n_rules_of_row_[row] = static_cast<std::uint32_t>(before + sign);
      // the only other rule, where there is one; its rows that nobody else has
      if (before == (leaves ? 2u : 1u))
        amount(row, members_[row] ^ (leaves ? rule : 0)) += leaves ? weight : -weight;
      members_[row] ^= static_cast<std::uint32_t>(rule);
      if (before == (leaves ? 1u : 0u)) change_others(row, rule, -sign * weight);
    }
    sum_up();
  }

 private:
  // Anew, so that it depends on the subset alone and not on the way to it.
  void sum_up() {
    sum_ = 0;
    for (std::size_t one = 0; one < inside_.size(); ++one)
      if (inside_[one]) sum_ += task_.rule_bits[one];
    exceptions_ = exception_bits(covered_right_, covered_wrong_);
  }
  bool is_right(std::int64_t row) const { return task_.cover.is_right[row]; }
  std::int64_t& amount(std::int64_t row, std::size_t rule) {
    return is_right(row) ? right_[rule] : wrong_[rule];
  }
  // Rules outside the subset gain or lose a row that none inside covers.
  void change_others(std::uint32_t row, std::size_t rule, std::int64_t weight) {
    auto& amounts = is_right(row) ? right_ : wrong_;
    for (auto place = task_.cover.start[row]; place < task_.cover.start[row + 1];
         ++place)
      if (const std::uint32_t other = task_.cover.rules[place]; other != rule)
        amounts[other] += weight;
  }
  double theory_bits(std::int64_t n_inside, double sum) const {
    return 0.5 * (sum - task_.log_factorial[n_inside]);
  }
  double exception_bits(std::int64_t right, std::int64_t wrong) const {
    return task_.exceptions.bits(right + wrong, wrong, task_.cover.n_of_class - right);
  }

  const SubsetTask& task_;
  std::vector<std::uint8_t> inside_;
  // of a rule inside: the weight of rows that it alone covers; outside: of those that
  // no rule inside covers
  std::vector<std::int64_t> right_, wrong_;
  std::vector<std::uint32_t> n_rules_of_row_;
  std::vector<std::uint32_t> members_;  // the XOR of a row's rules: of one, its number
  std::int64_t covered_right_ = 0, covered_wrong_ = 0, n_inside_ = 0;
  double sum_ = 0, exceptions_;
};

}  // namespace

Exceptions::Exceptions(std::int64_t total, double unit)
    : total_(total),
      unit_(unit),
      log_total_(std::log2(static_cast<double>(total) * unit)) {
  if (total > most_logs) return;
  logs_.resize(2 * total + 1);
  for (std::int64_t x = 1; x <= 2 * total; ++x)
    logs_[x] = std::log2(static_cast<double>(x));
}

RuleCover::RuleCover(const RuleRows& of, const Rules& given, std::int32_t of_class,
                     ThreadPool& pool)
    : rows(given.size()),
      start(of.n_rows() + 1),
      is_right(of.n_rows()),
      right(given.size()),
      wrong(given.size()) {
  for (std::int64_t row = 0; row < of.n_rows(); ++row) {
    is_right[row] = of.rows().classes[row] == of_class;
    if (is_right[row]) n_of_class += of.weight(row);
  }
  pool.run(given.size(), [&](std::int64_t rule, int) {
    rows[rule] = of.covered(given.of(rule));
    for (const std::uint32_t row : rows[rule])
      (is_right[row] ? right : wrong)[rule] += of.weight(row);
  });
  for (const auto& own : rows)
    for (const std::uint32_t row : own) ++start[row + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  rules.resize(start.back());
  auto next = start;
  for (std::size_t rule = 0; rule < rows.size(); ++rule)
    for (const std::uint32_t row : rows[rule])
      rules[next[row]++] = static_cast<std::uint32_t>(rule);
}

Subset climb(const SubsetTask& task, std::span<const std::uint8_t> start,
             const ThreadPool& pool) {
  Turning turning(task);
  turning.start_with(start);
  Subset found;
  found.bits = turning.bits();
  while (true) {
    double best = found.bits;
    std::size_t chosen = start.size();
    for (std::size_t rule = 0; rule < start.size(); ++rule)
      if (const double bits = turning.bits_turned(rule); is_less(bits, best)) {
        best = bits;
        chosen = rule;
      }
    if (chosen == start.size()) break;
    turning.turn(chosen);
    found.bits = turning.bits();
    ++found.n_steps;
    pool.pause();
  }
  found.inside.assign(turning.inside().begin(), turning.inside().end());
  return found;
}

Subset best_of_all(const SubsetTask& task, const ThreadPool& pool) {
  const std::size_t n_rules = task.rule_bits.size();
  std::vector<double> bits(std::size_t{1} << n_rules);
  Turning turning(task);
  bits[0] = turning.bits();
  // in the order of a Gray code, each subset is one turn away from the one before
  for (std::size_t step = 1, mask = 0; step < bits.size(); ++step) {
    const auto rule = static_cast<std::size_t>(std::countr_zero(step));
    turning.turn(rule);
    mask ^= std::size_t{1} << rule;
    bits[mask] = turning.bits();
    pool.pause();
  }
  std::vector<std::size_t> order(bits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [](std::size_t m) { return std::popcount(m); });
  std::size_t chosen = 0;
  for (const std::size_t mask : order)
    if (is_less(bits[mask], bits[chosen])) chosen = mask;
  Subset found{std::vector<std::uint8_t>(n_rules), bits[chosen]};
  for (std::size_t rule = 0; rule < n_rules; ++rule)
    found.inside[rule] = chosen >> rule & 1;
  return found;
}

}  // namespace treewright
