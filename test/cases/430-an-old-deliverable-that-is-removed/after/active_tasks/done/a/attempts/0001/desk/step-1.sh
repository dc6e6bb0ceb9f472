echo old > a.txt
