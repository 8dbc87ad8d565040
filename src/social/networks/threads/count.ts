const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const emoji = /\p{Extended_Pictographic}/u

/** An emoji counts as many characters as it has bytes. */
export const countPost = (text: string): number =>
  [...segmenter.segment(text)].reduce(
    (sum, { segment }) => sum + (emoji.test(segment) ? Buffer.byteLength(segment) : [...segment].length),
    0,
  )
