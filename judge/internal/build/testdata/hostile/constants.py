# verdict: AC
# why: constants that are too large to compute at compile time
# says: ok

def f():
    return "a" * 10**12, 2 ** 10**9, (1,) * 10**10
print("ok")
