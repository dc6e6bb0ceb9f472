echo hello > hello.txt
mkdir out
echo one > out/one.txt
