// verdict: CE
// why: two to the power of 150 inclusions
// says: CPU time|memory limit

#if __INCLUDE_LEVEL__ < 150
#include __FILE__
#include __FILE__
#endif
