const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Characters as a reader counts them: a flag, a family or an accented letter is one. */
export const countGraphemes = (text: string): number => [...segmenter.segment(text)].length
