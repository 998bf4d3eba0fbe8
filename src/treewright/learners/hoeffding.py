"""Hoeffding trees: every row is looked at once, and then forgotten.

    start with one leaf
    for each row: walk to its leaf, and add it to the leaf's sums
        after every `grace_period` rows at a leaf, look at its splits:
            G1, G2  the two best gains over all features, no split (0) among them
            eps     sqrt(R^2 ln(1/delta) / (2 n)) after n rows at the leaf
            G1 - G2 > eps, or eps < tau  ->  the leaf is split by the best

With a chance of 1 - delta the split is the one that all rows of the stream would give
(Hoeffding's inequality). The loop is `core/hoeffding.cpp`; `hoeffding_learner.py` holds
a tree that learns, `hoeffding_model.py` makes an ordinary model of it, and
`hoeffding_file.py` a checkpoint.

What the papers leave open
--------------------------
- G is the information gain (R = log2 of the number of classes at the leaf, 1 at least)
  or the decrease of gini's index (R = 1); for numbers the decrease of the variance or
  of the standard deviation, where G2 / G1 < 1 - eps is asked, so R = 1.
- n, and the sums, are of the rows that the leaf has seen since it came to be. What its
  parent knew of the branch is where its class weights (or mean) start, and counts
  for answers only.
- Numbers, for classes: a normal distribution for each class; `n_cuts` cuts at equal
  distances between the least and the largest value, rounded to a tenth of that
  distance or less, so that they can be read. Below a class's least value it has no
  weight, above its largest all of it.
- Numbers, for numbers: up to 64 bins of equal width, a power of 2, with the moments of
  the target; a cut between any two of them.
- Nominal features have one branch for each category seen at the leaf. A category that
  comes up later gets a branch of its own then. They may be asked about again below.
- Missing values are in no sums; a gain counts by the share of the rows that have a
  value; at a question they go to the branch that was heaviest when it was made (of
  equal ones to the lower, or to the category that came up first in the stream).
  Numbers beyond 1e140 are compared, but in no sums.
- Two branches of a split need `min_branch_share` of the rows that have a value.
- Naive Bayes: the leaf's class weights; (n_cv + 1) / (n_c + k) for a category, with k
  different ones at the leaf; for a number the normal distribution with a standard
  deviation of at least a thousandth of the range at the leaf, or, for a class with a
  weight of 1 or less there, any place in the range alike.
- Adaptive: naive Bayes, unless the majority was right about more rows of the leaf.
- Equal gains (to 1e-12): the first feature, the lowest cut. Equal weights: the class
  that is heavier in the nearest ancestor that decides, then the first in class order.
- Memory: when `max_bytes` is used up, and once in 10 000 rows, leaves are sorted by
  the weight of their wrong rows (for numbers: by their squared error). The first ones
  that have room in nine tenths of it stay awake or are woken; the others lose their
  sums, count, answer their majority, and are not split.

References
----------
Domingos, P. and Hulten, G. (2000). Mining high-speed data streams. KDD.
Pfahringer, B., Holmes, G. and Kirkby, R. (2008). Handling numeric attributes in
Hoeffding trees. PAKDD.
Holmes, G., Kirkby, R. and Pfahringer, B. (2005). Stress-testing Hoeffding trees. PKDD.
Ikonomovska, E., Gama, J. and Dzeroski, S. (2011). Learning model trees from evolving
data streams. Data Mining and Knowledge Discovery 23.
"""

from __future__ import annotations

from treewright.learners.hoeffding_settings import HoeffdingSettings

HOEFFDING = HoeffdingSettings(name="hoeffding", criterion="entropy")
HOEFFDING_NUMBERS = HoeffdingSettings(name="hoeffding", criterion="squared_error")
