// All three steps of the memory source for what is below small open nodes, one node
// after the other, depth first: their rows stay in the cache, and nothing is asked of
// the caller in between. What comes out is what the steps give one by one.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "choosing.hpp"
#include "memory.hpp"
#include "tolerance.hpp"

namespace treewright {

// What a thread needs to grow nodes out.
class MemorySource::GrowingOut {
 public:
  GrowingOut(MemorySource& source, const Draws& draws, const LeafLimits& limits,
             const Choosing& choosing, int thread)
      : source_(source),
        draws_(draws),
        limits_(limits),
        choosing_(choosing),
        chooser_(choosing),
        thread_(thread),
        drawer_(source.n_features()),
        bits_of_rows_(source.columns_),
        codes_of_rows_(source.columns_, source.target_, source.tables_) {}

  // `index`: of the open node among those that are grown out. `allowed`: the features
  // that may be asked about below; empty: all, and any number of times.
  void grow(std::int64_t index, const Stretch& stretch, std::int32_t depth,
            std::span<const std::int64_t> statistic,
            std::span<const std::uint64_t> constant,
            std::span<const std::uint8_t> allowed, GrownOut& out) {
    open_.clear();
    drawer_.packed = source_.can_pack() && stretch.n_rows <= most_packed;
    drawer_.bits = nullptr;
    if (drawer_.packed) pack_lists(stretch);
    drawer_.codes = nullptr;
    if (source_.counts_codes_ && stretch.n_rows <= CodeRows::most_rows) {
      drawer_.codes = &codes_of_rows_;
      codes_of_rows_.start(source_.table_rows_,
                           static_cast<std::uint32_t>(stretch.start), stretch.n_rows);
    }
    first_place_ = stretch.start;
    constant_.assign(constant.begin(), constant.end());
    asks_once_ = !allowed.empty();
    used_.assign(asks_once_ ? constant.size() : 0, 0);
    for (std::size_t feature = 0; feature < allowed.size(); ++feature)
      if (!allowed[feature]) used_[feature / 64] |= std::uint64_t{1} << feature % 64;
    const std::uint64_t key = draws_.keys.empty() ? 0 : draws_.keys[index];
    open_.push_back({stretch, -1 - index, key, depth});
    while (!open_.empty()) {
      const Open node = open_.back();
      open_.pop_back();
      pause_after(node.stretch.n_rows);
      const auto own = std::span(out.branches.statistics);
      const std::int64_t width = source_.width();
      take_constant();
      if (drawer_.bits)
        drawer_.bits->look_at(node.stretch.start - first_place_, node.stretch.n_rows);
      if (drawer_.codes)
        drawer_.codes->look_at(node.stretch.start - first_place_, node.stretch.n_rows);
      const auto sums =
          node.number < 0 ? statistic : own.subspan(node.number * width, width);
      sums_.assign(sums.begin(), sums.end());  // others are added to `own`
      const std::int64_t winner = look(node, sums_);
      if (winner >= 0) {
        split(node, Answer(drawer_.answers[winner]), out);
      } else {
        out.unsplit.push_back(node.number);
        out.why.push_back(static_cast<std::uint8_t>(why()));
      }
    }
  }

 private:
  struct Open {
    Stretch stretch;
    std::int64_t number;
    std::uint64_t key;
    std::int32_t depth;
  };

  // Lets the run be stopped, now and then: asking takes longer than a small node.
  void pause_after(std::int64_t n_rows) {
    constexpr std::int64_t rows_between = 4096;
    n_rows_looked_ += n_rows;
    if (n_rows_looked_ < rows_between) return;
    n_rows_looked_ = 0;
    source_.pool_.pause();
  }

  void pack_lists(const Stretch& stretch) {
    // rows that are together have the numbers of their places
    drawer_.first_row = static_cast<std::uint32_t>(stretch.start);
    if (source_.keeps_bits() && !bits_of_rows_.empty()) drawer_.bits = &bits_of_rows_;
    if (drawer_.bits)
      drawer_.bits->start(source_.columns_, source_.target_, source_.table_rows_,
                          drawer_.first_row, stretch.n_rows);
    for (std::int64_t list = 0; list < source_.n_lists(); ++list)
      if (!in_bits(list))
        pack(std::span(source_.lists_[list]).subspan(stretch.start, stretch.n_rows),
             drawer_.first_row);
  }

