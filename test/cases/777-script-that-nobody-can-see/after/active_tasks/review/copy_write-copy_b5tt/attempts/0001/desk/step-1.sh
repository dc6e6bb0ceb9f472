echo hi > copy.txt
