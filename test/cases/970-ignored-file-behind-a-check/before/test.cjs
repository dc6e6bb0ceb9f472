require('fs').writeFileSync('last.out', 'made by the check');
process.exit(require('./index.cjs').add(2, 2) === 4 ? 0 : 1);