  bool in_bits(std::int64_t feature) const {
    return drawer_.bits && drawer_.bits->has(feature);
  }

  // The bits of the node that was taken last are those at the end of the stack.
  void take_constant() {
    const auto n_words = source_.words_of_features();
    bits_.assign(constant_.end() - n_words, constant_.end());
    constant_.resize(constant_.size() - n_words);
    if (!asks_once_) return;
    used_here_.assign(used_.end() - n_words, used_.end());
    used_.resize(used_.size() - n_words);
    for (std::int64_t word = 0; word < n_words; ++word) bits_[word] |= used_here_[word];
  }

  // The place of the feature that is chosen, among `drawer_.answers`; or -1.
  std::int64_t look(const Open& node, std::span<const std::int64_t> statistic) {
    double weight = 1, per_score = 1;
    if (choosing_.by_worth()) {
      weight = weight_of(statistic) / choosing_.weight_scale;
      per_score = 1 / choosing_.weight_scale / weight;
    }
    tolerance_ = choosing_.tolerance > 0
                     ? choosing_.tolerance / per_score
                     : tolerance_of_ties(source_.target_, statistic);
    source_.look_at_node(drawer_, ++n_looked_, node.stretch, node.key, draws_, bits_,
                         {}, statistic, tolerance_, thread_);
    return chooser_.choose(drawer_.answers, weight, per_score, tolerance_);
  }

  Choice why() const {
    const auto is_used = [&](std::int64_t feature) {
      return used_here_[feature / 64] >> feature % 64 & 1;
    };
    if (!asks_once_) return chooser_.found();
    for (std::int64_t feature = 0; feature < source_.n_features(); ++feature)
      if (!is_used(feature)) return chooser_.found();
    return Choice::no_feature;
  }

  // That of the first output.
  double weight_of(std::span<const std::int64_t> statistic) const {
    const auto own = statistic.first(source_.target_.class_start[1]);
    return static_cast<double>(std::reduce(own.begin(), own.end()));
  }

  // Whether a branch is a leaf because it is light, or its rows nearly agree.
  bool is_light(std::span<const std::int64_t> statistic) const {
    if (!limits_.look_at_weights()) return false;
    const double scale = choosing_.weight_scale;
    if (weight_of(statistic) / scale < limits_.min_weight_to_split) return true;
    if (limits_.slack == 0) return false;
    const auto& starts = source_.target_.class_start;
    for (std::size_t output = 0; output + 1 < starts.size(); ++output) {
      const auto own =
          statistic.subspan(starts[output], starts[output + 1] - starts[output]);
      const auto others = std::reduce(own.begin(), own.end()) - std::ranges::max(own);
      if (static_cast<double>(others) > limits_.slack * scale) return false;
    }
    return true;
  }

  void split(const Open& node, const Answer& best, GrownOut& out) {
    const std::int64_t n_before = std::ssize(out.branches.n_rows);
    const auto feature = static_cast<std::int32_t>(best.feature);
    out.node.push_back(node.number);
    out.feature.push_back(feature);
    out.position.push_back(best.found.position);
    out.gain.push_back(best.found.gain);
    if (drawer_.codes && drawer_.codes->has_cut(feature))
      source_.split_by_codes(*drawer_.codes, feature, sums_, out.branches);
    else
      split_list(node, best, out);
    const std::int64_t n_branches = out.branches.n_branches.back();
    // a branch for each value: there is nothing more to ask about it
    if (asks_once_ && best.found.position <= 0 &&
        source_.columns_[feature].candidates == Candidates::multiway)
      used_here_[feature / 64] |= std::uint64_t{1} << feature % 64;
    out.depth.insert(out.depth.end(), n_branches, node.depth + 1);
    open_branches(node, n_before, n_branches, out.branches);
  }

