// SPDX-License-Identifier: MIT
// The words of a decision that was not made: "take 2 green" for "takes 2 green".
const would = (words) => words.replace(/\b(take|place|keep|play)s\b/g, "$1").replace(/^passes/, "pass");
