echo old > c.txt
