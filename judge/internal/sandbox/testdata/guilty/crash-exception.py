# verdict: RTE
# why: and in Python
# limits: cpu=10s
# says: ValueError: the sky is falling
raise ValueError("the sky is falling")
