# Is site/tally.csv a true count of log/october.csv? Prints every fault; exit 1 when there is one.
set -eu
awk -F, '
  NR == FNR { if (FNR > 1) seen += $3; next }
  {
    counted += $2
    name = tolower($1)
    gsub(/^ +| +$/, "", name)
    if (name in line) { print name " is listed twice: lines " line[name] " and " FNR; bad = 1 }
    line[name] = FNR
  }
  END {
    if (seen != counted) { print "the log has " seen " birds, the tally " counted; bad = 1 }
    exit bad
  }
' log/october.csv site/tally.csv
