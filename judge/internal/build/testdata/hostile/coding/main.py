# coding: evil
# verdict: CE
# why: a source encoding that the submission defines
# says: unknown encoding|encoding problem
# never: codec-ran

print("ok")
