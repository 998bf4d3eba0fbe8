"""The decision-tree learner of Russell and Norvig's "AI: a modern approach".

The same tree as ID3: its importance of a feature is the information gain, a branch
without examples takes the plurality of the parent's. The book breaks ties at random;
here the tie rules of `grow/choose.py` and `grow/finish.py` hold, so that the same table
always gives the same tree. Under them the restaurant table gives the book's tree.

References
----------
Russell, S. and Norvig, P. Artificial Intelligence: A Modern Approach, section
"Learning decision trees".
"""

from __future__ import annotations

import dataclasses

from treewright.learners.dialects.id3 import ID3

AIMA = dataclasses.replace(ID3, name="aima")
