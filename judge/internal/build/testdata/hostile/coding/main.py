# coding: evil
# verdict: CE
# why: a coding of the submission's own
# says: unknown encoding|encoding problem
# never: codec-ran

print("ok")
