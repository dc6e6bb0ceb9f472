echo hi > one.txt
