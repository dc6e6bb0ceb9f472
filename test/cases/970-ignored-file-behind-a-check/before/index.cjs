exports.add = () => 0;
