echo c > c.txt
