// Trees that are kept up to date: the Python face of core/incremental.hpp.
#include "incremental.hpp"

#include "arrays.hpp"

namespace treewright::python {
namespace {

class Incremental {
 public:
  Incremental(int criterion, std::int64_t n_features)
      : tree_(static_cast<Criterion>(criterion), n_features) {
    expect(criterion == static_cast<int>(Criterion::entropy) ||
               criterion == static_cast<int>(Criterion::gini),
           "incremental: entropy or gini");
    expect(n_features > 0, "incremental: no features");
    tree_.set_pool(&pool_);
  }

  void set_candidates(std::int64_t feature, int candidates) {
    expect_feature(feature);
    expect(candidates >= static_cast<int>(Candidates::cut) &&
               candidates <= static_cast<int>(Candidates::subset),
           "incremental: cut, multiway or subset");
    tree_.set_candidates(feature, static_cast<Candidates>(candidates));
  }

  void set_ranks(std::int64_t feature, const In<std::uint32_t>& ranks) {
    expect_feature(feature);
    const auto all = view(ranks);
    tree_.set_ranks(feature, {all.begin(), all.end()});
    n_ranks_[feature] = ranks.size();
  }

  void set_classes(int n_classes, const In<std::int32_t>& new_class) {
    expect(static_cast<int>(new_class.size()) == tree_.n_classes(),
           "incremental: a new class for each");
    for (const std::int32_t one : view(new_class))
      expect(one >= -1 && one < n_classes, "incremental: class out of range");
    run([&] { tree_.set_classes(n_classes, view(new_class)); });
  }

  Out<std::uint32_t> add(const In<std::uint64_t>& keys,
                         const In<std::uint32_t>& classes) {
    expect_rows(keys, classes);
    std::vector<Slot> slots;
    run([&] { slots = tree_.add(view(keys), view(classes)); });
    return give(std::move(slots));
  }

  Out<std::uint32_t> find(const In<std::uint64_t>& keys,
                          const In<std::uint32_t>& classes) const {
    expect_rows(keys, classes);
    return give(tree_.find(view(keys), view(classes)));
  }

  void remove(const In<std::uint32_t>& slots) {
    std::vector<Slot> sorted(view(slots).begin(), view(slots).end());
    std::ranges::sort(sorted);
    expect(std::ranges::adjacent_find(sorted) == sorted.end(),
           "incremental: a slot stands twice");
    for (const Slot slot : sorted)
      expect(tree_.is_there(slot), "incremental: no such row");
    run([&] { tree_.remove(view(slots)); });
  }

  nb::tuple rows() const {
    std::vector<Key> keys;
    std::vector<std::uint32_t> classes;
    const auto slots = tree_.slots();
    const auto n_features = static_cast<std::size_t>(tree_.n_features());
    keys.reserve(slots.size() * n_features);
    for (const Slot slot : slots) {
      for (std::size_t feature = 0; feature < n_features; ++feature)
        keys.push_back(tree_.key(feature, slot));
      classes.push_back(tree_.class_of(slot));
    }
    return nb::make_tuple(give(std::move(keys), {slots.size(), n_features}),
                          give(std::move(classes)));
  }

  Out<std::uint64_t> column(std::int64_t feature) const {
    expect_feature(feature);
    std::vector<Key> keys;
    for (const Slot slot : tree_.slots()) keys.push_back(tree_.key(feature, slot));
    return give(std::move(keys));
  }

  Out<std::int64_t> key_counts(std::int64_t feature) const {
    expect_feature(feature);
    return give(std::vector(tree_.key_counts(feature)));
  }

  nb::tuple flatten(const std::vector<In<std::int32_t>>& codes) {
    expect(std::ssize(codes) == tree_.n_features(), "incremental: codes by feature");
    std::vector<std::vector<std::int32_t>> given;
    for (std::size_t feature = 0; feature < codes.size(); ++feature) {
      const auto one = view(codes[feature]);
      expect(one.size() >= n_ranks(feature), "incremental: a code for each key");
      for (const std::int32_t code : one)
        expect(code >= -1 && code < std::ssize(one), "incremental: code out of range");
      given.emplace_back(one.begin(), one.end());
    }
    run([&] { tree_.mend(); });
    FlatTree flat = tree_.flatten(given);
    const std::size_t n_nodes = flat.n_rows.size();
    const auto width = static_cast<std::size_t>(tree_.n_classes());
    return nb::make_tuple(give(std::move(flat.feature)), give(std::move(flat.low)),
                          give(std::move(flat.high)), give(std::move(flat.first_child)),
                          give(std::move(flat.n_children)),
                          give(std::move(flat.missing_branch)),
                          give(std::move(flat.statistics), {n_nodes, width}),
                          give(std::move(flat.n_rows)), give(std::move(flat.parent)),
                          give(std::move(flat.depth)), give(std::move(flat.gain)),
                          give(std::move(flat.reason)), give(std::move(flat.n_set)),
                          give(std::move(flat.set_codes)));
  }

 private:
  template <class Work>
  void run(const Work& work) {
    run_interruptible(pool_, [&] { pool_.run(1, [&](std::int64_t, int) { work(); }); });
  }
  void expect_feature(std::int64_t feature) const {
    expect(feature >= 0 && feature < tree_.n_features(),
           "incremental: no such feature");
  }
  std::size_t n_ranks(std::int64_t feature) const {
    const auto found = n_ranks_.find(feature);
    return found == n_ranks_.end() ? 0 : found->second;
  }
  void expect_rows(const In<std::uint64_t>& keys,
                   const In<std::uint32_t>& classes) const {
    const auto n_features = static_cast<std::size_t>(tree_.n_features());
    expect(keys.size() == classes.size() * n_features,
           "incremental: a key for each row and feature");
    for (const std::uint32_t one : view(classes))
      expect(static_cast<int>(one) < tree_.n_classes(),
             "incremental: class out of range");
    const auto all = view(keys);
    for (const auto& [feature, n_keys] : n_ranks_)
      for (std::size_t place = feature; place < all.size(); place += n_features)
        expect(all[place] == no_value || all[place] < n_keys,
               "incremental: a category without a rank");
  }

  ThreadPool pool_{1};
  IncrementalTree tree_;
  std::unordered_map<std::int64_t, std::size_t> n_ranks_;
};

}  // namespace

void add_incremental(nb::module_& module) {
  nb::class_<Incremental>(module, "Incremental")
      .def(nb::init<int, std::int64_t>(), "criterion"_a, "n_features"_a)
      .def("set_candidates", &Incremental::set_candidates, "feature"_a, "candidates"_a)
      .def("set_ranks", &Incremental::set_ranks, "feature"_a, "ranks"_a)
      .def("set_classes", &Incremental::set_classes, "n_classes"_a, "new_class"_a)
      .def("add", &Incremental::add, "keys"_a, "classes"_a)
      .def("find", &Incremental::find, "keys"_a, "classes"_a)
      .def("remove", &Incremental::remove, "slots"_a)
      .def("rows", &Incremental::rows)
      .def("column", &Incremental::column, "feature"_a)
      .def("key_counts", &Incremental::key_counts, "feature"_a)
      .def("flatten", &Incremental::flatten, "codes"_a);
}

}  // namespace treewright::python
