# verdict: RTE
# why: an exception in Python that nobody catches is told in its own words
# limits: cpu=10s
# says: ValueError: the sky is falling
raise ValueError("the sky is falling")
