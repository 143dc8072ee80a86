// A message catalogue for what games say in English: sentences, names of things, titles of tables. In English, nothing has to be
// translated.

/** @type {Record<string, string>} */
export const terms = {};
