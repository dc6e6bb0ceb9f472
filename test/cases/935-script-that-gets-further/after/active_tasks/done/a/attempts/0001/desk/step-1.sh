printf o >> count
grep -q oo count
