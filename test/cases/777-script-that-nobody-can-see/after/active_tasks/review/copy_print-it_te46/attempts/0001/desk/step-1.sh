echo hi > print.txt
