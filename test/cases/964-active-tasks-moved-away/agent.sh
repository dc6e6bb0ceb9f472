echo hello > hello.txt
touch started
while [ ! -e go ]; do sleep 0.05; done
