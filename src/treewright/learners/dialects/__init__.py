"""The algorithms of one tree: each is a row of settings over `grow/dialect.py`.

ID3, Russell and Norvig's learner, C4.5 (with J48 and the lecture's), C5.0, CART, rpart;
`unpruned.py` takes the pruning out of one. `learners/registry.py` names them.
"""