  void split_list(const Open& node, const Answer& best, GrownOut& out) {
    const std::int64_t feature = best.feature;
    std::int64_t position = best.found.position;
    const auto all =
        drawer_.packed || drawer_.codes
            ? source_.entries_for(drawer_, feature, node.stretch, thread_)
            : source_.entries_of_split(feature, node.stretch, thread_, position);
    source_.split_one(*source_.evaluators_[thread_], source_.divisions_[thread_],
                      feature, all, position, tolerance_, out.branches);
    source_.note_drawn_sides(feature, best.found.position, all, thread_, out.branches);
    if (drawer_.codes)
      drawer_.codes->divide(source_.branch_of_row_.narrow,
                            out.branches.n_branches.back());
  }

  // Branches that are no leaves get their part of the lists, and are next.
  void open_branches(const Open& node, std::int64_t first, std::int64_t n_branches,
                     const Branches& branches) {
    places_.assign(n_branches, closed);
    std::int64_t place = 0;
    bool any_open = false;
    for (std::int64_t branch = 0; branch < n_branches; ++branch) {
      const std::int64_t n_rows = branches.n_rows[first + branch];
      if (!branches.pure[first + branch] &&
          !limits_.make_leaf(n_rows, node.depth + 1) &&
          !is_light(
              std::span(branches.statistics)
                  .subspan((first + branch) * source_.width(), source_.width()))) {
        places_[branch] = place;
        any_open = true;
      }
      // rows that have their codes beside them are all in order already
      if (places_[branch] != closed || drawer_.codes) place += n_rows;
    }
    if (!any_open) return;
    if (!drawer_.codes) divide_lists(node);
    // the first branch is taken first
    for (std::int64_t branch = n_branches; branch-- > 0;) {
      if (places_[branch] == closed) continue;
      const Stretch stretch{node.stretch.start + places_[branch],
                            branches.n_rows[first + branch]};
      open_.push_back(
          {stretch, first + branch, branch_key(node.key, branch), node.depth + 1});
      constant_.insert(constant_.end(), bits_.begin(), bits_.end());
      if (asks_once_) used_.insert(used_.end(), used_here_.begin(), used_here_.end());
    }
  }

  void divide_lists(const Open& node) {
    for (std::int64_t list = 0; list < source_.n_lists(); ++list) {
      // what has one value here is not looked at below; one list is always needed
      if (list > 0 && (bits_[list / 64] >> list % 64 & 1)) continue;
      if (in_bits(list)) continue;
      const auto stretch = std::span(source_.lists_[list])
                               .subspan(node.stretch.start, node.stretch.n_rows);
      if (drawer_.packed)
        partition_packed(stretch,
                         source_.branch_of_row_.narrow.data() + drawer_.first_row,
                         places_, source_.spares_[thread_]);
      else
        partition(stretch, source_.branch_of_row_, places_, source_.spares_[thread_]);
    }
    if (drawer_.bits)
      drawer_.bits->divide(source_.branch_of_row_.narrow.data() + drawer_.first_row,
                           places_);
  }

