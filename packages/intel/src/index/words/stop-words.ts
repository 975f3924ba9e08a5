/** English words that say nothing of what a text is about; and the commonest words of code that stand in every file. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be been but by can do does for from had has have he her his how i if in into is it its me my no
  not of on one or our she should so such than that the their them then there these they this those to too us was we
  were what when where which while who will with would you your self def`.split(/\s+/),
);
