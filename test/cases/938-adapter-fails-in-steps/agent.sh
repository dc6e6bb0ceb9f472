echo no
exit 3
