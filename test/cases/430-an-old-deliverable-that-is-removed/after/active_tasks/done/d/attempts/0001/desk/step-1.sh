echo old > d.txt
