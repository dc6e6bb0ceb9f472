touch started
sleep 600
