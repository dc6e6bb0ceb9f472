echo hello > hello.txt
