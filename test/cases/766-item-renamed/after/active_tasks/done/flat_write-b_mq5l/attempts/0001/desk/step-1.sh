echo b > b.txt
