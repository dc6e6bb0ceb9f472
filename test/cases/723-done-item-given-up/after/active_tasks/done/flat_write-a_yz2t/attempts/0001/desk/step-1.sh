echo a > a.txt
