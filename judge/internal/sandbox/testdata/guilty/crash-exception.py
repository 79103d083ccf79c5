# verdict: RTE
# why: the report of an uncaught exception in Python quotes its message
# limits: cpu=10s
# message: ValueError: the sky is falling
raise ValueError("the sky is falling")
