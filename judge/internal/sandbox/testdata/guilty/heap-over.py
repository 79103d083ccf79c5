# verdict: MLE
# why: a Python heap exceeds the limit, without a MemoryError
# limits: cpu=10s
blocks = []
for i in range(512):
    blocks.append(bytearray(b"x" * (1 << 20)))
print("broke: 512 MiB", len(blocks))
