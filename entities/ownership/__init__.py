"""Who owns and controls whom, computed: values in, values out, no database.

There is not one "indirect ownership". Shares multiplied along chains (``integrated``), control passed on at each link
and the cascade of sanctions (``control``) disagree about the same structure, so each answer (``assessment``) names its
test, its day and its inputs. Published shares are mostly bands: each share is an interval, and an answer may be
"undecided".
"""
