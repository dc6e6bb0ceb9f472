test -e ready.txt