  MemorySource& source_;
  const Draws& draws_;
  const LeafLimits& limits_;
  const Choosing& choosing_;
  Chooser chooser_;
  int thread_;
  Drawer drawer_;
  BitRows bits_of_rows_;
  CodeRows codes_of_rows_;
  std::vector<std::int64_t> sums_;  // of the node that is looked at
  std::int64_t first_place_ = 0;
  std::int64_t n_looked_ = 0, n_rows_looked_ = 0;
  double tolerance_ = 0;
  std::vector<Open> open_;
  std::vector<std::uint64_t> constant_;  // bits of each open node
  std::vector<std::uint64_t> bits_;      // of the node that is looked at
  bool asks_once_ = false;
  std::vector<std::uint64_t> used_, used_here_;  // likewise, features not to be asked
  std::vector<std::int64_t> places_;
};

bool MemorySource::can_grow_out() const {
  return rule_.missing != Missing::fractional && rule_.missing != Missing::surrogates &&
         rule_.n_combined == 0 &&
         std::ranges::none_of(columns_, [](const Column& column) {
           return column.candidates == Candidates::groups ||
                  (column.candidates == Candidates::multiway &&
                   column.n_codes >= most_narrow_branches);
         });
}

bool MemorySource::can_pack() const {
  return !makes_lists_ && (rule_.missing != Missing::own_branch ||
                           std::ranges::none_of(columns_, [](const Column& column) {
                             return column.has_missing;
                           }));
}

// Whether columns of two values are counted, and not scanned as lists.
bool MemorySource::keeps_bits() const {
  return counts_sides() && (!target_.bytes.empty() || !target_.pairs.empty());
}

GrownOut MemorySource::grow_out(std::span<const std::int64_t> nodes,
                                std::span<const std::int64_t> statistics,
                                std::span<const std::int32_t> depths,
                                std::span<const std::uint64_t> constant,
                                std::span<const std::uint8_t> allowed,
                                const Draws& draws, const LeafLimits& limits,
                                const Choosing& choosing) {
  if (!can_grow_out()) throw std::logic_error("grow_out: not with this rule");
  if (!rows_are_together_) renumber();
  std::vector<GrowingOut> workers;
  for (int thread = 0; thread < pool_.n_threads(); ++thread)
    workers.emplace_back(*this, draws, limits, choosing, thread);
  // one thread need not share, nor join the parts
  const auto starts = pool_.n_threads() > 1
                          ? chunk_starts(nodes, 1)
                          : std::vector<std::int64_t>{0, std::ssize(nodes)};
  std::vector<GrownOut> found(starts.size() - 1);
  pool_.run(std::ssize(found), [&](std::int64_t task, int thread) {
    const std::int64_t n_words = words_of_features();
    std::int64_t n_rows = 0;
    for (std::int64_t index = starts[task]; index < starts[task + 1]; ++index)
      n_rows += stretches_[nodes[index]].n_rows;
    // few trees have more, and vectors that grow copy what they have; many classes
    // would ask for more than there is
    constexpr std::int64_t most_numbers = 1 << 21;
    found[task].reserve(std::min(n_rows / 4, most_numbers / width()), width());
    for (std::int64_t index = starts[task]; index < starts[task + 1]; ++index)
      workers[thread].grow(index, stretches_[nodes[index]], depths[index],
                           statistics.subspan(index * width(), width()),
                           constant.subspan(index * n_words, n_words),
                           allowed.empty()
                               ? allowed
                               : allowed.subspan(index * n_features(), n_features()),
                           found[task]);
    look_up_sides(found[task].feature, found[task].branches);
  });
  for (const std::int64_t node : nodes) {
    is_open_[node] = 0;
    --n_open_nodes_;
    n_open_rows_ -= stretches_[node].n_rows;
  }
  // nobody asks for them again, and the tree is put in order next
  if (n_open_nodes_ == 0)
    for (auto& list : lists_) list = std::vector<Entry>();
  GrownOut all = found.empty() ? GrownOut() : std::move(found[0]);
  for (std::size_t part = 1; part < found.size(); ++part) all.append(found[part]);
  return all;
}

void GrownOut::reserve(std::int64_t n_splits, std::int64_t width) {
  node.reserve(n_splits);
  feature.reserve(n_splits);
  position.reserve(n_splits);
  gain.reserve(n_splits);
  depth.reserve(2 * n_splits);
  branches.n_rows.reserve(2 * n_splits);
  branches.known.reserve(2 * n_splits);
  branches.statistics.reserve(2 * n_splits * width);
  branches.pure.reserve(2 * n_splits);
  branches.n_branches.reserve(n_splits);
  branches.n_set.reserve(n_splits);
  branches.low.reserve(n_splits);
  branches.high.reserve(n_splits);
  branches.missing_branch.reserve(n_splits);
}

void GrownOut::append(const GrownOut& more) {
  const auto n_before = std::ssize(branches.n_rows);
  const auto renumbered = [&](const std::vector<std::int64_t>& from,
                              std::vector<std::int64_t>& to) {
    for (const std::int64_t number : from)
      to.push_back(number < 0 ? number : number + n_before);
  };
  const auto join = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  renumbered(more.node, node);
  renumbered(more.unsplit, unsplit);
  join(feature, more.feature);
  join(position, more.position);
  join(gain, more.gain);
  join(depth, more.depth);
  join(why, more.why);
  branches.append(more.branches);
}

}  // namespace treewright
