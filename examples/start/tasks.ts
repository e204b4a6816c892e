/** Letters, and the only word with these letters. Agents see only the letters. */
export const tasks = {
  train: [
    { letters: 'nwodiw', word: 'window' },
    { letters: 'koctep', word: 'pocket' },
    { letters: 'gulnej', word: 'jungle' },
    { letters: 'cnepil', word: 'pencil' },
    { letters: 'bribat', word: 'rabbit' },
    { letters: 'niivlo', word: 'violin' },
    { letters: 'wolley', word: 'yellow' },
    { letters: 'nnletu', word: 'tunnel' },
  ],
  test: [
    { letters: 'yngexo', word: 'oxygen' },
    { letters: 'sumemu', word: 'museum' },
    { letters: 'sacutc', word: 'cactus' },
    { letters: 'totleb', word: 'bottle' },
  ],
};
