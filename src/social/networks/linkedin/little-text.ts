const reserved = /[\\|{}@[\]()<>#*_~]/g
const hashtag = /(?<![\p{L}\p{N}_#&])#([\p{L}\p{N}]+)/gu

/** In LinkedIn's format, which cuts a text off at a reserved character without a backslash. */
export function toLittleText(text: string): string {
  let little = ''
  let from = 0
  for (const found of text.matchAll(hashtag)) {
    little += `${escape(text.slice(from, found.index))}{hashtag|\\#|${found[1]}}`
    from = found.index + found[0].length
  }
  return little + escape(text.slice(from))
}

const escape = (text: string): string => text.replaceAll(reserved, String.raw`\$&`)
