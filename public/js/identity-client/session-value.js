/**
 * A value in this tab's sessionStorage. Values whose fields have other types than those of `sample` are ignored.
 * @template {Record<string, unknown>} Value
 * @param {string} key
 * @param {Value} sample
 */
export const sessionValue = (key, sample) => ({
  /** Not cached, since another part of the app can change the storage. @returns {Value | null} */
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
