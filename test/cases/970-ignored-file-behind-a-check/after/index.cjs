exports.add = require("./lib/add.cjs").add;
