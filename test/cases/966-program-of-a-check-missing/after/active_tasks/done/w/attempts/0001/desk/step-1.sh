echo ran >> w.txt
