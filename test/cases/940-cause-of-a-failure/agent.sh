echo "preparing"
case $CONTRACTS_TASK in
  menu) echo "sh: 1: cannot create menu.md: Read-only file system"; exit 2 ;;
  *) echo "sh: 1: anothermissing: not found"; echo "bye"; exit 127 ;;
esac
