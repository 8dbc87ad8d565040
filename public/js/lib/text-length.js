const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Code points that count once on X, as ranges. */
const single = [
  [0x0000, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
]
const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u

/** @param {string} character */
const weightOf = (character) => {
  const code = character.codePointAt(0) ?? 0
  return single.some(([from = 0, to = 0]) => code >= from && code <= to) ? 1 : 2
}

/** @type {Record<string, (text: string) => number>} */
const counters = {
  graphemes: (text) => [...segmenter.segment(text)].length,
  code_points: (text) => [...text].length,
  utf16: (text) => text.length,
  bytes: (text) => new TextEncoder().encode(text).length,
  weighted: (text) =>
    [...segmenter.segment(text.normalize('NFC'))].reduce(
      (sum, { segment }) => sum + (emoji.test(segment) ? 2 : [...segment].reduce((all, one) => all + weightOf(one), 0)),
      0,
    ),
  emoji_bytes: (text) =>
    [...segmenter.segment(text)].reduce(
      (sum, { segment }) =>
        sum + (emoji.test(segment) ? new TextEncoder().encode(segment).length : [...segment].length),
      0,
    ),
}

/**
 * Characters as the network counts them; each URL has a fixed length where the network defines one.
 * @param {string} text
 * @param {{ address?: string | undefined, counting?: string | undefined }} rules
 */
export function lengthOf(text, { address, counting = '' }) {
  const counted = address ? text.replaceAll(/https?:\/\/[^\s<>"]+/gi, 'x'.repeat(Number(address))) : text
  return (counters[counting] ?? counters.graphemes)?.(counted) ?? 0
}
