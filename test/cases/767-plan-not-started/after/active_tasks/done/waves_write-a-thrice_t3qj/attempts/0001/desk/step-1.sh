echo d > d.txt
