#include "sparse.hpp"

#include <algorithm>
#include <numeric>

namespace treewright {
namespace {

constexpr std::int64_t entries_per_task = 1 << 13;
constexpr std::uint32_t not_here = ~0u;

}  // namespace

SparseSource::SparseSource(const SparseTable& table, Target target, const Rule& rule,
                           std::int64_t n_rows, int n_threads, const Roots& roots)
    : table_(table),
      rows_({}, std::move(target), rule, n_rows, n_threads, roots),
      rule_(rows_.rule()),
      on_right_(rows_.n_rows()),
      sides_(rows_.pool().n_threads()) {
  order_.resize(rows_.n_rows());
  std::iota(order_.begin(), order_.end(), Entry{0});
  std::vector<std::uint32_t> number(n_rows);
  for (std::int64_t root = 0; root < n_roots(); ++root) {
    const auto [start, stop] = rows_.rows_of_root(root);
    std::ranges::fill(number, not_here);
    for (std::int64_t row = start; row < stop; ++row)
      number[roots.starts.empty() ? row : roots.rows[row]] =
          static_cast<std::uint32_t>(row);
    nodes_.push_back({start, stop - start, {}});
    list_entries(root, number);
  }
}

// number: of each row of the table among those of the trees, or not_here.
void SparseSource::list_entries(std::int64_t root,
                                std::span<const std::uint32_t> number) {
  Node& node = nodes_[root];
  for (std::int64_t feature = 0; feature < n_features(); ++feature) {
    Listed listed{std::ssize(entries_), 0, 0, static_cast<std::uint32_t>(feature)};
    const std::int64_t start = table_.starts[feature];
    for (std::int64_t place = start; place < table_.starts[feature + 1]; ++place) {
      const std::uint32_t row = number[table_.rows[place]];
      if (row == not_here) continue;
      entries_.push_back({row, table_.codes[place]});
      ++listed.n_entries;
      listed.n_below += place - start < table_.n_below[feature];
    }
    if (listed.n_entries > 0) node.listed.push_back(listed);
  }
}

void SparseSource::open_roots(std::span<std::int64_t> out,
                              std::span<std::uint8_t> pure) {
  rows_.open_roots(out, pure);
}

void SparseSource::for_each_listed(std::span<const std::int64_t> nodes,
                                   const Work& work) {
  struct Start {
    std::int64_t index, place;
  };
  std::vector<Start> starts{{0, 0}};
  std::int64_t n_entries = 0;
  for (std::int64_t index = 0; index < std::ssize(nodes); ++index) {
    const auto& listed = nodes_[nodes[index]].listed;
    for (std::int64_t place = 0; place < std::ssize(listed); ++place) {
      n_entries += 4 + listed[place].n_entries;  // short lists cost something too
      if (n_entries < entries_per_task) continue;
      starts.push_back({index, place + 1});
      n_entries = 0;
    }
  }
  starts.push_back({std::ssize(nodes), 0});
  pool().run(std::ssize(starts) - 1, [&](std::int64_t task, int thread) {
    const Start stop = starts[task + 1];
    auto [index, place] = starts[task];
    for (; index < std::ssize(nodes); ++index, place = 0) {
      const auto n_listed = std::ssize(nodes_[nodes[index]].listed);
      const std::int64_t end = index == stop.index ? stop.place : n_listed;
      for (; place < end; ++place) work(index, place, thread);
      if (index == stop.index) break;
    }
  });
}

// `base`: the score of the node's rows as one branch, which the evaluator has begun.
Found SparseSource::look(Evaluator& evaluator, const AroundRun& list, double base,
                         double tolerance) const {
  const Cut cut = evaluator.best_cut_around(list, rule_.limits, tolerance);
  if (cut.position > 0) return {cut.score - base, cut.position};
  return {list.has_one_value() ? one_value : too_few_rows, 0};
}

void SparseSource::scan(std::span<const std::int64_t> nodes,
                        std::span<const std::int64_t> statistics,
                        std::span<const double> tolerances, std::span<DrawnFound> out) {
  std::vector<std::int64_t> first{0};  // pair of each node
  for (const std::int64_t node : nodes)
    first.push_back(first.back() + std::ssize(nodes_[node].listed));
  std::vector<Found> found(first.back());
  std::vector<Looking> looking(pool().n_threads());
  for_each_listed(nodes, [&](std::int64_t index, std::int64_t place, int thread) {
    const Node& node = nodes_[nodes[index]];
    Evaluator& evaluator = rows_.evaluator(thread);
    if (looking[thread].begun != index)
      looking[thread].base =
          evaluator.begin(rows_of(node), statistics.subspan(index * width(), width()));
    looking[thread].begun = index;
    found[first[index] + place] = look(evaluator, around(node, node.listed[place]),
                                       looking[thread].base, tolerances[index]);
  });
  for (std::int64_t index = 0; index < std::ssize(nodes); ++index) {
    const auto own =
        std::span(found).subspan(first[index], first[index + 1] - first[index]);
    if (own.empty()) continue;
    const double most = std::ranges::max_element(own, {}, &Found::gain)->gain;
    const auto best = std::ranges::find_if(
        own, [&](const Found& one) { return one.gain >= most - tolerances[index]; });
    const Listed& listed = nodes_[nodes[index]].listed[best - own.begin()];
    out[index] = {best->gain, best->position, listed.feature};
  }
}

void SparseSource::look_at_drawn(const Node& node, std::uint64_t key,
                                 const Draws& draws, std::span<std::uint64_t> constant,
                                 std::span<const std::int64_t> statistic,
                                 double tolerance, int thread, FeatureOrder& order,
                                 std::vector<std::uint32_t>& place_of_feature,
                                 std::vector<DrawnFound>& answers) {
  Evaluator& evaluator = rows_.evaluator(thread);
  const double base = evaluator.begin(rows_of(node), statistic);
  for (std::size_t place = 0; place < node.listed.size(); ++place)
    place_of_feature[node.listed[place].feature] = static_cast<std::uint32_t>(place);
  answers.clear();
  order.start(key);
  const auto enough = [&](std::int64_t n_drawn) {
    const auto n_found = std::ssize(answers);
    return draws.counts_constant ? n_drawn >= draws.n_features && n_found > 0
                                 : n_found == draws.n_features;
  };
  for (std::int64_t n = 0; n < n_features() && !enough(n); ++n) {
    const std::uint32_t feature = order.next();
    const std::uint64_t bit = std::uint64_t{1} << feature % 64;
    if (constant[feature / 64] & bit) continue;
    const std::uint32_t place = place_of_feature[feature];
    Found found;
    if (place != not_here)
      found = look(evaluator, around(node, node.listed[place]), base, tolerance);
    if (found.gain == one_value)
      constant[feature / 64] |= bit;
    else
      answers.push_back({found.gain, found.position, feature});
  }
  for (const Listed& listed : node.listed) place_of_feature[listed.feature] = not_here;
  if (draws.n_features >= n_features())  // as MemorySource::look_at_node
    std::ranges::sort(answers, {}, &DrawnFound::feature);
}

void SparseSource::scan_drawn(std::span<const std::int64_t> nodes,
                              std::span<const std::int64_t> statistics,
                              std::span<const double> tolerances, const Draws& draws,
                              std::span<std::uint64_t> constant,
                              std::span<DrawnFound> out) {
  struct Worker {
    FeatureOrder order;
    std::vector<std::uint32_t> place_of_feature;
    std::vector<DrawnFound> answers;
  };
  std::vector<Worker> workers(pool().n_threads(),
                              {FeatureOrder(n_features()),
                               std::vector<std::uint32_t>(n_features(), not_here),
                               {}});
  const std::int64_t n_words = words_of_features();
  pool().run(std::ssize(nodes), [&](std::int64_t index, int thread) {
    auto& [order, place_of_feature, answers] = workers[thread];
    look_at_drawn(nodes_[nodes[index]], draws.keys[index], draws,
                  constant.subspan(index * n_words, n_words),
                  statistics.subspan(index * width(), width()), tolerances[index],
                  thread, order, place_of_feature, answers);
    std::ranges::copy(answers, out.begin() + index * draws.n_features);
  });
}

}  // namespace treewright
