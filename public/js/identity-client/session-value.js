/**
 * What this tab keeps: a place of sessionStorage that holds values like this one, and nothing else that stands there.
 * @template {Record<string, unknown>} Value
 * @param {string} key
 * @param {Value} sample
 */
export const sessionValue = (key, sample) => ({
  /** Reads storage each time, since another part of the app could have written it. @returns {Value | null} */
  read: () => {
    const value = parseJson(sessionStorage.getItem(key))
    return Object.entries(sample).every(([name, one]) => typeof value?.[name] === typeof one) ? value : null
  },
  /** @param {Value} value */
  write: (value) => sessionStorage.setItem(key, JSON.stringify(value)),
  remove: () => sessionStorage.removeItem(key),
})

/** @param {string | null} text */
function parseJson(text) {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
