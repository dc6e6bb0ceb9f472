touch started
while [ ! -e go ]; do sleep 0.05; done
echo hello > hello.txt
