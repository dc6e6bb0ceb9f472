echo hello > hello.txt
exit 0
