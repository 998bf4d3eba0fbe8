// The first step of the memory source where a node looks at features that it draws, and
// maybe draws their cuts too.
#include <algorithm>
#include <limits>
#include <numeric>

#include "memory.hpp"

namespace treewright {
namespace {

// Whether all rows have one code, or all have no value.
bool have_one_code(const Column& column, std::span<const Entry> rows,
                   std::span<const std::uint32_t> table_row) {
  const auto all_are_first = [&](auto codes) {
    const auto first = codes[table_row[row_of(rows[0])]];
    return std::ranges::all_of(
        rows, [&](Entry row) { return codes[table_row[row_of(row)]] == first; });
  };
  if (column.bytes == 1)
    return all_are_first(static_cast<const std::uint8_t*>(column.codes));
  if (column.bytes == 2)
    return all_are_first(static_cast<const std::uint16_t*>(column.codes));
  return all_are_first(static_cast<const std::uint32_t*>(column.codes));
}

}  // namespace

// Whether cuts are compared by their scores alone, as most dialects do.
bool MemorySource::plain_cuts() const {
  return !rule_.every_cut && rule_.most_per_side == 0 && rule_.min_gap == 0 &&
         !rule_.wants_information;
}

std::span<const Entry> MemorySource::rows_of_node(const Stretch& stretch) const {
  return std::span(lists_[0]).subspan(stretch.start, stretch.n_rows);
}

// Whether two sides of a feature without missing values are scored from counts, without
// a list.
bool MemorySource::counts_sides() const {
  return plain_cuts() && target_.is_classes() && target_.n_outputs == 1 &&
         target_.single_unit == 0;
}

bool MemorySource::can_count_codes() const {
  if (!counts_sides() || fills() || draws_cuts() || rule_.n_combined > 0 ||
      rule_.limits.min_weight > 0 ||
      target_.criterion == Criterion::classification_error)
    return false;
  // what is above small nodes sorts as well, and many codes take long there
  for (std::int64_t root = 0; root < n_roots(); ++root)
    if (root_starts_[root + 1] - root_starts_[root] > CodeRows::most_rows &&
        std::ranges::any_of(columns_, [](const Column& column) {
          return column.n_codes >= CodeRows::most_rows;
        }))
      return false;
  if (target_.n_classes() == 2) return !target_.bytes.empty();
  if (target_.criterion == Criterion::gini) return !target_.pairs.empty();
  return target_.n_classes() > 2 && target_.n_classes() <= most_in_mark &&
         rule_.missing != Missing::fractional && n_rows_ < std::int64_t{1} << 26 &&
         std::ranges::all_of(
             target_.weights,
             [](std::int64_t weight) { return weight <= most_in_mark; });
}

// From the sums of both sides in `looking`.
Candidate MemorySource::score_of_sides(const Looking& looking,
                                       const Evaluator& evaluator, std::int64_t n_left,
                                       std::int64_t n_right) const {
  const auto weight = [](const auto& sums) {
    return std::reduce(sums.begin(), sums.end());
  };
  if (std::min(n_left, n_right) < rule_.limits.min_rows ||
      (rule_.limits.min_weight > 0 &&
       std::min(weight(looking.left), weight(looking.right)) < rule_.limits.min_weight))
    return {too_few_rows};
  return {evaluator.score_of_sides(looking.left, looking.right) - looking.base, n_left};
}

// The score of two sides of classes.
Candidate MemorySource::count_sides(Looking& looking, const Evaluator& evaluator,
                                    std::span<const Entry> rows,
                                    const DrawnSides& sides,
                                    std::span<const std::int64_t> statistic) const {
  const auto on_left = sides.on_left();
  auto& [begun, base, filled, left, right] = looking;
  left.assign(width(), 0);
  right.assign(statistic.begin(), statistic.end());
  if (!target_.bytes.empty()) {  // two classes
    const bool weighted = !target_.weights.empty();
    std::uint32_t both = 0, second = 0;
    for (std::size_t place = 0; place < rows.size(); ++place) {
      const std::uint8_t byte = target_.bytes[row_of(rows[place])];
      const std::uint32_t weight = (weighted ? byte >> 1 : 1u) & -on_left[place];
      both += weight;
      second += weight & (0u - (byte & 1u));
    }
    left[0] = both - second;
    left[1] = second;
  } else {
    for (std::size_t place = 0; place < rows.size(); ++place) {
      const std::uint32_t row = row_of(rows[place]);
      left[target_.classes[row]] += target_.weight(row) & -std::int64_t{on_left[place]};
    }
  }
  for (int slot = 0; slot < width(); ++slot) right[slot] -= left[slot];
  return score_of_sides(looking, evaluator, sides.n_left(),
                        std::ssize(rows) - sides.n_left());
}

// As `look`, for a column that is not in a list.
Candidate MemorySource::look_at_bit(Drawer& drawer, std::int64_t index,
                                    std::int64_t feature, const Stretch& stretch,
                                    int thread,
                                    std::span<const std::int64_t> statistic) const {
  BitRows& bits = *drawer.bits;
  if (bits.has_one_value(feature)) return {};
  Evaluator& evaluator = *evaluators_[thread];
  auto& [begun, base, filled, left, right] = drawer.looking;
  if (begun != index) base = evaluator.begin(rows_of_node(stretch), statistic);
  begun = index;
  right.assign(width(), 0);
  const std::int64_t n_right = bits.count(feature, right);
  left.assign(statistic.begin(), statistic.end());
  for (int slot = 0; slot < width(); ++slot) left[slot] -= right[slot];
  return score_of_sides(drawer.looking, evaluator, stretch.n_rows - n_right, n_right);
}

// As `look`, for the feature that `drawer.codes` has prepared.
Candidate MemorySource::look_at_codes(Drawer& drawer, std::int64_t index,
                                      const Stretch& stretch, int thread,
                                      std::span<const std::int64_t> statistic,
                                      double tolerance) const {
  auto& [begun, base, filled, left, right] = drawer.looking;
  if (begun != index)
    base = evaluators_[thread]->begin(rows_of_node(stretch), statistic);
  begun = index;
  Candidate found = drawer.codes->best_cut(statistic, rule_.limits, tolerance);
  if (found.gain > too_few_rows) found.gain -= base;
  return found;
}

// As `look`, for a split that is drawn.
Candidate MemorySource::look_drawn(Looking& looking, std::int64_t index,
                                   std::int64_t feature, const Stretch& stretch,
                                   std::uint64_t draw, int thread,
                                   std::span<const std::int64_t> statistic,
                                   double tolerance) {
  Evaluator& evaluator = *evaluators_[thread];
  DrawnSides& sides = drawn_sides_[thread];
  const auto rows = rows_of_node(stretch);
  sides.draw(columns_[feature], rows, table_rows_, draw);
  Candidate found;
  if (sides.one_value_only()) return found;
  if (counts_sides() && !columns_[feature].has_missing) {
    if (looking.begun != index) looking.base = evaluator.begin(rows, statistic);
    looking.begun = index;
    found = count_sides(looking, evaluator, rows, sides, statistic);
  } else {
    found = look(evaluator, looking, index, feature, sides.list(rows), statistic,
                 tolerance);
  }
  // behind all known values: the question is whether the value is known
  const bool asks_known = rule_.missing == Missing::own_branch &&
                          sides.n_known() < std::ssize(rows) &&
                          found.position == sides.n_known();
  if (!asks_known) found.position = -1 - static_cast<std::int64_t>(draw);
  return found;
}

std::span<const Entry> MemorySource::entries_for(Drawer& drawer, std::int64_t feature,
                                                 const Stretch& stretch,
                                                 int thread) const {
  if (drawer.codes)
    return late_lists_[thread].sorted(columns_[feature], drawer.codes->entries(),
                                      table_rows_);
  if (!drawer.packed) return entries(feature, stretch, thread);
  if (std::ssize(drawer.unpacked) < stretch.n_rows)
    drawer.unpacked.resize(stretch.n_rows);
  const auto out = std::span(drawer.unpacked).first(stretch.n_rows);
  if (drawer.bits && drawer.bits->has(feature))
    drawer.bits->write_list(feature, out);
  else
    unpack(std::span(lists_[feature]).subspan(stretch.start, stretch.n_rows),
           drawer.first_row, out);
  return out;
}

void MemorySource::look_at_node(Drawer& drawer, std::int64_t index,
                                const Stretch& stretch, std::uint64_t key,
                                const Draws& draws, std::span<std::uint64_t> constant,
                                std::span<const std::uint8_t> allowed,
                                std::span<const std::int64_t> statistic,
                                double tolerance, int thread) {
  Looking& looking = drawer.looking;
  FeatureOrder& order = drawer.order;
  auto& answers = drawer.answers;
  const bool draws_features = draws.n_features > 0;
  // of equal gains the first answer is taken: trees whose ties all went to the first
  // column would be more alike than their draws
  const bool first_drawn_wins = draws_features && draws.n_features < n_features();
  answers.clear();
  if (draws_features) order.start(key);
  const auto enough = [&](std::int64_t n_drawn) {
    if (!draws_features) return false;
    const auto n_found = std::ssize(answers);
    return draws.counts_constant ? n_drawn >= draws.n_features && n_found > 0
                                 : n_found == draws.n_features;
  };
  for (std::int64_t n = 0; n < n_features() && !enough(n); ++n) {
    const std::int64_t feature = draws_features ? order.next() : n;
    const std::uint64_t bit = std::uint64_t{1} << feature % 64;
    if (constant[feature / 64] & bit) continue;
    if (!allowed.empty() && !allowed[feature]) continue;
    const Column& column = columns_[feature];
    Candidate found;
    if (draws_cuts() && makes_two_sides(column.candidates))
      found = look_drawn(looking, index, feature, stretch,
                         draw_of_feature(key, feature), thread, statistic, tolerance);
    else if (drawer.bits && drawer.bits->has(feature))
      found = look_at_bit(drawer, index, feature, stretch, thread, statistic);
    else if (drawer.codes && drawer.codes->prepare(feature))
      found = look_at_codes(drawer, index, stretch, thread, statistic, tolerance);
    else if (!makes_lists_ ||
             !have_one_code(
                 column, drawer.codes ? drawer.codes->entries() : rows_of_node(stretch),
                 table_rows_))
      found = look(*evaluators_[thread], looking, index, feature,
                   entries_for(drawer, feature, stretch, thread), statistic, tolerance);
    if (found.gain == one_value) {
      // groups of values may be equal here and differ further down, and values that
      // are close to each other here may be neighbours no more
      if (column.candidates != Candidates::groups && column.values.empty())
        constant[feature / 64] |= bit;
      continue;
    }
    answers.push_back({feature, found});
    // each side has one class: no other feature gains more, and there is nothing below
    if (first_drawn_wins && drawer.codes && drawer.codes->has_cut(feature) &&
        found.gain == -looking.base)
      break;
  }
  if (draws_features && !first_drawn_wins)
    std::ranges::sort(answers, {}, &Answer::feature);
}

void MemorySource::scan_drawn(std::span<const std::int64_t> nodes,
                              std::span<const std::int64_t> statistics,
                              std::span<const double> tolerances,
                              std::span<const std::uint8_t> allowed, const Draws& draws,
                              std::span<std::uint64_t> constant,
                              std::span<DrawnFound> out, std::span<Detail> details) {
  if (rule_.n_combined > 0)
    return scan_combined(nodes, statistics, tolerances, draws, out, details);
  std::vector<Drawer> drawers(pool_.n_threads(), Drawer(n_features()));
  const auto look_at = [&](std::int64_t index, std::int64_t, int thread) {
    Drawer& drawer = drawers[thread];
    look_at_node(
        drawer, index, stretches_[nodes[index]], draws.keys[index], draws,
        constant.subspan(index * words_of_features(), words_of_features()),
        allowed.empty() ? allowed : allowed.subspan(index * n_features(), n_features()),
        statistics.subspan(index * width(), width()), tolerances[index], thread);
    std::int64_t pair = index * draws.n_features;
    for (const auto& [feature, found] : drawer.answers) {
      out[pair] = {found.gain, found.position, feature};
      if (!details.empty())
        details[pair] = {found.n_cuts, found.split_information, found.charge};
      ++pair;
    }
  };
  for_each_pair(nodes, 1, look_at);
}

std::span<const Entry> MemorySource::entries_of_split(std::int64_t feature,
                                                      const Stretch& stretch,
                                                      int thread,
                                                      std::int64_t& position) {
  if (!draws_cuts() || position >= 0) return entries(feature, stretch, thread);
  DrawnSides& sides = drawn_sides_[thread];
  const auto rows = rows_of_node(stretch);
  sides.draw(columns_[feature], rows, table_rows_,
             static_cast<std::uint64_t>(-1 - position));
  position = sides.n_left();
  return sides.list(rows);
}

// Writes down where the last split was drawn, if it was. `all`: its list.
void MemorySource::note_drawn_sides(std::int64_t feature, std::int64_t drawn,
                                    std::span<const Entry> all, int thread,
                                    Branches& out) const {
  if (!draws_cuts()) return;
  out.threshold.push_back(std::numeric_limits<double>::quiet_NaN());
  const Candidates candidates = columns_[feature].candidates;
  if (drawn >= 0 || !makes_two_sides(candidates)) return;
  const DrawnSides& sides = drawn_sides_[thread];
  if (candidates == Candidates::cut) {
    out.threshold.back() = sides.threshold();
    out.low.back() = out.high.back() = -1;
    if (columns_[feature].kind_of_cells != Cells::rounded) return;
    const auto by_code = [&](Entry one, Entry other) {
      return code_of(feature, one) < code_of(feature, other);
    };
    const auto right = all.subspan(0, sides.n_known()).subspan(sides.n_left());
    out.low.back() = *std::ranges::max_element(all.first(sides.n_left()), by_code);
    out.high.back() = *std::ranges::min_element(right, by_code);
    return;
  }
  const auto codes = sides.set_codes();
  out.set.insert(out.set.end(), codes.begin(), codes.end());
  out.n_set.back() = std::ssize(codes);
  out.low.back() = out.high.back() = -1;  // not a cut
}

}  // namespace treewright
