#include "grow.hpp"

#include <deque>

namespace treewright::tests {

void Table::add(std::vector<std::uint32_t> codes, std::uint32_t n_codes,
                Candidates candidates, int bytes) {
  std::vector<std::uint8_t> packed(codes.size() * bytes);
  bool has_missing = false;
  for (std::size_t row = 0; row < codes.size(); ++row) {
    // the low bytes come first on the machines that this is for
    std::memcpy(packed.data() + row * bytes, &codes[row], bytes);
    has_missing = has_missing || codes[row] == n_codes;
  }
  bytes_.push_back(std::move(packed));
  codes_.push_back(std::move(codes));
  columns_.push_back({bytes_.back().data(), bytes, n_codes, has_missing, candidates});
}

void Table::add_random(Random& random, std::uint32_t n_codes, Candidates candidates,
                       std::int64_t one_missing_in) {
  std::vector<std::uint32_t> codes = random_codes(random, n_rows_, n_codes);
  for (auto& code : codes)
    if (one_missing_in > 0 && random.one_in(one_missing_in)) code = n_codes;
  const int bytes = n_codes < 256 ? 1 : n_codes < 65536 ? 2 : 4;
  add(std::move(codes), n_codes, candidates, bytes);
}

double tolerance_of(const Target& target, std::span<const std::int64_t> statistic) {
  if (!target.is_classes()) return 1e-9;  // the tests' numbers are small integers
  double weight = 0;
  for (int slot = 0; slot < target.class_start[1]; ++slot)
    weight += static_cast<double>(statistic[slot]);
  return 1e-12 * weight;
}

namespace {

struct Open {
  std::int64_t node;
  std::vector<std::int64_t> statistic;
};

void scan(MemorySource& source, const Target& target, Batch& batch) {
  const int width = source.width();
  batch.tolerances.clear();
  for (std::size_t index = 0; index < batch.nodes.size(); ++index)
    batch.tolerances.push_back(tolerance_of(
        target, std::span(batch.statistics).subspan(index * width, width)));
  batch.found.assign(batch.nodes.size() * source.n_features(), {});
  source.scan(batch.nodes, batch.statistics, batch.tolerances, {}, batch.found);
}

// The feature with the largest gain, the first of them, at each node that has one.
Splits choose(const Batch& batch, std::int64_t n_features) {
  Splits chosen;
  for (std::size_t index = 0; index < batch.nodes.size(); ++index) {
    const auto found = std::span(batch.found).subspan(index * n_features, n_features);
    std::int64_t best = 0;
    for (std::int64_t feature = 1; feature < n_features; ++feature)
      if (found[feature].gain > found[best].gain) best = feature;
    if (n_features == 0 || found[best].gain <= too_few_rows) continue;
    chosen.nodes.push_back(batch.nodes[index]);
    chosen.features.push_back(static_cast<std::int32_t>(best));
    chosen.positions.push_back(found[best].position);
    chosen.gains.push_back(found[best].gain);
    chosen.tolerances.push_back(batch.tolerances[index]);
  }
  return chosen;
}

void write_down(const Batch& batch, const Splits& splits, History& history) {
  for (const Found& found : batch.found) {
    history.gains.push_back(found.gain);
    history.numbers.push_back(found.position);
  }
  const Branches& made = splits.branches;
  history.note(made.n_rows);
  history.note(made.statistics);
  history.note(made.pure);
  history.note(made.n_branches);
  history.note(made.n_set);
  history.note(made.low);
  history.note(made.high);
  history.note(made.missing_branch);
  history.note(made.set);
  history.note(splits.features);
  history.numbers.push_back(splits.first_new);
}

// Moves the oldest nodes out of the queue.
Batch take_batch(std::deque<Open>& queue, std::size_t most_nodes) {
  Batch batch;
  for (; !queue.empty() && batch.nodes.size() < most_nodes; queue.pop_front()) {
    const Open& next = queue.front();
    batch.nodes.push_back(next.node);
    batch.statistics.insert(batch.statistics.end(), next.statistic.begin(),
                            next.statistic.end());
  }
  return batch;
}

}  // namespace

History grow(MemorySource& source, const Growing& growing, Watch& watch) {
  Random random(99);
  History history;
  const auto width = static_cast<std::size_t>(source.width());
  Open root{0, std::vector<std::int64_t>(width)};
  const bool pure = open_root(source, root.statistic);
  watch.opened(root.statistic, pure);
  history.note(root.statistic);
  std::deque<Open> queue;
  if (!pure) queue.push_back(std::move(root));
  for (int n_done = 0; !queue.empty() && n_done < growing.most_batches; ++n_done) {
    Batch batch = take_batch(queue, growing.most_nodes);
    scan(source, growing.target, batch);
    watch.scanned(batch);
    Splits splits = choose(batch, source.n_features());
    splits.branches = source.split(splits.nodes, splits.features, splits.positions,
                                   splits.tolerances);
    const Branches& made = splits.branches;
    for (std::size_t branch = 0; branch < made.n_rows.size(); ++branch)
      splits.open.push_back(
          !made.pure[branch] && made.n_rows[branch] > 1 &&
          !(growing.one_closed_in > 0 && random.one_in(growing.one_closed_in)));
    splits.first_new = source.advance(splits.nodes, splits.features, made.n_branches,
                                      made.n_rows, made.known, splits.open);
    watch.was_split(splits);
    write_down(batch, splits, history);
    std::int64_t node = splits.first_new;
    for (std::size_t branch = 0; branch < splits.open.size(); ++branch) {
      if (!splits.open[branch]) continue;
      const auto statistic = std::span(made.statistics).subspan(branch * width, width);
      queue.push_back({node++, {statistic.begin(), statistic.end()}});
    }
  }
  return history;
}

History grow(const Growing& growing, Watch& watch) {
  MemorySource source(growing.table.columns(), growing.target, growing.rule,
                      growing.table.n_rows(), growing.n_threads);
  source.build_lists();
  return grow(source, growing, watch);
}

History grow(const Growing& growing) {
  Watch watch;
  return grow(growing, watch);
}

}  // namespace treewright::tests
