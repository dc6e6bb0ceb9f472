require("left-pad");
