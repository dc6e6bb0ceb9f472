echo old > b.txt
