mkdir -p lib node_modules/x .cache dist
echo 'exports.add = (a, b) => a + b;' > lib/add.cjs
echo x | tee node_modules/x/index.js .cache/x > dist/x
echo 'exports.add = require("./lib/add.cjs").add;' > index.cjs
printf -- "- Status: COMPLETE\n\n## Success Criteria\n\n- [x] sums are right\n" > "$CONTRACTS_OUT/result.md"
