echo ran >> x.txt
