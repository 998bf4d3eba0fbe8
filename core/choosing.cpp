#include "choosing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tolerance.hpp"

namespace treewright {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Where no gain is needed: a gain of 0 may come out this far below it by rounding.
constexpr double least_worth = -1e-3;
constexpr double rounding = 1e-12;

}  // namespace

double Chooser::rounded(double number) const {
  return choosing_.single_precision ? static_cast<double>(static_cast<float>(number))
                                    : number;
}

std::span<const Weighed> Chooser::weigh(std::span<const Answer> answers, double weight,
                                        double per_score) {
  weighed_.assign(answers.size(), {});
  for (std::size_t place = 0; place < answers.size(); ++place) {
    const auto& [feature, found] = answers[place];
    Weighed& own = weighed_[place];
    own.valid = found.gain > too_few_rows;
    own.gain = own.valid ? rounded(found.gain * per_score) : 0;
    own.net = own.gain;
    bool pays = feature >= 0 && choosing_.is_cut[feature];
    if (choosing_.pays_for_cuts && pays) {
      own.cost = rounded(std::log2(std::max(found.n_cuts, 1.0)) / weight);
      own.net = rounded(own.net - own.cost);
    }
    if (choosing_.pays_for_groups) {
      own.charge = rounded(found.charge / weight);
      own.net = rounded(own.net - own.charge);
      pays = pays || own.charge > 0;
    }
    // a split that pays and gains nothing is out; another still counts in the average
    if (choosing_.by_worth() && pays && !(own.net > rounded(choosing_.tolerance)))
      own.valid = 0;
    own.counts = own.valid;
  }
  least_ = std::numeric_limits<double>::quiet_NaN();
  if (choosing_.guard != Guard::none) {
    least_ = least_gain(answers, weight);
    for (std::size_t place = 0; place < answers.size(); ++place) {
      Weighed& own = weighed_[place];
      own.valid = own.valid && own.net >= least_ &&
                  (choosing_.guard == Guard::c45 ||
                   choosing_.is_few_valued[answers[place].feature]);
    }
  }
  for (std::size_t place = 0; place < answers.size(); ++place) {
    Weighed& own = weighed_[place];
    own.worth = own.net;
    if (!choosing_.by_ratio) continue;
    const double information = answers[place].found.split_information;
    own.valid = own.valid && information > choosing_.min_split_information;
    if (own.valid) own.worth = rounded(own.net / rounded(information));
  }
  return weighed_;
}

// The least gain that passes; infinite where there is nothing to compare with.
double Chooser::least_gain(std::span<const Answer> answers, double weight) const {
  double sum = 0;
  std::int64_t n_counted = 0;
  for (std::size_t place = 0; place < answers.size(); ++place) {
    if (!weighed_[place].counts || !choosing_.is_few_valued[answers[place].feature])
      continue;
    sum += weighed_[place].net;
    ++n_counted;
  }
  const double average =
      n_counted > 0 ? sum / static_cast<double>(n_counted) : infinite;
  if (choosing_.guard == Guard::c45) return average - average_slack;
  const auto n_possible = static_cast<double>(std::max<std::int64_t>(n_counted, 1));
  const double naming = 0.9 * std::log2(n_possible) / weight;
  // a mix where a class has 500 to 1000 rows, one of the two on either side
  const double share = std::clamp((choosing_.rows_per_class - 500) / 500, 0.0, 1.0);
  const double least = share == 1 ? naming : (1 - share) * average + share * naming;
  // rounding must not shut out a feature that gains just as much
  return enough * least - rounding;
}

// C4.5's choice: a feature replaces the best before it if it is better by more than the
// tolerance. Rounding must not decide between equals, unless that is what the original
// does.
std::int64_t Chooser::best_in_turn(std::span<const Answer> answers) const {
  const double tolerance =
      std::max(choosing_.tolerance, choosing_.single_precision ? 0.0 : rounding);
  double best = choosing_.accepts_no_gain ? least_worth : 0.0;
  std::int64_t winner = -1;
  for (std::size_t place = 0; place < answers.size(); ++place) {
    const Weighed& own = weighed_[place];
    if (!own.valid || !(own.worth > best + tolerance)) continue;
    best = own.worth;
    winner = static_cast<std::int64_t>(place);
  }
  return winner;
}

// C5.0's choice: the best ratio, as good as which are many. Of ratios within 0.1 % of
// the best the split with the fewest branches wins, of these the one that gains most,
// then the first.
std::int64_t Chooser::fewest_branches(std::span<const Answer> answers) const {
  const double tolerance =
      std::max(choosing_.tolerance, choosing_.single_precision ? 0.0 : rounding);
  const auto is_worth = [&](std::size_t place) {
    return weighed_[place].valid && weighed_[place].worth > tolerance;
  };
  double most = -infinite;
  for (std::size_t place = 0; place < answers.size(); ++place)
    if (is_worth(place)) most = std::max(most, weighed_[place].worth);
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  double largest = -infinite;
  std::vector<std::size_t> left;
  for (std::size_t place = 0; place < answers.size(); ++place) {
    if (!is_worth(place) || !(weighed_[place].worth >= enough * most - rounding))
      continue;
    const std::int64_t n_branches = choosing_.n_branches[answers[place].feature];
    if (n_branches > fewest) continue;
    if (n_branches < fewest) left.clear(), largest = -infinite;
    fewest = n_branches;
    largest = std::max(largest, weighed_[place].net);
    left.push_back(place);
  }
  // rounding must not decide between equals
  for (const std::size_t place : left)
    if (weighed_[place].net >= largest - rounding)
      return static_cast<std::int64_t>(place);
  return -1;
}

std::int64_t Chooser::choose(std::span<const Answer> answers, double weight,
                             double per_score, double tolerance) {
  double best = one_value;
  for (const Answer& answer : answers) best = std::max(best, answer.found.gain);
  found_ = best == too_few_rows ? Choice::too_few : Choice::no_split;
  if (!(best > too_few_rows)) return -1;
  std::int64_t winner = -1;
  if (choosing_.by_worth()) {
    weigh(answers, weight, per_score);
    winner = choosing_.guard == Guard::c50 ? fewest_branches(answers)
                                           : best_in_turn(answers);
  } else {
    const auto first = std::ranges::find_if(answers, [&](const Answer& answer) {
      return answer.found.gain >= best - tolerance;
    });
    winner = first - answers.begin();
  }
  found_ = winner < 0 ? Choice::no_gain : Choice::split;
  return winner;
}

}  // namespace treewright
